import { Link } from '@tanstack/react-router';
import { type ReactNode, Suspense } from 'react';
import { isMutedForGood, stateOf } from '../incidents/incident.ts';
import { Priority } from '../incidents/priority.tsx';
import { lazyPart } from '../shell/lazy-part.ts';
import { sameTeam } from '../shell/pages.ts';
import { Moment } from '../ui/moment.tsx';
import { PersonMark } from '../ui/person-mark.tsx';
import { type State, StateShape } from '../ui/state-shape.tsx';
import { TimeAgo } from '../ui/time-ago.tsx';
import { words as uiWords } from '../ui/words.ts';
import { AlertDescription, AlertLinks } from './alert-head.tsx';
import type { Incident } from './incident.ts';
import { useTimeline } from './queries.ts';
import { Way } from './way.tsx';
import { words } from './words.ts';

/** What became of it, once it is over. */
const Ending = lazyPart(() => import('../verdict/ending.tsx'), 'Ending');

/** Few incidents have several. */
const Integrations = lazyPart(() => import('./alerts/integrations.tsx'), 'Integrations');

const colours: Readonly<Record<State, string>> = {
  triggered: 'text-red',
  unpaged: 'text-red',
  acknowledged: 'text-amber',
  resolved: 'text-green',
  muted: 'text-ink2',
  merged: 'text-ink2',
};

/** What is wrong, how bad it is and whose it is. */
export function IncidentHeader({ id, incident }: { id: string; incident: Incident }) {
  const { title, priority, severity, names, status, muted_until } = incident;
  const by = useActor(id, status);
  const state = stateOf(incident);
  return (
    <section className="incident-head flex min-w-0 flex-col gap-2">
      <p
        className={`flex flex-wrap items-center gap-x-2 font-medium md:text-base ${colours[state]}`}
      >
        <span aria-hidden="true" className="contents">
          <StateShape state={state} />
        </span>
        <span className="text-lg md:text-base">
          {uiWords.state[state]} <TimeAgo at={sinceOf(incident)} isSpelledOut />
        </span>
        {by && (
          <span className="min-w-0 font-normal text-ink2 wrap-anywhere">
            {words.by} <bdi className="text-ink">{by.name}</bdi>
            <Way actor={by} />, <Moment at={by.at} />
          </span>
        )}
        {incident.test && <span className="font-normal text-ink2">{words.test}</span>}
        {muted_until !== undefined && status !== 'resolved' && (
          <span className="font-normal text-ink2">
            {isMutedForGood(muted_until) ? (
              words.mutedForGood
            ) : (
              <>
                {words.muted} <Moment at={muted_until} />
              </>
            )}
          </span>
        )}
      </p>
      <h1 className="text-xl font-bold text-balance wrap-anywhere md:text-2xl">
        <span className="sr-only print:not-sr-only">{words.number(incident.number)} </span>
        <bdi>{title}</bdi>
      </h1>
      <dl className="flex flex-wrap items-center gap-x-4 gap-y-1 text-ink2">
        {(priority || severity) && (
          <div className="flex gap-1.5">
            <dt className="sr-only">{words.urgency}</dt>
            {priority && (
              <dd>
                <Priority
                  priority={priority}
                  isUrgent={priority === 'p1' && state === 'triggered'}
                />
              </dd>
            )}
            {severity && (
              <dd>
                <Priority
                  priority={severity}
                  isUrgent={severity === 'sev1' && state === 'triggered'}
                />
              </dd>
            )}
          </div>
        )}
        <Fact name={words.service}>{names[incident.service_id]}</Fact>
        {incident.alert_integration_ids ? (
          <Suspense>
            <Integrations ids={incident.alert_integration_ids} names={names} />
          </Suspense>
        ) : (
          <Fact name={words.integration}>
            {incident.integration_id === undefined ? (
              words.byHand
            ) : (
              <Link
                to="/integrations/$id"
                params={{ id: incident.integration_id }}
                search={sameTeam}
                className="underline decoration-line underline-offset-2 hover:decoration-ink"
              >
                {names[incident.integration_id]}
              </Link>
            )}
          </Fact>
        )}
        <Fact name={words.policy}>{names[incident.escalation_policy_id]}</Fact>
        {incident.responder_ids.length > 0 && (
          <div className="flex flex-wrap items-center gap-x-2">
            <dt className="text-ink3">{words.responders}</dt>
            {incident.responder_ids.map((id) => (
              <dd key={id} className="inline-flex items-center gap-1 text-ink">
                <PersonMark id={id} name={names[id] ?? ''} />
                <bdi>{names[id]}</bdi>
              </dd>
            ))}
          </div>
        )}
      </dl>
      <AlertDescription incident={incident} />
      <AlertLinks links={incident.links} />
      {status === 'resolved' && (
        <Suspense>
          <Ending id={id} incident={incident} />
        </Suspense>
      )}
    </section>
  );
}

/** Who acknowledged or resolved it last, and when. */
function useActor(id: string, status: Incident['status']) {
  const { data } = useTimeline(id);
  const entry = data?.pages.flatMap((page) => page.data).find(({ type }) => type === status);
  return entry?.actor && status !== 'triggered' ? { ...entry.actor, at: entry.at } : null;
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  if (!children) return null;
  return (
    <div className="flex min-w-0 gap-1.5">
      <dt className="text-ink3">{name}</dt>
      <dd className="min-w-0 wrap-anywhere text-ink">
        <bdi>{children}</bdi>
      </dd>
    </div>
  );
}

const sinceOf = ({ status, created_at, acknowledged_at, resolved_at }: Incident): string => {
  if (status === 'resolved') return resolved_at ?? created_at;
  return status === 'acknowledged' ? (acknowledged_at ?? created_at) : created_at;
};
