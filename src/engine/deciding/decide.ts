// Decides events in their order inside one transaction: the shell around incidents/receive.ts.
import type { AlertEvent, Reading } from '../../alerts/alert.ts';
import { bookFor, factsOf, namedOn, type Standing } from '../../incidents/actions/ruled.ts';
import { newIncident } from '../../incidents/arrival/opening.ts';
import {
  type AlertOutcome,
  type Context,
  type Known,
  type Received,
  receive,
  receiveUndecided,
} from '../../incidents/arrival/receive.ts';
import { type Receiver, whyDropped } from '../../incidents/arrival/receiver.ts';
import { stormTriggers } from '../../incidents/arrival/storm.ts';
import type { Ids } from '../ids.ts';
import {
  type AlertResult,
  type Changes,
  type Decision,
  type EventOutcome,
  type Key,
  keyText,
  type NamedIn,
  type StoredEvent,
  type Tx,
} from '../ledger.ts';
import { failureOf, type Log } from '../log.ts';
import { Desk, keyOf, type Result } from './desk.ts';
import { neededBy } from './needed.ts';
import { namedIn, readStanding } from './standing.ts';

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

type Deciding = {
  readonly tx: Tx;
  readonly ids: Ids;
  readonly now: Temporal.Instant;
  readonly log?: Log;
  /** What is known of the alerts' keys, if it was asked already. */
  readonly known?: ReadonlyMap<string, Known>;
};

/**
 * The caller holds the receivers' locks, and writes the answer: the changes and the events' fates.
 * Numbers are of the incidents that had one before.
 */
export async function decideEvents(
  readables: readonly Readable[],
  receivers: ReadonlyMap<string, Receiver>,
  deciding: Deciding,
): Promise<{
  decided: readonly Decided[];
  changes: Changes;
  numbers: ReadonlyMap<string, number>;
}> {
  const { tx, now } = deciding;
  const live = readables.filter(({ event }) => {
    const receiver = receivers.get(event.integration_id);
    return receiver !== undefined && whyDropped(receiver) === null;
  });
  const desk = new Desk(deciding.known ?? (await tx.known(keysOf(live))));
  const involved = new Set(live.map(({ event }) => event.integration_id));
  const owned = [
    ...live.flatMap(({ event }) => receivers.get(event.integration_id) ?? []),
    ...desk.incidents(),
  ];
  const { standing, named } = await readStanding(tx, owned, (books) =>
    namedByRules(live, { receivers, desk, books, now }),
  );
  const { targets } = standing;
  const needed =
    named.length > 0 || mayTell(live, { receivers, desk, books: standing.books })
      ? neededBy(involved, receivers, { incidents: desk.incidents(), named, targets })
      : [];
  const directory = await tx.directory(needed, now);
  const decided = readables.map((readable): Decided => {
    const { event, reading } = readable;
    const receiver = receivers.get(event.integration_id);
    if ('unreadable' in reading) return unreadable(readable, reading.unreadable);
    if (!receiver) return unreadable(readable, 'the integration is gone');
    const results = reading.alerts.map((alert) => {
      const newId = () => deciding.ids.next();
      const isAlone = reading.alerts.length === 1;
      const context = { ...standing, directory, now, eventId: event.id, isAlone, newId };
      const given = { known: desk.known(event, alert), context };
      return desk.take(event, alert, received(receiver, alert, { ...given, log: deciding.log }));
    });
    return decidedOf(readable, results);
  });
  return { decided, changes: desk.changes(), numbers: desk.numbers() };
}

type Concerned = {
  readonly receivers: ReadonlyMap<string, Receiver>;
  readonly books: Standing['books'];
  readonly desk: Desk;
  readonly now: Temporal.Instant;
};

/** What rules may point to on what arrived. */
function namedByRules(live: readonly Readable[], concerned: Concerned): readonly NamedIn[] {
  const { receivers, books, desk, now } = concerned;
  return live.flatMap(({ event, reading }) => {
    const receiver = receivers.get(event.integration_id);
    if (!receiver || 'unreadable' in reading) return [];
    const book = bookFor(receiver, { books });
    if (book.rules.length === 0) return [];
    return reading.alerts.filter(isTrigger).flatMap((alert) => {
      const arriving = { id: '', known: desk.known(event, alert), now, remember: 0 };
      const incident = newIncident(receiver, alert, arriving);
      const facts = factsOf(incident, { now, isSuppressed: false });
      return namedOn(book, facts).map((named) => namedIn(receiver, named));
    });
  });
}

const isTrigger = ({ action }: AlertEvent) => action === 'trigger';

/**
 * Whether anybody may have to be paged or told: not when nothing is triggered, nor when all there
 * is are repetitions of open incidents far from a storm, which no rule ends. When in doubt, yes.
 */
function mayTell(
  live: readonly Readable[],
  { receivers, desk, books }: Omit<Concerned, 'now'>,
): boolean {
  const alerts = live.flatMap(({ event, reading }) =>
    'alerts' in reading ? reading.alerts.map((alert) => ({ event, alert })) : [],
  );
  const triggers = alerts.filter(({ alert }) => isTrigger(alert));
  if (triggers.length === 0) return false;
  if (triggers.length < alerts.length) return true;
  return triggers.some(({ event, alert }) => {
    const onto = desk.known(event, alert).open.at(-1);
    const receiver = receivers.get(event.integration_id);
    if (!onto || !receiver || receiver.disableSuppression) return true;
    // What a rule does to the open incident may end it, and the next trigger opens another.
    if (bookFor(receiver, { books }).rules.some(({ compiled }) => compiled.isTriedOnSuppressed))
      return true;
    return onto.escalation.recentTriggers.length + triggers.length >= stormTriggers;
  });
}

/** A fault in deciding one alert stops neither the others nor the page. */
function received(
  receiver: Receiver,
  alert: AlertEvent,
  given: { readonly known: Known; readonly context: Context; readonly log?: Log | undefined },
): Received {
  try {
    return receive(receiver, alert, given);
  } catch (error) {
    const { context, log } = given;
    log?.error({ err: error, event: context.eventId }, 'an alert could not be decided');
    return receiveUndecided(receiver, alert, { ...given, failure: failureOf(error) });
  }
}

const unreadable = (readable: Readable, reason: string): Decided => ({
  ...readable,
  decision: { outcome: 'unreadable', reason, alerts: [] },
  ruled: [],
  stormEventId: null,
});

function decidedOf(readable: Readable, results: readonly Result[]): Decided {
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
function suppressedOnto([result, ...others]: readonly Result[]): Pick<Decision, 'suppressedOnto'> {
  const { outcome, incidentId } = result?.received ?? {};
  if (outcome !== 'suppressed' || !incidentId || others.length > 0) return {};
  return { suppressedOnto: incidentId };
}

export function keysOf(readables: readonly Readable[]): Key[] {
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

/** The integrations of the events, as keys. */
export function integrationsOf(events: readonly StoredEvent[]): Key[] {
  const keys = new Map<string, Key>();
  for (const { organization_id, integration_id } of events)
    keys.set(integration_id, { organization_id, integration_id, dedup_key: '' });
  return [...keys.values()];
}
