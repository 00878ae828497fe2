// A newer release may make another deduplication key of the same message. While servers of the
// release before are connected, all servers match alerts by the keys that it makes; then the keys of
// open incidents are exchanged once (src/incidents/replayed-keys.ts). This file says how an alert is
// matched until then, and after it. docs/decisions/0080-exchanged-keys.md.
import type { AlertEvent } from '../alerts/alert.ts';
import { advanceWithPlaybooks } from './actions/automatic-playbooks.ts';
import type { KeyState } from './alert-context.ts';
import type { DecisionContext } from './configuration.ts';
import { type Actor, after, entry, type Incident, type Outcome, only, then } from './incident.ts';
import { advance, type IncidentEvent } from './lifecycle.ts';
import { monitoring } from './open-incident.ts';

/** The key that the release before made of the message. */
export const formerKeyOf = ({ former_key, dedup_key }: AlertEvent): string =>
  former_key ?? dedup_key;

export const withKey = (alert: AlertEvent, dedup_key: string): AlertEvent => ({
  ...alert,
  dedup_key,
});

type KnownKeys = {
  readonly current: KeyState;
  readonly former: KeyState;
  readonly exchangedAt: Temporal.Instant;
};

/**
 * What is known of an alert's key, after the exchange. An incident whose key the exchange could not
 * make again keeps its former key, by which it can still end; its repeats count under either. What
 * has a key of this release is another problem, even if the keys are equal.
 */
export function joinKeyStates(
  { action }: AlertEvent,
  { current, former, exchangedAt }: KnownKeys,
): KeyState {
  const isEnd = action !== 'trigger' && current.open.length === 0;
  const earlier = former.open.filter(
    ({ id, created_at: at }) =>
      !former.exchanged?.has(id) && Temporal.Instant.compare(at, exchangedAt) <= 0,
  );
  const known = current.repeatCount > 0 ? current : former;
  // What the former key ended may have been another problem.
  const { end = null } = current;
  return { ...known, end, open: isEnd ? earlier : current.open };
}

const pager: Actor = { type: 'timer', name: 'Pager', via: 'timer' };

/** A problem that was part of another incident, which keeps its state: nobody is paged for what is acknowledged. */
export function openApart(
  from: Incident,
  opened: readonly Outcome[],
  context: DecisionContext,
): readonly Outcome[] {
  const text = `It was part of INC-${from.number}, because both had the same deduplication key before the upgrade`;
  const about = { details: { incident_id: from.id } };
  return opened.map((outcome) => {
    const noted = then(outcome, (one) => only(one, entry(one, 'separated', text, about)));
    const acknowledged =
      from.status === 'acknowledged' ? advanced(noted, { type: 'acknowledge', by: pager }) : noted;
    return from.muted_until === null
      ? acknowledged
      : advanced(acknowledged, { type: 'mute', by: pager, until: from.muted_until });
  });

  function advanced(outcome: Outcome, event: IncidentEvent): Outcome {
    return then(outcome, (one) => {
      const next = advance(one, event, context);
      return 'refused' in next ? only(one) : next;
    });
  }
}

/** A problem whose end the release before did not understand. */
export function endAsReported(incident: Incident, context: DecisionContext): Outcome | null {
  const outcome = advanceWithPlaybooks(incident, { type: 'resolve', by: monitoring }, context);
  if ('refused' in outcome) return null;
  const text =
    'The source reported the end before the upgrade, but the earlier version of Pager did not recognize it';
  return after([entry(incident, 'ended_before_upgrade', text)], outcome);
}
