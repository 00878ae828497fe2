import { useNavigate } from '@tanstack/react-router';
import { type MouseEvent, memo, type ReactNode, use } from 'react';
import { sameTeam } from '../shell/pages.ts';
import { Moment } from '../ui/moment.tsx';
import { StateShape } from '../ui/state-shape.tsx';
import { TimeAgo } from '../ui/time-ago.tsx';
import { type Incident, isMutedForGood, stateOf } from './incident.ts';
import { NextCell } from './next-cell.tsx';
import { Priority } from './priority.tsx';
import { Selecting } from './selection.ts';
import { words } from './words.ts';

type RowProps = {
  incident: Incident;
  /** Of the address that it leads to. */
  search: string;
  /** From the list that is shown. */
  gone: { readonly isKnown: boolean } | undefined;
};

/** One link: whoever follows it reads state, number, priority, title, service and age. */
export const IncidentRow = memo(({ incident, search, gone }: RowProps) => {
  const { number, title, priority, service, next, created_at } = incident;
  // What it was when it left is no state of it.
  const state = gone?.isKnown === false ? null : stateOf(incident);
  const isTriggered = state === 'triggered';
  const isUrgent = isTriggered && priority === 'p1';
  const { isAllowed, ids, toggle } = use(Selecting);
  const isSelectable = isAllowed && incident.status !== 'resolved';
  const follow = useFollow();
  return (
    <li className="relative">
      {isSelectable && (
        <label className="incident-check">
          <input
            type="checkbox"
            checked={ids.has(incident.id)}
            onChange={() => toggle(incident.id)}
            aria-label={words.select(number)}
            className="size-3.5 accent-ink pointer-coarse:size-6"
          />
        </label>
      )}
      <a
        href={`/incidents/${number}${search}`}
        onClick={(event) => follow(event, number)}
        data-incident={number}
        className={`incident-row ${isSelectable ? 'is-selectable' : ''} ${isUrgent ? 'bg-red-tint' : ''} ${gone ? 'bg-sunken' : ''}`}
      >
        <span className="incident-state">{state && <StateShape state={state} />}</span>
        <span className="incident-number">{words.number(number)}</span>
        <span className="incident-priority">
          {priority && <Priority priority={priority} isUrgent={isUrgent} />}
        </span>
        <span className="incident-title">
          <bdi>{title}</bdi>
          <Notes incident={incident} isGone={gone !== undefined} />
        </span>
        <span className="incident-service">
          <bdi>{service}</bdi>
        </span>
        {next && state && (
          <span className="incident-next">
            <NextCell next={next} isUrgent={isTriggered} />
          </span>
        )}
        <TimeAgo at={created_at} className="incident-age" />
      </a>
    </li>
  );
});

/** As a link of the router does, which takes longer to make, and there are many rows. */
function useFollow() {
  const navigate = useNavigate();
  return (event: MouseEvent, number: number) => {
    const isForBrowser = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
    if (isForBrowser || event.button !== 0) return;
    event.preventDefault();
    void navigate({
      to: '/incidents/$number',
      params: { number: `${number}` },
      search: sameTeam,
    });
  };
}

function Notes({ incident, isGone }: { incident: Incident; isGone: boolean }) {
  const { suppressed_count, repeat_count, muted_until, status, paging } = incident;
  return (
    <>
      {paging && !isGone && (
        <Note text={words.paging[paging]} isBad={paging === 'nobody_reached'} />
      )}
      {suppressed_count > 0 && (
        <Note
          text={words.suppressed(suppressed_count)}
          hint={words.suppressedHint(suppressed_count)}
        />
      )}
      {repeat_count > 0 && (
        <Note text={words.again(repeat_count)} hint={words.againHint(repeat_count)} />
      )}
      {muted_until !== undefined && status !== 'resolved' && (
        <Note
          text={
            isMutedForGood(muted_until) ? (
              words.muted
            ) : (
              <>
                {words.mutedUntil} <Moment at={muted_until} />
              </>
            )
          }
        />
      )}
      {isGone && <Note text={words.gone} />}
    </>
  );
}

type NoteProps = { text: ReactNode; hint?: string; isBad?: boolean };

function Note({ text, hint, isBad = false }: NoteProps) {
  const color = isBad ? 'text-red' : 'text-ink3';
  return (
    <span title={hint} className={`ms-1 text-sm font-normal whitespace-nowrap ${color}`}>
      {/* Screen readers would join it to the title. */ ' '}
      {text}
    </span>
  );
}
