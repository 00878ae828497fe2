import { useNavigate } from '@tanstack/react-router';
import { type MouseEvent, memo, type ReactNode, use } from 'react';
import { sameTeam } from '../shell/pages.ts';
import { Moment } from '../ui/moment.tsx';
import { StateShape } from '../ui/state-shape.tsx';
import { TimeAgo } from '../ui/time-ago.tsx';
import { type Incident, isMutedForGood, stateOf } from './incident.ts';
import { Priority } from './priority.tsx';
import { Selecting } from './selection.ts';
import { SwipedRow } from './swiped-row.tsx';
import { WhoCell } from './who-cell.tsx';
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
  const { number, title, priority, severity, service, created_at } = incident;
  // What it was when it left is no state of it.
  const state = gone?.isKnown === false ? null : stateOf(incident);
  const isTriggered = state === 'triggered' || state === 'unpaged';
  const isUrgent = isTriggered && (priority === 'p1' || severity === 'sev1');
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
      <SwipedRow incident={incident} isOn={isSelectable && isTriggered && gone === undefined}>
        <a
          href={`/incidents/${number}${search}`}
          onClick={(event) => follow(event, number)}
          data-incident={number}
          className={`incident-row ${isSelectable ? 'is-selectable' : ''} ${isUrgent ? 'bg-red-tint' : ''} ${gone ? 'bg-sunken' : ''}`}
        >
          <span className="incident-state">{state && <StateShape state={state} />}</span>
          <span className="incident-number">{words.number(number)}</span>
          <span className="incident-priority">
            {priority && (
              <Priority priority={priority} isUrgent={isTriggered && priority === 'p1'} />
            )}
            {severity && (
              <Priority priority={severity} isUrgent={isTriggered && severity === 'sev1'} />
            )}
          </span>
          <span className="incident-title">
            <bdi>{title}</bdi>
            <Notes incident={incident} isGone={gone !== undefined} />
          </span>
          <span className="incident-service">
            <bdi>{service}</bdi>
          </span>
          {state && (
            <span className="incident-who">
              <WhoCell incident={incident} />
            </span>
          )}
          <TimeAgo at={created_at} className="incident-age" />
        </a>
      </SwipedRow>
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
  const { alerts_firing, suppressed_count, repeat_count, muted_until, status } = incident;
  return (
    <>
      {incident.test && <Note text={words.test} />}
      {alerts_firing > 1 && <Note text={words.others(alerts_firing - 1)} />}
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

type NoteProps = { text: ReactNode; hint?: string };

function Note({ text, hint }: NoteProps) {
  return (
    <span title={hint} className="ms-1 text-sm font-normal whitespace-nowrap text-ink3">
      {/* Screen readers would join it to the title. */ ' '}
      {text}
    </span>
  );
}
