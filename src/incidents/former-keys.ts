// A newer release may make another deduplication key of the same message. While servers of the
// release before are connected, all servers match alerts by the keys that it makes; then the keys of
// open incidents are exchanged, once, by reading their stored events again.
// docs/decisions/0080-exchanged-keys.md.
import type { AlertEvent } from '../alerts/alert.ts';
import type { KeyState } from './alert-context.ts';
import type { DecisionContext } from './configuration.ts';
import { type Actor, entry, type Incident, isOpen, type Outcome, only, then } from './incident.ts';
import { advance, type IncidentEvent } from './lifecycle.ts';

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
 * What is known of an alert's key, after the exchange. An incident whose events are not stored any
 * more keeps its former key, by which it can still end; its repeats count under either. What was
 * opened since by the same key is another problem.
 */
export function joinKeyStates(
  { action }: AlertEvent,
  { current, former, exchangedAt }: KnownKeys,
): KeyState {
  const isEnd = action !== 'trigger' && current.open.length === 0;
  const earlier = former.open.filter(
    ({ created_at: at }) => Temporal.Instant.compare(at, exchangedAt) <= 0,
  );
  const known = current.repeatCount > 0 ? current : former;
  // What the former key ended may have been another problem.
  const { end = null } = current;
  return { ...known, end, open: isEnd ? earlier : current.open };
}

/** An event that went to open incidents, read by this release. */
export type ReadAgain = {
  readonly eventId: string;
  /** The incidents to which its alerts went. */
  readonly incidentIds: ReadonlySet<string>;
  readonly alerts: readonly AlertEvent[];
};

export type NewKey = Pick<AlertEvent, 'dedup_key' | 'raw_key'>;

export type ExchangedKeys = {
  /** The new keys of incidents whose key changes, or that came with a raw key, by id. */
  readonly keys: ReadonlyMap<string, NewKey>;
  /** Problems that shared an incident, and still last: each opens an incident of its own. */
  readonly apart: readonly {
    readonly from: Incident;
    readonly alert: AlertEvent;
    readonly eventId: string;
  }[];
};

type Problem = {
  /** The newest one that triggers or resolves. */
  readonly last: AlertEvent;
  readonly eventId: string;
  /** How many stored events are newer than the first of it. */
  readonly age: number;
};

/**
 * `matching`: incidents that are open, or merged into an open one. `events`: newest first; an
 * incident of which none is stored keeps its key.
 */
export function exchangeKeys(
  matching: readonly Incident[],
  events: readonly ReadAgain[],
): ExchangedKeys {
  const keys = new Map<string, NewKey>();
  const apart: { from: Incident; alert: AlertEvent; eventId: string }[] = [];
  for (const incident of matching) {
    const [first, ...others] = lasting(incident, events);
    if (first === undefined) continue;
    const { dedup_key, raw_key } = first.last;
    const isRaw = raw_key !== undefined && incident.raw_key == null;
    if (dedup_key !== incident.dedup_key || isRaw)
      keys.set(incident.id, { dedup_key, ...(isRaw && { raw_key }) });
    if (!isOpen(incident)) continue;
    for (const { last: alert, eventId } of others) apart.push({ from: incident, alert, eventId });
  }
  return { keys, apart };
}

/** The problems under the incident's key that were not resolved, the oldest first. */
function lasting(incident: Incident, events: readonly ReadAgain[]): readonly Problem[] {
  const problems = new Map<string, Problem>();
  for (const [age, { eventId, incidentIds, alerts }] of events.entries()) {
    if (!incidentIds.has(incident.merged_into_id ?? incident.id) && !incidentIds.has(incident.id))
      continue;
    // Of one event, the last alert of a key counts.
    for (const alert of alerts.toReversed()) {
      const isNoChange = alert.action === 'acknowledge' || alert.unwatched !== undefined;
      if (formerKeyOf(alert) !== incident.dedup_key || isNoChange) continue;
      const { last, eventId: id } = problems.get(alert.dedup_key) ?? { last: alert, eventId };
      problems.set(alert.dedup_key, { last, eventId: id, age });
    }
  }
  return [...problems.values()]
    .filter(({ last }) => last.action === 'trigger')
    .sort((one, other) => other.age - one.age);
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
