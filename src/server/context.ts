// What all parts of a server share: its database, opened and migrated, and what reads it.
import type { KeyObject } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { hostname } from 'node:os';
import { fileURLToPath } from 'node:url';
import { createUnknownKeys, type UnknownKeys } from '../api/dialects/unknown-keys.ts';
import type { RecognisedIntegration } from '../api/events/hooks.ts';
import { createMisses, limitGuesses, type SecretLookup } from '../api/http/guesses.ts';
import type { Outbound } from '../channels/outbound.ts';
import type { Config } from '../config.ts';
import { noteDatabase } from '../database-elsewhere.ts';
import { databaseUrl } from '../database-url.ts';
import { type Clock, type Machine, systemClock } from '../engine/clock.ts';
import { createIds, type Ids } from '../engine/ids.ts';
import type { Log } from '../engine/log.ts';
import { settledKeyIn } from '../secret-key.ts';
import { type DatabaseOptions, livenessOf, openDatabase } from '../storage/database/database.ts';
import { migrate } from '../storage/database/migrate.ts';
import { openPools, type Pools } from '../storage/database/pools.ts';
import { prepareCanary } from '../storage/health/canary.ts';
import { createIntegrationsByKey } from '../storage/integrations/integrations-by-key.ts';
import { createIntegrationsByToken } from '../storage/integrations/integrations-by-token.ts';
import { renameEntries } from '../storage/ledger/rename-entries.ts';
import { beginChains } from '../storage/ledger-audit/began.ts';
import { openClaimant } from '../storage/outbox/claimant.ts';
import {
  createIdempotentAnswers,
  type IdempotentAnswers,
} from '../storage/records/idempotent-answers.ts';
import { createRecords, type Records } from '../storage/records/records.ts';
import { bindSealed } from '../storage/sealed/bind.ts';
import { claimInstallation, fingerprintOf } from '../storage/sealed/installation.ts';
import { KEY_LOCK_NAME, type KeyShare, shareKey } from '../storage/sealed/key-lock.ts';
import type { Secrets } from '../storage/sealed/secrets.ts';
import { claimVapidKey } from '../storage/sealed/vapid-key.ts';
import { openServerTime, type ServerTime } from './clock.ts';
import { createOutageLog, type OutageLog } from './outage-log.ts';
import { openOutbound } from './outbound.ts';

export type Start = {
  readonly config: Config;
  readonly log: Log;
  /** In place of the database's clock. */
  readonly clock?: Clock;
  /** In place of the clocks of this machine. */
  readonly machine?: Machine;
  /** In place of the name of this machine, and of its start. */
  readonly host?: string;
  readonly boot?: string;
  readonly random?: () => number;
  /** For one statement of an API request. */
  readonly apiMillisecondsMax?: number;
  /** Shows what is told once, at the first start. */
  readonly print: (text: string) => void;
  /** It must not go on, not even to finish what it has accepted. */
  readonly failed: (error: Error) => void;
  /** It must let go of the database: a backup is about to be restored. */
  readonly restoring?: () => void;
  /**
   * It is about to stop. What takes long before it listens ends by throwing the reason; afterwards
   * it serves what arrives until it is disposed of, and says that it is not ready.
   */
  readonly signal?: AbortSignal;
  /** Before it listens: whoever answered in its place stops. */
  readonly takeOver?: () => Promise<void>;
};

export type ServerContext = {
  readonly config: Config;
  readonly log: Log;
  readonly outage: OutageLog;
  /** The database's, so that all servers have the same. */
  readonly clock: Clock;
  readonly time: ServerTime;
  readonly host: string;
  readonly random: () => number;
  readonly ids: Ids;
  readonly pools: Pools;
  readonly secrets: Secrets;
  /** By which push services know this installation. */
  readonly vapidKey: KeyObject;
  readonly keyShare: KeyShare;
  readonly failed: Start['failed'];
  readonly restoring: () => void;
  /** This server, as its claims name it. */
  readonly claimant: string | null;
  /** To addresses that users supply. */
  readonly outbound: Outbound;
  readonly records: Records;
  readonly answers: IdempotentAnswers;
  /** Tells an integration by its token; one memory for both doors. */
  readonly recognise: ReturnType<typeof createIntegrationsByToken>;
  /** The same for strangers, whose guesses are limited. */
  readonly recogniseFrom: SecretLookup<RecognisedIntegration>;
  /** By what clients of other services send: a token, its first characters, or an adopted key. */
  readonly recogniseKey: SecretLookup<RecognisedIntegration>;
  /** Takes note of what `recogniseKey` does not know. */
  readonly unknownKeys: UnknownKeys;
};

const migrationsFolder = fileURLToPath(new URL('../../migrations/', import.meta.url));

export async function openServerContext(
  start: Start,
  stack: AsyncDisposableStack,
): Promise<ServerContext> {
  const { config, random = Math.random, host = hostname() } = start;
  const outage = createOutageLog(start.log, () => performance.now());
  const { log } = outage;
  const { dataDir } = config;
  await mkdir(dataDir, { recursive: true });
  const url = await databaseUrl({ config, log }, stack);
  const liveness = livenessOf({ url, log });
  const keySession = await openDatabase({
    url,
    log,
    liveness,
    name: KEY_LOCK_NAME,
    isSingleSession: true,
  });
  const keyShare = await shareKey(stack.use(keySession).sql);
  await bringUpToDate({ url, log, liveness, clock: start.clock ?? systemClock });
  const pools = stack.use(await openPools({ url, log, liveness, ...apiLimit(start) }));
  const { engine: sql, api } = pools;
  const time = await openServerTime(sql, start, (clock) => createIds(clock).next());
  const { clock } = time;
  const secretKey = config.secretKey ?? (await settledKeyIn(dataDir, await fingerprintOf(sql)));
  const secrets = await claimInstallation(sql, secretKey);
  await bindSealed(sql, { secretKey, secrets, log });
  const vapidKey = await claimVapidKey(sql, secrets, log);
  const ids = createIds(clock);
  await renameEntries({ sql, secrets, ids, clock, log, signal: start.signal });
  await beginChains(sql, secrets, clock.now());
  await noteDatabase(config, log);
  await prepareCanary(sql, { secrets, now: clock.now() });
  const opening = { sql, dataDir, log, now: clock.now() };
  const { name: claimant } = stack.use(await openClaimant(opening));
  const nowMs = () => clock.now().epochMilliseconds;
  const recognise = createIntegrationsByToken({ sql, secrets, nowMs, log });
  const records = createRecords({ sql: api, secrets, ids });
  const answers = createIdempotentAnswers(api, secrets);
  const guessing = { clock, misses: createMisses(clock) };
  const recognition = {
    recognise,
    recogniseFrom: limitGuesses(recognise, guessing),
    recogniseKey: limitGuesses(createIntegrationsByKey({ sql, secrets, nowMs, log }), guessing),
    unknownKeys: createUnknownKeys({ clock, digest: secrets.digest }),
  };
  const stored = { pools, secrets, vapidKey, keyShare, records, answers };
  const { failed, restoring = () => undefined } = start;
  return {
    config,
    log,
    outage,
    clock,
    time,
    host,
    random,
    ids,
    claimant,
    outbound: openOutbound({ config, log, clock }),
    failed,
    restoring,
    ...stored,
    ...recognition,
  };
}

/** On a connection of its own, for a migration may take longer than any other statement. */
async function bringUpToDate({
  clock,
  ...options
}: Pick<ServerContext, 'clock' | 'log'> &
  Pick<DatabaseOptions, 'url' | 'liveness'>): Promise<void> {
  const name = 'pager migrations';
  await using database = await openDatabase({
    ...options,
    name,
    maxConnections: 1,
    isPatient: true,
  });
  await migrate({ sql: database.sql, folder: migrationsFolder, clock, log: options.log });
}

const apiLimit = ({ apiMillisecondsMax }: Start) =>
  apiMillisecondsMax === undefined ? {} : { apiMillisecondsMax };
