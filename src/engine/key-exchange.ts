// Exchanges the deduplication keys of the release before, one integration after another, when no
// server of that release is connected. docs/decisions/0080-exchanged-keys.md.
import { setImmediate } from 'node:timers/promises';
import {
  KeyReplay,
  type MatchingIncident,
  type ReadAgain,
  type ReplayedKeys,
} from '../incidents/replayed-keys.ts';
import type { Clock } from './clock.ts';
import { type Faults, isDatabaseAway, postponeMinutes } from './faults.ts';
import type { Ids } from './ids.ts';
import { integrationOf } from './intake/decide.ts';
import type { IntakeOptions } from './intake/intake.ts';
import type { EventReader, ReadingIntegration } from './intake/reader.ts';
import type { Transactor } from './ledger.ts';
import type { Log } from './log.ts';
import { afterOlderServers, type ServersTx, type UpgradeWork } from './older-servers.ts';
import type { ConfigurationReader } from './ports/changes.ts';
import type { AlertResult, EventOrderingKey, StoredEvent } from './ports/events.ts';
import { type ReplayedTx, storeReplayed } from './store-replayed-keys.ts';
import { noWake, type Wake } from './wake.ts';

/** With what was decided about its alerts. */
export type DecidedEvent = {
  readonly event: StoredEvent;
  readonly alerts: readonly AlertResult[] | null;
};

export type EventWindow = {
  /** Of the events that are read again, the oldest first. */
  readonly ids: readonly string[];
  /** Those of them that are not known. */
  readonly unread: readonly DecidedEvent[];
};

export type KeyExchangeTx = ReplayedTx &
  ServersTx & {
    /**
     * The next integration that has keys of the release before. Null: none is due, or a server of
     * that release is connected.
     */
    nextFormerKeys(now: Temporal.Instant): Promise<EventOrderingKey | null>;
    /** Locks the integration; false: its keys are exchanged, or cannot be now. */
    lockFormerKeys(key: EventOrderingKey): Promise<boolean>;
    /** Open incidents of the integration, and those that were merged into another; not locked. */
    matchingIncidents(key: EventOrderingKey): Promise<readonly MatchingIncident[]>;
    eventsReadAgain(key: EventOrderingKey, known: ReadonlySet<string>): Promise<EventWindow>;
    postponeKeys(key: EventOrderingKey, until: Temporal.Instant): Promise<void>;
  };

export type KeyExchangeOptions = {
  readonly ledger: Transactor<KeyExchangeTx>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly faults: Faults;
  readonly typeOf: IntakeOptions['typeOf'];
  readonly reader: EventReader;
};

/** Events that came meanwhile, and are read while the integration is locked. */
const READ_INSIDE = 200;
/** How often those that came meanwhile are read before it is locked. */
const ROUNDS = 20;
/** Alerts that are looked at before others have their turn. */
const ALERTS_AT_ONCE = 2_000;

/** For a loop. */
export const createKeyExchange = (
  options: KeyExchangeOptions,
  committed: (wake: Wake) => void,
): UpgradeWork =>
  afterOlderServers(options, async () => {
    const wake = await exchangeNextKeys(options);
    if (wake === null) return false;
    committed(wake);
    return true;
  });

/**
 * Of the next integration; null: none is due, or a server of the release before is connected. One that
 * fails is tried again later, after the others.
 */
export async function exchangeNextKeys(options: KeyExchangeOptions): Promise<Wake | null> {
  const { ledger, clock, faults } = options;
  const key = await ledger.transact((tx) => tx.nextFormerKeys(clock.now()));
  if (key === null) return null;
  try {
    return await exchange(key, options);
  } catch (error) {
    if (isDatabaseAway(error)) throw error;
    const id = `integration ${key.integration_id} deduplication keys`;
    faults({ of: 'record', id, error });
    const until = clock.now().add({ minutes: postponeMinutes });
    await ledger.transact((tx) => tx.postponeKeys(key, until));
    return noWake;
  }
}

/** Events that were read, by id, and by what; null: they cannot be read. */
type Readings = { readonly by: string; readonly events: Map<string, ReadAgain | null> };

async function exchange(key: EventOrderingKey, options: KeyExchangeOptions): Promise<Wake> {
  const { ledger } = options;
  let readings: Readings = { by: '', events: new Map() };
  for (let round = 0; round < ROUNDS; round += 1) {
    // While they are read, nothing is locked.
    const { unread, integration } = await ledger.transact(async (tx) => {
      const integration = await currentOf(tx, key, options.clock.now());
      readings = readingsBy(integration, readings);
      return { ...(await tx.eventsReadAgain(key, new Set(readings.events.keys()))), integration };
    });
    for (const one of unread) {
      const read = integration && (await readApart(one, integration, options));
      readings.events.set(one.event.id, read ?? null);
      await setImmediate();
    }
    const wake = await ledger.transact((tx) => exchangeLocked(tx, { key, readings }, options));
    if (wake !== null) return wake;
  }
  throw new Error('events came faster than stored ones could be read');
}

const currentOf = async (
  tx: ConfigurationReader,
  key: EventOrderingKey,
  now: Temporal.Instant,
): Promise<ReadingIntegration | null> =>
  integrationOf(key, await tx.configurations([key.organization_id], now));

/** Those before, unless a person changed by what events are read. */
function readingsBy(integration: ReadingIntegration | null, before: Readings): Readings {
  const by = JSON.stringify([integration?.slug, integration?.name, integration?.mapping]);
  return by === before.by ? before : { by, events: new Map() };
}

async function readApart(
  one: DecidedEvent,
  integration: ReadingIntegration,
  options: KeyExchangeOptions,
): Promise<ReadAgain | null> {
  const here = readHere(one, integration, options);
  return here === 'too much'
    ? readAgain(one, await options.reader.storedApart(one.event, integration))
    : here;
}

function readHere(
  one: DecidedEvent,
  integration: ReadingIntegration,
  { typeOf, reader }: KeyExchangeOptions,
): ReadAgain | null | 'too much' {
  const type = typeOf(integration.slug, one.event.path);
  if (type === undefined) return null;
  const reading = reader.stored(one.event, type, integration);
  return reading === null ? 'too much' : readAgain(one, reading);
}

const readAgain = (
  { event, alerts }: DecidedEvent,
  reading: Awaited<ReturnType<EventReader['storedApart']>>,
): ReadAgain | null =>
  'alerts' in reading
    ? {
        id: event.id,
        receivedAt: event.received_at,
        alerts: reading.alerts,
        results: alerts ?? [],
      }
    : null;

type Exchanging = { readonly key: EventOrderingKey; readonly readings: Readings };

/** Null: more has to be read first. */
async function exchangeLocked(
  tx: KeyExchangeTx,
  { key, readings }: Exchanging,
  options: KeyExchangeOptions,
): Promise<Wake | null> {
  if (!(await tx.lockFormerKeys(key))) return noWake;
  const { ids, unread } = await tx.eventsReadAgain(key, new Set(readings.events.keys()));
  if (unread.length > READ_INSIDE) return null;
  const now = options.clock.now();
  const integration = await currentOf(tx, key, now);
  if (readingsBy(integration, readings) !== readings) return null;
  for (const one of unread) {
    const read = integration ? readHere(one, integration, options) : null;
    if (read === 'too much') return null;
    readings.events.set(one.event.id, read);
  }
  const matching = await tx.matchingIncidents(key);
  const events = ids.flatMap((id) => readings.events.get(id) ?? []);
  const replayed = await replay(matching, matching.length === 0 ? [] : events);
  return storeReplayed(tx, { key, replayed, now }, options);
}

async function replay(
  matching: readonly MatchingIncident[],
  events: readonly ReadAgain[],
): Promise<ReplayedKeys> {
  const keys = new KeyReplay(matching);
  let alerts = 0;
  for (const event of events) {
    keys.add(event);
    alerts += event.alerts.length + 1;
    if (alerts < ALERTS_AT_ONCE) continue;
    alerts = 0;
    await setImmediate();
  }
  return keys.result();
}
