// The page of a record: read first; then edited, archived and restored.
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { type ComponentType, type ReactNode, Suspense, useEffect, useState } from 'react';
import { useMay } from '../api/use-may.ts';
import type { OwnWidgets } from '../form/around.tsx';
import type { Draft } from '../form/draft.ts';
import { lazyPart } from '../shell/lazy-part.ts';
import { PageHeader } from '../shell/page-header.tsx';
import { useTitle } from '../shell/use-title.ts';
import { buttonClass } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Loaded, Reading } from '../ui/loaded.tsx';
import { Tab, Tabs } from '../ui/tabs.tsx';
import { Warnings } from '../ui/warnings.tsx';
import { ArchiveRecord } from './archive.tsx';
import { HistoryTab } from './history-tab.tsx';
import { recordQuery } from './queries.ts';
import { ReadFields } from './read-fields.tsx';
import {
  type AnySearch,
  type DashboardRecord,
  type DraftViewProps,
  displayNameOf,
  pathOf,
  type RecordKind,
} from './record.ts';
import { Restore } from './restore.tsx';
import type { RecordSearch } from './search.ts';
import { UsesTab } from './uses-tab.tsx';
import { words } from './words.ts';

const EditRecord = lazyPart(() => import('./edit.tsx'), 'EditRecord');
const TerraformTab = lazyPart(() => import('./terraform-tab.tsx'), 'TerraformTab');

export type RecordViewProps = { record: DashboardRecord };

export type RecordTab = {
  /** In the address. */
  readonly tab: string;
  readonly text: string;
  readonly view: ComponentType<RecordViewProps>;
};

type RecordPageProps = {
  kind: RecordKind;
  /** Above its fields: how it fares. */
  summary?: ComponentType<RecordViewProps>;
  /** The fields that the summary shows. */
  shownAbove?: readonly string[];
  /** Beside those that all kinds have. */
  tabs?: readonly RecordTab[];
  /** Of the form, by path. */
  own?: OwnWidgets;
  /** Below the form. */
  below?: ComponentType<DraftViewProps>;
  /** Asked in the dialog that archives it. */
  beforeArchive?: ComponentType<RecordViewProps>;
  /** What the form begins with, of the record as it is. */
  begin?: (draft: Draft) => Draft;
};

export function RecordPage(props: RecordPageProps) {
  const { id = '' }: { id?: string } = useParams({ strict: false });
  return <RecordById key={id} id={id} {...props} />;
}

function RecordById({ id, ...props }: RecordPageProps & { id: string }) {
  const { kind } = props;
  const query = useQuery(recordQuery(kind, id));
  const navigate = useNavigate();
  const title = query.data ? displayNameOf(query.data) : kind.words.title;
  useTitle(title);
  const rightId = query.data?.id;
  useEffect(() => {
    // It was opened by its counter.
    if (rightId !== undefined && rightId !== id)
      void navigate({
        to: pathOf(kind, rightId),
        replace: true,
        search: (before: AnySearch) => before,
      });
  }, [rightId, id, kind, navigate]);
  const { tab }: RecordSearch = useSearch({ strict: false });
  const mayEdit = useMay('manager') === true && query.data?.archived_at === undefined;
  return (
    <>
      <PageHeader title={title} back={{ to: kind.path, text: kind.words.title }}>
        {mayEdit && query.data && tab !== 'edit' && (
          <Link
            to={pathOf(kind, id)}
            search={(before: AnySearch) => ({ ...before, tab: 'edit' })}
            className={`${buttonClass()} ms-auto shrink-0`}
          >
            <Icon name="pencil" />
            {words.edit}
          </Link>
        )}
      </PageHeader>
      <Loaded query={query}>
        {(record) => <RecordView record={record} mayEdit={mayEdit} {...props} />}
      </Loaded>
    </>
  );
}

type RecordViewerProps = RecordPageProps & { record: DashboardRecord; mayEdit: boolean };

function RecordView({
  kind,
  record,
  mayEdit,
  summary,
  shownAbove,
  tabs = [],
  own,
  below,
  beforeArchive,
  begin,
}: RecordViewerProps) {
  const { tab }: RecordSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const seesHistory = useMay('admin') === true;
  // Others see no secrets, by which the variables are known.
  const seesTerraform = useMay('manager') === true;
  const { state } = useLocation();
  const [warnings, setWarnings] = useState(state.warnings ?? []);
  if (tab === 'edit' && mayEdit)
    return (
      <Suspense fallback={<Reading />}>
        <EditRecord
          kind={kind}
          record={record}
          own={own}
          below={below}
          begin={begin}
          close={(next) => {
            setWarnings(next);
            void navigate({
              to: pathOf(kind, record.id),
              search: ({ tab: _, ...rest }: AnySearch) => rest,
              ignoreBlocker: true,
            });
          }}
        />
      </Suspense>
    );
  const all: readonly RecordTab[] = [
    { tab: '', text: words.overview, view: () => null },
    ...tabs,
    { tab: 'uses', text: words.uses, view: () => <UsesTab kind={kind} id={record.id} /> },
    ...(seesTerraform
      ? [
          {
            tab: 'terraform',
            text: words.terraform,
            view: () => <TerraformTab kind={kind} id={record.id} />,
          },
        ]
      : []),
    ...(seesHistory
      ? [
          {
            tab: 'history',
            text: words.history,
            view: () => <HistoryTab kind={kind} id={record.id} />,
          },
        ]
      : []),
  ];
  const shown = all.find((one) => one.tab !== '' && one.tab === tab);
  const Summary = summary;
  return (
    <>
      <Badges kind={kind} record={record} />
      {warnings.length > 0 && (
        <div className="border-b border-line px-4 py-3 md:px-5">
          <Warnings warnings={warnings} />
        </div>
      )}
      <div className="border-b border-line">
        <Tabs label={words.tabs}>
          {all.map((one) => (
            <Tab
              key={one.tab}
              to={pathOf(kind, record.id)}
              search={({ tab: _, ...rest }: AnySearch) =>
                one.tab === '' ? rest : { ...rest, tab: one.tab }
              }
              isCurrent={one === (shown ?? all[0])}
            >
              {one.text}
            </Tab>
          ))}
        </Tabs>
      </div>
      <Suspense fallback={<Reading />}>
        {shown ? (
          <shown.view record={record} />
        ) : (
          <>
            {Summary && <Summary record={record} />}
            <ReadFields kind={kind} record={record} without={shownAbove} />
            {mayEdit && <ArchiveRecord kind={kind} record={record} before={beforeArchive} />}
          </>
        )}
      </Suspense>
    </>
  );
}

/** What is special about it now, with the way out of it. */
export function Badges({ kind, record }: { kind: RecordKind; record: DashboardRecord }) {
  const { archived_at, managed_by } = record;
  if (archived_at === undefined && managed_by === undefined) return null;
  return (
    <div className="flex flex-col gap-2 border-b border-line px-4 py-3 md:px-5">
      {archived_at !== undefined && <Archived kind={kind} record={record} />}
      {managed_by !== undefined && (
        <Note>
          {managed_by.workspace === undefined
            ? words.managedPlain
            : words.managed(managed_by.workspace)}
        </Note>
      )}
    </div>
  );
}

const Note = ({ children }: { children: ReactNode }) => (
  <p className="rounded-lg bg-amber-tint px-3 py-2 font-medium text-pretty">{children}</p>
);

function Archived({ kind, record }: { kind: RecordKind; record: DashboardRecord }) {
  const mayRestore = useMay('admin');
  const { id, version } = record;
  const one = { kind: kind.name, path: kind.path, id, name: displayNameOf(record), version };
  return (
    <div className="flex flex-wrap items-center gap-3 rounded-lg bg-amber-tint px-3 py-2">
      <p className="min-w-0 flex-1 font-medium text-pretty">
        {words.archivedNote(kind.words.one)} {mayRestore === false && words.adminsRestore}
      </p>
      {mayRestore && <Restore one={one} />}
    </div>
  );
}
