import postgres from 'postgres';
import type { Log } from '../../engine/log.ts';
import { databaseLimits } from '../../limits/database.ts';
import { type Answered, createLiveness, type Liveness } from './liveness.ts';
import { refuseWhen, renewingPool } from './renewing-pool.ts';
import { type Address, type Place, socketsTo } from './sockets.ts';
import { asUnavailable, DatabaseUnavailable, errorCode, isConnectionLost } from './unavailable.ts';

export { asUnavailable, DatabaseUnavailable, errorCode } from './unavailable.ts';

type Types = { instant: Temporal.Instant; date: Temporal.PlainDate; int8: number };

/** A pool of connections; each tagged template runs on any of them. */
export type Sql = postgres.Sql<Types>;
/** One connection inside one transaction. */
export type Transaction = postgres.TransactionSql<Types>;
/** For functions that do not mind which of the two they are given. */
export type Queries = postgres.ISql<Types>;

export type Database = AsyncDisposable & { readonly sql: Sql };

export type DatabaseOptions = {
  /** As libpq writes it; `?host=/folder` is a unix socket. */
  readonly url: string;
  readonly log: Log;
  readonly maxConnections?: number;
  /** As PostgreSQL lists its connections. */
  readonly name?: string;
  /** For statements of any shape; else each has its index, and the planner must take it. */
  readonly isForReports?: boolean;
  /** For one statement, and for its wait for a lock. */
  readonly statementMilliseconds?: number;
  /** One connection, not given up while it is idle: what its session holds is to last. */
  readonly isSingleSession?: boolean;
  /** How long to wait for a connection. */
  readonly connectSeconds?: number;
  /** Shared by all pools of a server, so that a lost host is noticed once. */
  readonly liveness?: Liveness;
  /** For statements that the session itself does not end after a while. */
  readonly isPatient?: boolean;
};

const VERSION_MIN = 150_000;
const RETRY_MILLISECONDS = 20;
const RETURN_POLL_MILLISECONDS = 200;

const SESSION = {
  TimeZone: 'UTC',
  client_min_messages: 'warning',
  statement_timeout: 30_000,
  lock_timeout: 10_000,
  // Whoever is silent for this long has given up the connection, or is gone: others wait for its locks.
  // It is longer than a wait for a lock, which the other transaction of the intake may wait for.
  idle_in_transaction_session_timeout: 2 * databaseLimits.silenceTime * 1_000,
  jit: 'off',
};

// Plans that were made while tables were small, and kept, would read whole tables until statistics
// catch up: in the first storm of a new installation.
const BY_INDEX = {
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  enable_material: 'off',
  plan_cache_mode: 'force_generic_plan',
};

const TIMESTAMPTZ = 1184;
const DATE = 1082;
const INT8 = 20;

const TYPES = {
  instant: {
    to: TIMESTAMPTZ,
    from: [TIMESTAMPTZ],
    serialize: (value: Temporal.Instant) => Temporal.Instant.from(value).toString(),
    parse: (text: string) => Temporal.Instant.from(text),
  },
  date: {
    to: DATE,
    from: [DATE],
    serialize: (value: Temporal.PlainDate) => Temporal.PlainDate.from(value).toString(),
    parse: (text: string) => Temporal.PlainDate.from(text),
  },
  // Counters and counts stay far below 2^53.
  int8: { to: INT8, from: [INT8], serialize: String, parse: (text: string) => Number(text) },
};

export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { name = 'pager', statementMilliseconds: timeout } = options;
  const { connectSeconds = databaseLimits.connectTime } = options;
  const { liveness = livenessOf(options) } = options;
  const limits = timeout === undefined ? {} : { statement_timeout: timeout, lock_timeout: timeout };
  const planner = options.isForReports === true ? {} : BY_INDEX;
  const patience = options.isPatient
    ? databaseLimits.longStatementTime
    : (timeout ?? SESSION.statement_timeout) / 1_000;
  const ended = new AbortController();
  const { url, host, address } = addressOf(options.url);
  let place: Place | undefined;
  const socket = socketsTo({
    address,
    connectSeconds,
    signal: ended.signal,
    opened(socket, at) {
      place = at;
      liveness.follow(socket, { place: at, patience: patience + databaseLimits.silenceTime });
    },
  });
  const connect = (onclose: () => void): Sql =>
    postgres(url, {
      ...host,
      ...bySocket(socket),
      ...(options.isSingleSession
        ? { max: 1, idle_timeout: 0, max_lifetime: null }
        : {
            max: options.maxConnections ?? databaseLimits.engineConnections,
            idle_timeout: databaseLimits.idleTime,
          }),
      connect_timeout: connectSeconds,
      backoff: (attempt) => Math.min(2 ** attempt / 100, databaseLimits.reconnectWait),
      connection: { ...SESSION, ...planner, ...limits, application_name: name },
      types: TYPES,
      onnotice: (notice) => options.log.warn({ notice: notice['message'] }, 'PostgreSQL warns'),
      onclose,
    });
  const { sql, end } = renewingPool(connect);
  const close = async (seconds: number) => {
    await end(seconds);
    ended.abort();
  };
  try {
    // Each of its hosts may be silent, and then the one that is used may be slow.
    const seconds = (address.host.length + 1) * connectSeconds;
    const { started } = await within(seconds, checkServer(sql));
    if (place !== undefined) liveness.met(place, started);
  } catch (error) {
    await close(0);
    throw asUnavailable(error);
  }
  return { sql, [Symbol.asyncDispose]: () => close(databaseLimits.endTime) };
}

type LivenessOptions = Pick<DatabaseOptions, 'url' | 'log'> & {
  readonly secondMilliseconds?: number;
};

/** Of all connections to that database. */
export function livenessOf({ url, ...options }: LivenessOptions): Liveness {
  return createLiveness({ ...options, probe: (place, seconds) => probe(url, place, seconds) });
}

/** On a fresh connection. A refusal is an answer, too. */
async function probe(database: string, place: Place, seconds: number): Promise<Answered> {
  const { url, host, address } = addressOf(database);
  const anyServer = new URL(url);
  anyServer.searchParams.delete('target_session_attrs');
  const ended = new AbortController();
  const { signal } = ended;
  const socket = socketsTo({ address, connectSeconds: seconds, signal, places: [place] });
  const sql = postgres(anyServer.href, {
    ...host,
    ...bySocket(socket),
    max: 1,
    fetch_types: false,
    idle_timeout: 1,
    onnotice: () => undefined,
    connect_timeout: seconds,
    connection: { application_name: 'pager probe', statement_timeout: seconds * 1_000 },
  });
  try {
    return { server: await within(seconds, serverOf(sql)) };
  } catch (error) {
    return error instanceof postgres.PostgresError ? { server: null } : null;
  } finally {
    await sql.end({ timeout: 0 });
    ended.abort();
  }
}

/** By when it started, to the microsecond. */
async function serverOf(sql: postgres.Sql): Promise<string | null> {
  const [row] = await sql<
    { started: string }[]
  >`select pg_postmaster_start_time()::text as started`;
  return row?.started ?? null;
}

/** The socket comes with TLS and keep-alive. The driver's types do not have this option. */
const bySocket = (socket: ReturnType<typeof socketsTo>) =>
  ({ ssl: false, sslnegotiation: null, keep_alive: 0, socket }) as const;

/** As the driver reads it. */
function addressOf(text: string) {
  const { url, host: named } = splitHost(text);
  const host = named === undefined ? {} : { host: named };
  const { options } = postgres(url, { ...host, max: 1 });
  // What its types leave out.
  return { url, host, address: options as unknown as Address };
}

/** Fails with `DatabaseUnavailable` if the work takes longer; it goes on then, and nobody waits for it. */
export async function within<T>(seconds: number, work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new DatabaseUnavailable(new NoAnswer())), seconds * 1_000);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

class NoAnswer extends Error {
  readonly code = 'ETIMEDOUT';
}

/** A lock of a session lasts as long as its connection: it is taken on a database of a single one. */
export function requireSingleSession({ options }: Sql): void {
  if (options.max !== 1 || options.idle_timeout !== 0)
    throw new Error('a lock of a session needs a database that was opened with isSingleSession');
}

/** Whether it answers now, and not only after a while. */
async function isReachable(sql: Queries): Promise<boolean> {
  try {
    await within(databaseLimits.readyTime, sql`select 1`);
    return true;
  } catch {
    return false;
  }
}

/** The folder of a unix socket is a parameter of the URL for libpq, and an option for the driver. */
export function splitHost(text: string): { url: string; host: string | undefined } {
  if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(text)) {
    throw new Error('the database URL must look like postgres://user:password@host:5432/database');
  }
  const url = new URL(text);
  const host = url.searchParams.get('host') ?? undefined;
  url.searchParams.delete('host');
  return { url: url.href, host };
}

type Checked = { version: string; number: number; encoding: string; started: string };

async function checkServer(sql: Sql): Promise<Checked> {
  const [server] = await sql<Checked[]>`
    select current_setting('server_version') as version,
      current_setting('server_version_num')::int as number,
      current_setting('server_encoding') as encoding,
      pg_postmaster_start_time()::text as started`;
  if (server === undefined) throw new Error('the database does not tell its version');
  if (server.number < VERSION_MIN) {
    throw new Error(`PostgreSQL ${server.version} is too old: version 15 or later is needed`);
  }
  if (server.encoding !== 'UTF8') {
    throw new Error(`the database is encoded as ${server.encoding}: make it with encoding UTF8`);
  }
  return server;
}

/**
 * Runs the work in a transaction, as a whole again when PostgreSQL found it in conflict with
 * another. The work must therefore do nothing but query.
 */
export async function transact<T>(
  sql: Sql,
  work: (transaction: Transaction) => Promise<T>,
  random: () => number = Math.random,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await begin(sql, work);
    } catch (error) {
      if (!isConflict(error) || attempt === databaseLimits.conflicts) throw asUnavailable(error);
      const delay = RETRY_MILLISECONDS * 2 ** attempt * random();
      await new Promise((done) => setTimeout(done, delay));
    }
  }
}

/**
 * For the rest of the transaction: whoever reads or writes a file, or every secret, takes longer. The
 * database must have been opened for it, with `isPatient`.
 */
export async function liftTimeouts(tx: Transaction): Promise<void> {
  const time = `${databaseLimits.longStatementTime}s`;
  await tx`
    select set_config('statement_timeout', ${time}, true),
      set_config('idle_in_transaction_session_timeout', ${time}, true)`;
}

/**
 * Once the connection is gone, postgres.js rejects `begin` by itself; the work must then stay
 * unsettled, or a rollback would be written to the socket that is no more.
 */
async function begin<T>(sql: Sql, work: (transaction: Transaction) => Promise<T>): Promise<T> {
  let result: { readonly of: T } | undefined;
  let loss: Error | undefined;
  const never = new Promise<void>(() => undefined);
  try {
    await sql.begin(async (transaction) => {
      try {
        result = { of: await work(refuseWhen(transaction, () => loss)) };
      } catch (error) {
        if (loss !== undefined || isConnectionLost(error)) await never;
        throw error;
      }
      if (loss !== undefined) await never;
    });
  } catch (error) {
    loss = new DatabaseUnavailable(error);
    throw error;
  }
  if (result === undefined) throw new Error('the transaction ended before its work');
  return result.of;
}

/** A part of a transaction that may fail, and is undone then, while the rest goes on. */
export async function attempt(
  transaction: Transaction,
  work: (transaction: Transaction) => Promise<void>,
): Promise<void> {
  await transaction.savepoint(async (part) => {
    try {
      await work(part);
    } catch (error) {
      // As above: nothing may be written to the socket that is no more.
      if (isConnectionLost(error)) await new Promise<void>(() => undefined);
      throw error;
    }
  });
}

// Serialization failure and deadlock.
const CONFLICTS = new Set(['40001', '40P01']);

function isConflict(error: unknown): boolean {
  return CONFLICTS.has(errorCode(error));
}

/**
 * Runs what only reads, and runs it again when the database was lost on the way and answers again
 * soon. The work may remember how far it came.
 */
export async function readAgain<T>(sql: Sql, work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      const loss = asUnavailable(error);
      if (!(loss instanceof DatabaseUnavailable)) throw error;
      if (tries === databaseLimits.readTries || !(await returnsSoon(sql))) throw loss;
    }
  }
}

async function returnsSoon(sql: Sql): Promise<boolean> {
  const deadline = performance.now() + databaseLimits.returnTime;
  while (performance.now() < deadline) {
    if (await isReachable(sql)) return true;
    await new Promise((done) => setTimeout(done, RETURN_POLL_MILLISECONDS));
  }
  return false;
}
