import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Suspense, useEffect, useMemo } from 'react';
import { mayAct, type Role } from '../../resources/roles.ts';
import { PagerError } from '../api/pager.ts';
import { sessionQuery } from '../api/queries.ts';
import { useMay } from '../api/use-may.ts';
import { lazyPart } from '../shell/lazy-part.ts';
import { PageHeader } from '../shell/page-header.tsx';
import { useKeys } from '../shell/use-keys.ts';
import { useTitle } from '../shell/use-title.ts';
import { Button } from '../ui/button.tsx';
import { Trouble } from '../ui/panel.tsx';
import { Tab, Tabs } from '../ui/tabs.tsx';
import { words as uiWords } from '../ui/words.ts';
import type { Whole } from './axis.ts';
import { coverOf } from './covering.ts';
import { schedules } from './kind.ts';
import { type Schedule, scheduleQuery } from './queries.ts';
import { type ScheduleSearch, type ScheduleTab, scheduleTabs } from './search.ts';
import { ShiftsTab } from './shifts-tab.tsx';
import { usePeriod } from './use-period.ts';
import { coverWords, editWords, severalWords, tabWords, scheduleWords as words } from './words.ts';
import { isZone } from './zones.ts';

const EditLayers = lazyPart(() => import('./edit-layers.tsx'), 'EditLayers');
const AnnouncedTab = lazyPart(() => import('./announced.tsx'), 'AnnouncedTab');
const NotificationsTab = lazyPart(() => import('./notifications-tab.tsx'), 'NotificationsTab');
const CalendarTab = lazyPart(() => import('./calendar-tab.tsx'), 'CalendarTab');
const CoverDialog = lazyPart(() => import('./cover.tsx'), 'CoverDialog');
const CoverSeveralDialog = lazyPart(() => import('./cover-several.tsx'), 'CoverSeveralDialog');
const RevisionsTab = lazyPart(() => import('./revisions-tab.tsx'), 'RevisionsTab');
const UsesTab = lazyPart(() => import('../records/uses-tab.tsx'), 'UsesTab');
const TerraformTab = lazyPart(() => import('../records/terraform-tab.tsx'), 'TerraformTab');
const HistoryTab = lazyPart(() => import('../records/history-tab.tsx'), 'HistoryTab');
const ScheduleBadges = lazyPart(() => import('./badges.tsx'), 'ScheduleBadges');
const Manage = lazyPart(() => import('./manage.tsx'), 'Manage');

export function SchedulePage() {
  const { id } = useParams({ from: '/on-calls/$id' });
  return <ScheduleById key={id} id={id} />;
}

function ScheduleById({ id }: { id: string }) {
  const query = useQuery(scheduleQuery(id));
  const navigate = useNavigate();
  const schedule = query.data;
  const isElsewhere = schedule !== undefined && schedule.id !== id;
  useEffect(() => {
    if (isElsewhere)
      void navigate({
        to: '/on-calls/$id',
        params: { id: schedule.id },
        replace: true,
        search: (before: Record<string, unknown>) => before,
      });
  }, [isElsewhere, schedule, navigate]);
  if (schedule === undefined || isElsewhere)
    return query.error instanceof PagerError ? (
      <Trouble title={words.failed} failure={query.error.failure} retry={query.refetch} />
    ) : (
      <Reading />
    );
  return <ScheduleView schedule={schedule} />;
}

const Reading = ({ className = '' }) => (
  <div role="status" aria-label={uiWords.loading} className={`appear-late p-5 ${className}`}>
    <span className="inline-block h-6 w-56 rounded-sm bg-line" />
  </div>
);

function ScheduleView({ schedule }: { schedule: Schedule }) {
  const { id, name, timezone } = schedule;
  const search: ScheduleSearch = useSearch({ from: '/on-calls/$id' });
  const { cover, covers, tab = 'shifts' } = search;
  const navigate = useNavigate({ from: '/on-calls/$id' });
  const zone = tab !== 'layers' && isZone(search.zone) ? search.zone : timezone;
  const shown = usePeriod(zone);
  const { data: session } = useQuery(sessionQuery);
  const isActive = !schedule.archived_at;
  const mayAtAll = (role: Role) => session !== undefined && mayAct(session.user, role);
  const may = (role: Role) => isActive && mayAtAll(role);
  const mayCover = may('responder');
  const mayEdit = may('manager');
  const isEditing = tab === 'layers' && mayEdit;
  useTitle(name);

  const change = useMemo(
    () =>
      (next: Partial<Record<keyof ScheduleSearch, unknown>>, ignoreBlocker = false) =>
        void navigate({
          search: (before) => ({ ...before, ...next }) as ScheduleSearch,
          replace: true,
          resetScroll: false,
          ignoreBlocker,
        }),
    [navigate],
  );
  const openCover = useMemo(
    () => (span?: Whole) => change({ cover: span ? coverOf(span) : '' }),
    [change],
  );
  useKeys(useMemo(() => (mayCover ? { cover: () => openCover() } : {}), [mayCover, openCover]));
  return (
    <>
      <PageHeader title={name} back={{ to: '/on-calls', text: words.back }}>
        {mayCover && !isEditing && (
          <Button
            icon="user-round-plus"
            aria-label={coverWords.title}
            className="ms-auto shrink-0"
            onClick={() => openCover()}
          >
            <span className="max-[23rem]:hidden md:hidden">{coverWords.short}</span>
            <span className="max-md:hidden">{coverWords.title}</span>
          </Button>
        )}
        {mayCover && !isEditing && (
          <Button
            icon="users-round"
            aria-label={severalWords.title}
            title={severalWords.title}
            className="shrink-0"
            onClick={() => change({ covers: '' })}
          >
            <span className="hidden lg:inline">{severalWords.title}</span>
          </Button>
        )}
        {mayEdit && !isEditing && (
          <Button
            icon="pencil"
            aria-label={editWords.edit}
            className="shrink-0"
            onClick={() => change({ tab: 'layers' })}
          >
            <span className="hidden md:inline">{editWords.edit}</span>
          </Button>
        )}
      </PageHeader>
      {isEditing && (
        <Suspense fallback={<Reading />}>
          <div className="px-4 py-4 md:px-5">
            <EditLayers
              schedule={schedule}
              axis={shown.axis}
              revision={search.revision}
              close={() => change({ tab: undefined, revision: undefined }, true)}
            />
          </div>
        </Suspense>
      )}
      {!isEditing && (
        <>
          {(!isActive || schedule.managed_by !== undefined) && (
            <Suspense fallback={null}>
              <ScheduleBadges schedule={schedule} />
            </Suspense>
          )}
          <TabBar id={id} tab={tab} />
          <Suspense fallback={<Reading />}>
            {tab === 'announced' && <AnnouncedTab id={id} zone={zone} />}
            {tab === 'notifications' && <NotificationsTab schedule={schedule} mayEdit={mayEdit} />}
            {tab === 'revisions' && (
              <RevisionsTab
                id={id}
                zone={zone}
                restore={mayEdit ? (revision) => change({ tab: 'layers', revision }) : undefined}
              />
            )}
            {tab === 'calendar' && <CalendarTab id={id} />}
            {tab === 'uses' && <UsesTab kind={schedules} id={id} />}
            {tab === 'terraform' && <TerraformTab kind={schedules} id={id} />}
            {tab === 'history' && <HistoryTab kind={schedules} id={id} />}
            {(tab === 'shifts' || tab === 'layers') && (
              <ShiftsTab
                schedule={schedule}
                search={search}
                change={change}
                shown={shown}
                mayCover={mayCover}
                openCover={openCover}
              />
            )}
          </Suspense>
          {(tab === 'shifts' || tab === 'layers') && mayAtAll('manager') && (
            <Suspense fallback={null}>
              <Manage schedule={schedule} />
            </Suspense>
          )}
        </>
      )}
      {mayCover && (
        <Suspense
          fallback={<Reading className="fixed inset-x-0 bottom-0 z-50 bg-surface shadow-popup" />}
        >
          {cover !== undefined && (
            <CoverDialog
              schedule={schedule}
              cover={cover}
              me={session?.user.id}
              close={() => change({ cover: undefined }, true)}
            />
          )}
          {covers !== undefined && (
            <CoverSeveralDialog
              schedule={schedule}
              covers={covers}
              me={session?.user.id}
              close={() => change({ covers: undefined }, true)}
            />
          )}
        </Suspense>
      )}
    </>
  );
}

function TabBar({ id, tab }: { id: string; tab: ScheduleTab | 'layers' }) {
  const sees: Partial<Record<ScheduleTab, boolean>> = {
    terraform: useMay('manager') === true,
    history: useMay('admin') === true,
  };
  return (
    <div className="border-b border-line">
      <Tabs label={tabWords.which}>
        {scheduleTabs
          .filter((one) => sees[one] !== false)
          .map((one) => (
            <Tab
              key={one}
              from="/on-calls/$id"
              to="/on-calls/$id"
              params={{ id }}
              search={({ tab: _, ...rest }) => (one === 'shifts' ? rest : { ...rest, tab: one })}
              isCurrent={one === tab}
            >
              {tabWords.tabs[one]}
            </Tab>
          ))}
      </Tabs>
    </div>
  );
}
