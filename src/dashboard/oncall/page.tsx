import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Suspense } from 'react';
import { personName } from '../../resources/person-name.ts';
import { incidentRole } from '../../resources/roles.ts';
import { PagerError } from '../api/pager.ts';
import { sessionQuery, teamNamesQuery } from '../api/queries.ts';
import { useMay } from '../api/use-may.ts';
import { pollMs } from '../live/live.ts';
import { onCallQuery } from '../people/queries.ts';
import { lazyPart } from '../shell/lazy-part.ts';
import { PageHeader } from '../shell/page-header.tsx';
import { sameTeam } from '../shell/pages.ts';
import { useTeam, useTeams } from '../shell/team-label.tsx';
import { allTeams } from '../shell/team-scope.ts';
import { useTitle } from '../shell/use-title.ts';
import { words as shellWords } from '../shell/words.ts';
import { buttonClass } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { useNow } from '../ui/now.ts';
import { Empty, Trouble } from '../ui/panel.tsx';
import { huesOf } from '../ui/person.ts';
import { PersonMark } from '../ui/person-mark.tsx';
import { words as uiWords } from '../ui/words.ts';
import { ownZone } from '../ui/zones.ts';
import type { Axis } from './axis.ts';
import { finalBars } from './bars.ts';
import { coverOf } from './covering.ts';
import { schedules } from './kind.ts';
import { PeriodBar } from './period-bar.tsx';
import { schedulesQuery } from './queries.ts';
import { type Group, gapsAhead, grouped, isByDesignAt, type Row } from './schedules.ts';
import { monthText, spanText, whenText } from './times.ts';
import { AxisRow, BarItem, Days } from './track.tsx';
import { usePeriod } from './use-period.ts';
import { editWords, words } from './words.ts';

const OwnRequests = lazyPart(() => import('./own-requests.tsx'), 'OwnRequests');

export function OnCallsPage() {
  const team = useTeam();
  const teams = useTeams();
  const zone = ownZone();
  const shown = usePeriod(zone);
  const { axis } = shown;
  const query = useQuery(schedulesQuery({ start: axis.start, end: axis.end }, teams));
  useTitle(words.title);
  return (
    <>
      <PageHeader title={words.title}>
        <NewSchedule className="ms-auto" />
      </PageHeader>
      <OwnShifts />
      <Suspense fallback={null}>
        <OwnRequests />
      </Suspense>
      <div className="px-4 pt-3 pb-2 md:px-5">
        <PeriodBar shown={shown} title={monthText(zone, (axis.start + axis.end) / 2)} />
      </div>
      {query.data === undefined ? (
        query.error instanceof PagerError ? (
          <Trouble title={words.failed} failure={query.error.failure} retry={query.refetch} />
        ) : (
          <Skeleton />
        )
      ) : query.data.rows.length === 0 ? (
        <Empty {...emptyOf({ team, teams })}>
          {teams !== undefined && (
            <Link
              to="/on-calls"
              search={(before) => ({ ...before, team: allTeams })}
              className={buttonClass()}
            >
              {shellWords.allTeams}
            </Link>
          )}
          <NewSchedule />
        </Empty>
      ) : (
        <div
          aria-busy={query.isPlaceholderData}
          className={query.isPlaceholderData ? 'opacity-60' : ''}
        >
          {query.isRefetchError && (
            <p role="status" className="bg-amber-tint px-4 py-2 font-medium md:px-5">
              {words.stale}
            </p>
          )}
          <Schedules axis={axis} {...query.data} />
        </div>
      )}
      <Link
        to="/settings/archive"
        search={(before) => ({ ...sameTeam(before), kind: schedules.name })}
        className="inline-flex min-h-11 items-center px-4 text-sm text-ink2 underline md:px-5"
      >
        {words.archive}
      </Link>
    </>
  );
}

type Scope = { team: string | undefined; teams: string | undefined };

function emptyOf({ team, teams }: Scope) {
  if (team !== undefined) return words.emptyTeam;
  return teams === undefined ? words.empty : words.emptyMine;
}

function NewSchedule({ className = '' }: { className?: string }) {
  const mayMake = useMay('manager');
  if (!mayMake) return null;
  return (
    <Link to="/on-calls/new" className={`${buttonClass()} ${className}`}>
      {editWords.create}
    </Link>
  );
}

type SchedulesProps = { axis: Axis; rows: readonly Row[]; names: Readonly<Record<string, string>> };

function Schedules({ axis, rows, names }: SchedulesProps) {
  const now = useNow();
  const { data: teams } = useQuery(teamNamesQuery);
  const hues = huesOf(Object.keys(names));
  return (
    <div className="border-b border-line">
      <div className="on-call-axis">
        <span className="text-xs text-ink3">{words.zone(axis.zone)}</span>
        <AxisRow axis={axis} />
      </div>
      {grouped(rows, now).map((group) => (
        <TeamSchedules
          key={group.team}
          group={group}
          axis={axis}
          now={now}
          people={{ names, hues }}
          name={teams?.get(group.team) ?? words.noTeam}
        />
      ))}
    </div>
  );
}

type TeamProps = {
  group: Group;
  name: string;
  axis: Axis;
  now: number;
  people: Parameters<typeof finalBars>[1];
};

const TeamSchedules = ({ group, name, axis, now, people }: TeamProps) => (
  <section aria-labelledby={`team-${group.team}`}>
    <h2 id={`team-${group.team}`} className="px-4 pt-4 pb-1.5 text-sm text-ink2 md:px-5 md:text-xs">
      <bdi>{name}</bdi>
    </h2>
    <ul>
      {group.rows.map((row) => (
        <li key={row.oncall_schedule_id} className="on-call-row">
          <div className="min-w-0 py-1.5">
            <div className="flex items-baseline gap-2">
              <Link
                to="/on-calls/$id"
                params={{ id: row.oncall_schedule_id }}
                data-row
                className="min-w-0 truncate text-lg font-medium after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:shadow-[inset_3px_0_0_var(--color-iris)] md:text-base"
              >
                <bdi>{row.name}</bdi>
              </Link>
              <Gaps row={row} now={now} />
            </div>
            <WhoNow row={row} at={now} zone={axis.zone} hues={people.hues} />
          </div>
          <div className="track">
            <Days axis={axis} />
            <ul aria-hidden="true">
              {finalBars(row, people).map((bar) => (
                <BarItem key={bar.key} bar={bar} axis={axis} now={now} />
              ))}
            </ul>
          </div>
        </li>
      ))}
    </ul>
  </section>
);

function Gaps({ row, now }: { row: Row; now: number }) {
  const { length } = gapsAhead(row, now);
  if (length === 0) return null;
  return (
    <span className="ms-auto inline-flex shrink-0 items-center gap-1 text-sm font-medium text-red">
      <Icon name="triangle-alert" className="size-3.5" />
      {words.gap(length)}
      <span className="sr-only"> {words.inThisPeriod}</span>
    </span>
  );
}

type WhoNowProps = {
  row: Row;
  at: number;
  zone: string;
  hues: ReadonlyMap<string, number>;
};

function WhoNow({ row, at, zone, hues }: WhoNowProps) {
  if (row.now === undefined) return null;
  const { user, end, next } = row.now;
  const following = next && (
    <p className={`truncate text-sm text-ink3 ${user === null ? '' : 'hidden md:block'}`}>
      {words.followedBy(personName(next.user), whenText(zone, Date.parse(next.start), at))}
    </p>
  );
  if (user === null)
    return (
      <>
        {isByDesignAt(row, at) ? (
          <p className="text-sm text-ink2">{words.nobodyByDesign}</p>
        ) : (
          <p className="text-sm font-medium text-red">{words.nobodyNow}</p>
        )}
        {following}
      </>
    );
  return (
    <>
      <p className="flex min-w-0 items-center gap-1.5 text-sm text-ink2">
        <PersonMark id={user.id} name={personName(user)} hue={hues.get(user.id)} />
        <span className="truncate">
          <bdi>{personName(user)}</bdi>
        </span>
        {end && (
          <time dateTime={end} className="shrink-0">
            {words.until(whenText(zone, Date.parse(end), at))}
          </time>
        )}
      </p>
      {following}
    </>
  );
}

/** What one has to be there for; each can be covered. */
function OwnShifts() {
  const now = useNow();
  const zone = ownZone();
  const { data: session } = useQuery(sessionQuery);
  const mayCover = useMay(incidentRole);
  const me = session?.user.id;
  const { data } = useQuery({
    ...onCallQuery(me ?? ''),
    enabled: me !== undefined,
    refetchInterval: pollMs,
  });
  const shifts = data ? [...data.now, ...data.next] : [];
  if (session === undefined || shifts.length === 0) return null;
  return (
    <section aria-labelledby="my-shifts" className="border-b border-line px-4 py-3 md:px-5">
      <h2 id="my-shifts" className="text-sm text-ink2 md:text-xs">
        {words.myShifts}
      </h2>
      <ul className="mt-1 flex flex-col md:flex-row md:flex-wrap md:gap-3">
        {shifts.slice(0, 3).map(({ oncall_schedule_id, name, start, end }) => (
          <li
            key={`${oncall_schedule_id} ${start}`}
            className="flex min-w-0 items-center gap-3 py-1.5 md:rounded-lg md:border md:border-line md:bg-surface md:px-3"
          >
            <span className="min-w-0 flex-1">
              <bdi className="block truncate font-medium">{name}</bdi>
              <span className="block text-sm text-ink2">
                {spanText(zone, { start: Date.parse(start), end: Date.parse(end) }, now)}
              </span>
            </span>
            {mayCover && (
              <Link
                to="/on-calls/$id"
                params={{ id: oncall_schedule_id }}
                search={{
                  cover: coverOf({
                    start: Math.max(Date.parse(start), now),
                    end: Date.parse(end),
                  }),
                }}
                className={`${buttonClass()} shrink-0`}
                aria-label={`${words.coverMine}: ${name}`}
              >
                {words.coverMine}
              </Link>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

const Skeleton = () => (
  <div role="status" aria-label={uiWords.loading} className="appear-late pt-9">
    {['w-40', 'w-56', 'w-48'].map((width) => (
      <div key={width} className="on-call-row">
        <span className={`h-4 rounded-sm bg-line ${width}`} />
        <span className="h-2.5 rounded-sm bg-line md:h-7" />
      </div>
    ))}
  </div>
);
