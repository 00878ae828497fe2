// Exchanges the deduplication keys of the release before: one integration in one transaction.
// docs/decisions/0080-exchanged-keys.md.
import { setImmediate } from 'node:timers/promises';
import { configurationIn, receivingIntegrationIn } from '../incidents/configuration.ts';
import { exchangeKeys, type NewKey, openApart, type ReadAgain } from '../incidents/former-keys.ts';
import type { Incident } from '../incidents/incident.ts';
import { receive } from '../incidents/receive-alert.ts';
import type { Clock } from './clock.ts';
import type { Ids } from './ids.ts';
import { changesOf } from './intake/batch-state.ts';
import type { IntakeOptions } from './intake/intake.ts';
import type { EventReader, ReadingIntegration } from './intake/reader.ts';
import {
  type ChangeWriter,
  type ConfigurationReader,
  type EventOrderingKey,
  noWake,
  type StoredEvent,
  type Transactor,
  type Wake,
  wakeOf,
} from './ledger.ts';
import type { Log } from './log.ts';

/** A stored event, and the incidents to which its alerts went. */
export type EventOfIncidents = {
  readonly event: StoredEvent;
  readonly incidentIds: ReadonlySet<string>;
};

export type KeyExchangeTx = ConfigurationReader &
  ChangeWriter & {
    /**
     * Locks the next integration that has keys of the release before. Null: there is none, or a server
     * of that release is connected.
     */
    nextFormerKeys(): Promise<EventOrderingKey | null>;
    /** Locks the open incidents of the integration, and those that were merged into another. */
    matchingIncidents(key: EventOrderingKey): Promise<readonly Incident[]>;
    /** The newest that are stored of them, newest first. */
    eventsOf(
      key: EventOrderingKey,
      incidents: readonly Incident[],
    ): Promise<readonly EventOfIncidents[]>;
    /** The new keys, by incident; the integration has none of the release before from now on. */
    exchangeKeys(
      key: EventOrderingKey,
      keys: ReadonlyMap<string, NewKey>,
      now: Temporal.Instant,
    ): Promise<void>;
  };

export type KeyExchangeOptions = {
  readonly ledger: Transactor<KeyExchangeTx>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly typeOf: IntakeOptions['typeOf'];
  readonly reader: EventReader;
};

const nothingKnown = {
  ...{ open: [], repeatCount: 0, repeatedAt: [] },
  carried: { priority: null, severity: null },
};

/** Of the next integration; null: there is none, or a server of the release before is connected. */
export async function exchangeNextKeys(options: KeyExchangeOptions): Promise<Wake | null> {
  const { ledger, clock, ids, log } = options;
  return ledger.transact(async (tx) => {
    const key = await tx.nextFormerKeys();
    if (key === null) return null;
    const { organization_id, integration_id } = key;
    const now = clock.now();
    const matching = await tx.matchingIncidents(key);
    const events = matching.length === 0 ? [] : await tx.eventsOf(key, matching);
    const configurations = await tx.configurations([organization_id], now);
    const configuration = configurationIn(configurations, organization_id);
    const known = configuration.integrations.get(integration_id);
    const read = known === undefined ? [] : await readAgain(events, known, options);
    const { keys, apart } = exchangeKeys(matching, read);
    const opened = apart.flatMap(({ from, alert, eventId }) => {
      const newId = () => ids.next();
      const context = { configuration, now, eventId, newId };
      const integration = receivingIntegrationIn(configuration, integration_id);
      const { outcomes } = receive(integration, alert, { keyState: nothingKnown, context });
      return openApart(from, outcomes, context);
    });
    const changes = changesOf(opened, { opened: opened.map((one) => one.incident), changed: [] });
    if (opened.length > 0) await tx.save(changes, now);
    await tx.exchangeKeys(key, keys, now);
    log.info(
      { integration: integration_id, incidents: keys.size, opened: opened.length },
      'deduplication keys of the release before were exchanged',
    );
    return opened.length > 0 ? wakeOf(changes, now) : noWake;
  });
}

async function readAgain(
  events: readonly EventOfIncidents[],
  integration: ReadingIntegration,
  { typeOf, reader }: KeyExchangeOptions,
): Promise<readonly ReadAgain[]> {
  const read: ReadAgain[] = [];
  for (const { event, incidentIds } of events) {
    const type = typeOf(integration.slug, event.path);
    if (type === undefined) continue;
    const reading =
      reader.stored(event, type, integration) ?? (await reader.storedApart(event, integration));
    if ('alerts' in reading) read.push({ eventId: event.id, incidentIds, alerts: reading.alerts });
    await setImmediate();
  }
  return read;
}
