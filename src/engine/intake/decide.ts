// Decides events in their order inside one transaction: the shell around incidents/receive.ts.

import type { AlertEvent, Reading } from '../../alerts/alert.ts';
import {
  type Configurations,
  configurationIn,
  type Integration,
  type ReceivingIntegration,
  receivingIntegrationIn,
} from '../../incidents/configuration.ts';
import type { Incident } from '../../incidents/incident.ts';
import {
  type AlertOutcome,
  type Context,
  type KeyState,
  type ReceiveResult,
  receive,
  receiveUndecided,
} from '../../incidents/receive-alert.ts';
import type { Faults } from '../faults.ts';
import type { Ids } from '../ids.ts';
import {
  type AlertResult,
  type Changes,
  type ConfigurationReader,
  type Decision,
  type EventOutcome,
  type Key,
  type KeyStateReader,
  keyText,
  type StoredEvent,
} from '../ledger.ts';
import { failureOf } from '../log.ts';
import { type AlertDecision, BatchState, keyOf } from './batch-state.ts';

export type Readable = { readonly event: StoredEvent; readonly reading: Reading };

/** What deciding it costs, in alerts: 1 for a request that holds none. */
export const alertsIn = ({ reading }: Readable): number =>
  'alerts' in reading ? Math.max(1, reading.alerts.length) : 1;

export type Decided = Readable & {
  readonly decision: Decision;
  /** What became of those of its alerts that rules matched. */
  readonly ruled: readonly AlertOutcome[];
  /** The whole request was counted onto this event's row instead of being stored. */
  readonly stormEventId: string | null;
};

type DecisionInput = {
  /** What is known of the alerts' keys, locked. */
  readonly known: ReadonlyMap<string, KeyState>;
  /** Of their organisations, read after those locks. */
  readonly configurations: Configurations;
  readonly ids: Ids;
  readonly now: Temporal.Instant;
  readonly faults: Faults;
};

/** What the events' alerts are decided by, on its way at once; the configuration comes last. */
export async function loadDecisionInput(
  tx: KeyStateReader & ConfigurationReader,
  readables: readonly Readable[],
  now: Temporal.Instant,
): Promise<Pick<DecisionInput, 'known' | 'configurations'>> {
  const ids = organizationsOf(readables.map(({ event }) => event));
  const [known, configurations] = await Promise.all([
    tx.keyStates(keysOf(readables)),
    tx.configurations(ids, now),
  ]);
  // Those that merges led to were locked later than the configuration was read.
  const isLater = [...known].some(([key, { open }]) =>
    open.some((one) => keyText(dedupKeyOf(one)) !== key),
  );
  return { known, configurations: isLater ? await tx.configurations(ids, now) : configurations };
}

const dedupKeyOf = ({ organization_id, source_integration_id, dedup_key }: Incident): Key => ({
  ...{ organization_id, integration_id: source_integration_id, dedup_key },
});

/**
 * The caller holds the integrations' locks, and writes the answer: the changes and the events'
 * fates. Numbers are of the incidents that had one before.
 */
export function decideEvents(
  readables: readonly Readable[],
  deciding: DecisionInput,
): {
  decided: readonly Decided[];
  changes: Changes;
  numbers: ReadonlyMap<string, number>;
} {
  const desk = new BatchState(deciding.known);
  const decided = readables.map((readable): Decided => {
    const { event, reading } = readable;
    if ('unreadable' in reading) return unreadable(readable, reading.unreadable);
    const receiving = receivingContext(event, reading.alerts, deciding);
    if ('unreadable' in receiving) return unreadable(readable, receiving.unreadable);
    const results = reading.alerts.map((alert) => {
      const known = desk.keyState(event, alert);
      return desk.record(event, alert, receiveSafely(alert, known, receiving));
    });
    return combineAlerts(readable, results);
  });
  return { decided, changes: desk.changes(), numbers: desk.numbers() };
}

/** Null: it is gone, which an event that is stored may outlive. */
export const integrationOf = (
  { organization_id, integration_id }: StoredEvent,
  configurations: Configurations,
): Integration | null =>
  configurationIn(configurations, organization_id).integrations.get(integration_id) ?? null;

type ReceivingContext = {
  readonly receiver: ReceivingIntegration;
  readonly context: Context;
  readonly faults: Faults;
};

/** Of an event whose integration cannot be told, nothing can be decided; it is kept as it came. */
function receivingContext(
  event: StoredEvent,
  alerts: readonly AlertEvent[],
  { configurations, ids, now, faults }: DecisionInput,
): ReceivingContext | { readonly unreadable: string } {
  if (integrationOf(event, configurations) === null)
    return { unreadable: 'the integration is gone' };
  const configuration = configurationIn(configurations, event.organization_id);
  const isAlone = alerts.length === 1;
  const newId = () => ids.next();
  const context = { configuration, now, eventId: event.id, isAlone, newId };
  return { receiver: receivingIntegrationIn(configuration, event.integration_id), context, faults };
}

/** A fault in deciding one alert stops neither the others nor, by way of the admins, the page. */
function receiveSafely(
  alert: AlertEvent,
  known: KeyState,
  receiving: ReceivingContext,
): ReceiveResult {
  const { receiver, context, faults } = receiving;
  try {
    return receive(receiver, alert, { known, context });
  } catch (error) {
    faults({ of: 'alert', id: context.eventId, error });
    return receiveUndecided(receiver, alert, { known, context, failure: failureOf(error) });
  }
}

const unreadable = (readable: Readable, reason: string): Decided => ({
  ...readable,
  decision: { outcome: 'unreadable', reason, alerts: [] },
  ruled: [],
  stormEventId: null,
});

function combineAlerts(readable: Readable, results: readonly AlertDecision[]): Decided {
  const alerts: AlertResult[] = results.map(({ alert, received }) => ({
    action: alert.action,
    dedup_key: alert.dedup_key,
    outcome: received.outcome,
    incident_id: received.incidentId,
    reason: received.reason,
  }));
  const outcomes = new Set(alerts.map((one) => one.outcome));
  const [first] = outcomes;
  const outcome: EventOutcome = outcomes.size > 1 ? 'mixed' : (first ?? 'ignored');
  const reason = alerts.length === 0 ? 'the request holds no alert' : (alerts[0]?.reason ?? null);
  const storm = results[0]?.received.stormEventId ?? null;
  const allCounted =
    results.length > 0 && results.every((one) => one.received.stormEventId !== null);
  return {
    ...readable,
    decision: {
      ...{ outcome, reason: outcome === 'mixed' ? null : reason, alerts },
      ...suppressedOnto(results),
    },
    ruled: results.flatMap(({ received }) => (received.ruled ? [received.outcome] : [])),
    stormEventId: allCounted ? storm : null,
  };
}

/** As only of a single alert the timeline is silent. */
function suppressedOnto([result, ...others]: readonly AlertDecision[]): Pick<
  Decision,
  'suppressedOnto'
> {
  const { outcome, incidentId } = result?.received ?? {};
  if (outcome !== 'suppressed' || !incidentId || others.length > 0) return {};
  return { suppressedOnto: incidentId };
}

function keysOf(readables: readonly Readable[]): Key[] {
  const keys = new Map<string, Key>();
  for (const { event, reading } of readables) {
    if ('unreadable' in reading) continue;
    for (const alert of reading.alerts) {
      const key = keyOf(event, alert);
      keys.set(keyText(key), key);
    }
  }
  return [...keys.values()];
}

export const organizationsOf = (
  of: readonly { readonly organization_id: string }[],
): ReadonlySet<string> => new Set(of.map((one) => one.organization_id));

/** The integrations of the events, as keys. */
export function integrationsOf(events: readonly StoredEvent[]): Key[] {
  const keys = new Map<string, Key>();
  for (const { organization_id, integration_id } of events)
    keys.set(integration_id, { organization_id, integration_id, dedup_key: '' });
  return [...keys.values()];
}
