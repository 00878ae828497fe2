import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Suspense } from 'react';
import { PagerError } from '../api/pager.ts';
import { sessionQuery } from '../api/queries.ts';
import { AttentionStrip } from '../setup/attention-strip.tsx';
import { useAttention } from '../setup/use-attention.ts';
import { lazyPart } from '../shell/lazy-part.ts';
import { useTeam } from '../shell/team-label.tsx';
import { allTeams } from '../shell/team-scope.ts';
import { useActionKeys } from '../shell/use-action-keys.ts';
import { useTitle } from '../shell/use-title.ts';
import { words as shellWords } from '../shell/words.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { useIsIdle } from '../ui/idle.ts';
import { Empty, Trouble } from '../ui/panel.tsx';
import { restOf } from './arrivals.ts';
import { ColumnHeads } from './column-heads.tsx';
import { IncidentGroups } from './groups.tsx';
import type { Incident } from './incident.ts';
import { Notice } from './notice.tsx';
import { incidentsQuery, resolvedTodayQuery } from './queries.ts';
import { Selecting, useSelection } from './selection.ts';
import { IncidentsSkeleton } from './skeleton.tsx';
import { type ListScope, queryOf, resolvedOf } from './tabs.ts';
import { useActOnFocused } from './use-act-on-focused.ts';
import { useAnnounced } from './use-announced.ts';
import { useCounts } from './use-counts.ts';
import { useReaderIsAt } from './use-reader-is-at.ts';
import { useRows } from './use-rows.ts';
import { words } from './words.ts';

/** Not once all of it is done, so that most readers never load it. */
const Checklist = lazyPart(() => import('../setup/checklist.tsx'), 'Checklist');
const ResolvedToday = lazyPart(() => import('./resolved-today.tsx'), 'ResolvedToday');
const BulkBar = lazyPart(() => import('./bulk-bar.tsx'), 'BulkBar');

type ListProps = { scope: ListScope; clear: () => void };

const none: readonly Incident[] = [];

export function IncidentList({ scope, clear }: ListProps) {
  const signedIn = useQuery(sessionQuery);
  const session = signedIn.data;
  const wanted = queryOf(scope, session?.user.id);
  const { tab } = scope;
  const isOpen = tab === 'open' || tab === 'mine';
  const query = useInfiniteQuery(incidentsQuery(wanted));
  const [isRead, reading] = useReaderIsAt();
  const selection = useSelection(JSON.stringify(wanted));
  const isHeld = isRead || selection.isOn;
  const actOnFocused = useActOnFocused();
  useActionKeys((action) => {
    if (selection.isAllowed && selection.ids.size === 0) actOnFocused(action);
  });
  // Below the list, and after it.
  const isIdle = useIsIdle(query.data !== undefined);
  const resolvedToday = useQuery({
    ...resolvedTodayQuery(resolvedOf(scope, session?.user.id)),
    enabled: isIdle && isOpen,
  }).data;
  const resolved = resolvedToday?.incidents ?? none;
  const { rows, waiting, gone, showAll } = useRows(query.data?.pages, {
    of: JSON.stringify(wanted),
    isHeld,
    isByUrgency: isOpen,
    resolved: isOpen ? resolved : none,
  });
  const announced = useAnnounced(
    query.isPlaceholderData ? undefined : query.data?.pages,
    JSON.stringify(wanted),
    isHeld,
  );
  const { attention, isAwaited } = useAttention({
    team: scope.team,
    isHeld,
    isWanted: tab === 'open' && isUnfiltered(scope),
    isListThere: query.data !== undefined,
  });
  useTitle(words.title, useCounts(scope.team)?.triggered);
  if (session === undefined && signedIn.error instanceof PagerError)
    return (
      <Trouble
        title={shellWords.noSession}
        failure={signedIn.error.failure}
        retry={signedIn.refetch}
      />
    );
  if (query.data === undefined && query.error instanceof PagerError)
    return <Trouble title={words.failed} failure={query.error.failure} retry={query.refetch} />;
  if (query.data === undefined || isAwaited) return <IncidentsSkeleton />;
  const isWhole = !query.hasNextPage;
  const selectable = rows.filter(({ status }) => status !== 'resolved');
  const checklist = attention?.setup.steps.some(({ done }) => !done) && (
    <Suspense>
      <Checklist setup={attention.setup} />
    </Suspense>
  );
  return (
    <>
      {attention && <AttentionStrip attention={attention} />}
      {rows.length === 0 && checklist}
      <section
        {...reading}
        aria-label={words.title}
        aria-busy={query.isPlaceholderData}
        className={`relative outline-none ${query.isPlaceholderData ? 'opacity-60' : ''} ${selection.isOn ? 'is-selecting pb-28 md:pb-16' : ''}`}
      >
        {query.isRefetchError && <Notice text={words.stale} />}
        <p role="status" className="sr-only">
          {announced.count > 0 && (
            <span key={announced.turn}>{words.arrived(announced.count)}</span>
          )}
        </p>
        <div aria-live="polite">
          {waiting > 0 && (
            <Notice text={words.arrived(waiting)} action={words.show} onAction={showAll} />
          )}
        </div>
        {selection.isAllowed && isOpen && rows.length > 0 && !selection.isOn && (
          <button
            type="button"
            onClick={selection.begin}
            className="absolute end-2 top-0 hidden min-h-11 px-3 text-base text-ink2 underline pointer-coarse:block"
          >
            {words.selectSome}
          </button>
        )}
        {rows.length > 0 ? (
          <Selecting value={selection}>
            <ColumnHeads />
            <IncidentGroups rows={rows} gone={gone} isWhole={isWhole} isGrouped={isOpen} />
          </Selecting>
        ) : (
          <NothingThere scope={scope} clear={clear} />
        )}
        {!isWhole && (
          <div className="flex justify-center p-4">
            <Button disabled={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
              {words.more}
            </Button>
          </div>
        )}
        {/* What is wrong comes before what is left to set up. */}
        {rows.length > 0 && isIdle && checklist}
        {selection.isAllowed && isIdle && (
          <Suspense>
            <BulkBar selection={selection} all={selectable} />
          </Suspense>
        )}
        {tab === 'open' && resolvedToday && (
          <Suspense>
            <ResolvedToday {...restOf(resolvedToday, gone)} />
          </Suspense>
        )}
      </section>
    </>
  );
}

/** Not searched or narrowed. */
const isUnfiltered = ({ text, filters }: ListScope) =>
  text === undefined && Object.keys(filters).length === 0;

function NothingThere({ scope, clear }: ListProps) {
  const { tab } = scope;
  const isOneTeam = useTeam() !== undefined;
  if (isUnfiltered(scope) && scope.team === undefined) return <Empty {...words.empty[tab]} />;
  if (isUnfiltered(scope)) {
    const title = words.emptyInTeams[tab](words.whose[isOneTeam ? 'one' : 'own']);
    return (
      <Empty title={title} text={words.elsewhere}>
        <Link
          to="/incidents"
          search={{ ...(tab !== 'open' && { tab }), team: allTeams }}
          className={buttonClass()}
        >
          {words.inAllTeams}
        </Link>
      </Empty>
    );
  }
  return (
    <Empty {...words.nothingMatches}>
      <Button icon="x" onClick={clear}>
        {words.clear}
      </Button>
    </Empty>
  );
}
