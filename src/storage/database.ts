import postgres from 'postgres';
import { type Log, messageOf } from '../engine/log.ts';
import { databaseLimits } from '../limits/database.ts';
import { refuseWhen, renewingPool } from './renewing-pool.ts';

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
};

/** The database is unreachable, lost or full; an unanswered commit may have happened. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';

  constructor(cause: unknown) {
    super(`the database is unavailable: ${reasonOf(cause)}`, { cause });
  }
}

const VERSION_MIN = 150_000;
const RETRY_MILLISECONDS = 20;
const RETURN_POLL_MILLISECONDS = 200;

const SESSION = {
  TimeZone: 'UTC',
  client_min_messages: 'warning',
  statement_timeout: 30_000,
  lock_timeout: 10_000,
  idle_in_transaction_session_timeout: 30_000,
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
  const { url, host } = splitHost(options.url);
  const { name = 'pager', statementMilliseconds: timeout } = options;
  const { connectSeconds = databaseLimits.connectTime } = options;
  const limits = timeout === undefined ? {} : { statement_timeout: timeout, lock_timeout: timeout };
  const planner = options.isForReports === true ? {} : BY_INDEX;
  const connect = (onclose: () => void): Sql =>
    postgres(url, {
      ...(host === undefined ? {} : { host }),
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
  try {
    await within(2 * connectSeconds, checkServer(sql));
  } catch (error) {
    await end(0);
    throw asUnavailable(error);
  }
  return { sql, [Symbol.asyncDispose]: () => end(databaseLimits.endTime) };
}

/**
 * Postgres.js 3.4 connects again and again, without a pause and for ever, where connections are
 * accepted and closed at once, as by a proxy whose PostgreSQL is down.
 */
async function within<T>(seconds: number, work: Promise<T>): Promise<T> {
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

/** Whether it answers now. */
export async function isReachable(sql: Queries): Promise<boolean> {
  try {
    await sql`select 1`;
    return true;
  } catch {
    return false;
  }
}

/** Whether there is room: a full disk answers questions all the same. */
export async function canStore(sql: Sql): Promise<boolean> {
  try {
    await sql.begin(
      (transaction) => transaction`
        create temporary table pager_room on commit drop as select generate_series(1, 10000)`,
    );
    return true;
  } catch (error) {
    if (asUnavailable(error) instanceof DatabaseUnavailable) return false;
    throw error;
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

async function checkServer(sql: Sql): Promise<void> {
  const [server] = await sql<{ version: string; number: number; encoding: string }[]>`
    select current_setting('server_version') as version,
      current_setting('server_version_num')::int as number,
      current_setting('server_encoding') as encoding`;
  if (server === undefined) throw new Error('the database does not tell its version');
  if (server.number < VERSION_MIN) {
    throw new Error(`PostgreSQL ${server.version} is too old: version 15 or later is needed`);
  }
  if (server.encoding !== 'UTF8') {
    throw new Error(`the database is encoded as ${server.encoding}: make it with encoding UTF8`);
  }
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

/** For the rest of the transaction: whoever reads or writes a file, or every secret, takes longer. */
export async function liftTimeouts(tx: Transaction): Promise<void> {
  await tx`
    select set_config('statement_timeout', '0', true),
      set_config('idle_in_transaction_session_timeout', '0', true)`;
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
        if (loss !== undefined || CONNECTION_CLOSED.has(errorCode(error))) await never;
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
      if (CONNECTION_CLOSED.has(errorCode(error))) await new Promise<void>(() => undefined);
      throw error;
    }
  });
}

/** The same error, unless it says that the database is gone. */
export function asUnavailable(error: unknown): unknown {
  if (error instanceof DatabaseUnavailable || !isConnectionLoss(error)) return error;
  return new DatabaseUnavailable(error);
}

// Serialization failure and deadlock.
const CONFLICTS = new Set(['40001', '40P01']);
// The transaction's own connection has closed.
const CONNECTION_CLOSED = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'ECONNRESET',
  'EPIPE',
]);
const LOSSES = new Set([
  ...CONNECTION_CLOSED,
  'CONNECTION_ENDED',
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  // A hot standby after failover refuses to write.
  '25006',
  '25P03',
  // Too many wait for the socket of a busy server.
  'EAGAIN',
  // The disk or the memory is full, or the disk fails: it is there, but can take nothing.
  '53100',
  '53200',
  '53300',
  '58030',
  '57P01',
  '57P02',
  '57P03',
  '57P05',
]);

function isConflict(error: unknown): boolean {
  return CONFLICTS.has(errorCode(error));
}

function isConnectionLoss(error: unknown): boolean {
  const code = errorCode(error);
  // The socket of a server that is down; any other missing file is not our matter.
  if (code === 'ENOENT')
    return error instanceof Error && 'syscall' in error && error.syscall === 'connect';
  return LOSSES.has(code) || code.startsWith('08');
}

/** In words, where the driver has only a code. */
function reasonOf(cause: unknown): string {
  const code = errorCode(cause);
  if (code === 'CONNECT_TIMEOUT' || code === 'ETIMEDOUT') return 'it did not answer in time';
  if (code === 'CONNECTION_ENDED' || CONNECTION_CLOSED.has(code)) return 'the connection was lost';
  return messageOf(cause);
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
    const left = (deadline - performance.now()) / 1_000;
    if (await within(left, isReachable(sql)).catch(() => false)) return true;
    await new Promise((done) => setTimeout(done, RETURN_POLL_MILLISECONDS));
  }
  return false;
}

/** PostgreSQL's or the system's code of an error, else ''. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
