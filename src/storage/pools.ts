// Connections in pools of their own, so that no kind of work waits for those of another: ten slow
// lists, or an audit, do not delay a page.
import type { Log } from '../engine/log.ts';
import { databaseLimits } from '../limits/database.ts';
import { openDatabase, type Sql } from './database.ts';

export type Pools = AsyncDisposable & {
  /** For those who need a connection that is nobody else's. */
  readonly url: string;
  /** Accepts, decides and sends; and the links that acknowledge. */
  readonly engine: Sql;
  /** For requests of the API and of pages; what takes too long is cut off. */
  readonly api: Sql;
  /** For what is done now and then. */
  readonly housekeeping: Sql;
};

type PoolsOptions = {
  readonly url: string;
  readonly log: Log;
  readonly apiMillisecondsMax?: number;
};

/** PostgreSQL takes 100 connections unless told otherwise: enough for four servers. */
const connections = {
  engine: databaseLimits.engineConnections,
  api: databaseLimits.apiConnections,
  housekeeping: databaseLimits.choreConnections,
};

export async function openPools(options: PoolsOptions): Promise<Pools> {
  const { url, log, apiMillisecondsMax = databaseLimits.statementTime } = options;
  await using stack = new AsyncDisposableStack();
  const open = async (name: keyof typeof connections, statementMilliseconds?: number) => {
    const maxConnections = connections[name];
    const isForReports = name !== 'engine';
    const pool = { url, log, name: `pager ${name}`, maxConnections, isForReports };
    const limit = statementMilliseconds === undefined ? {} : { statementMilliseconds };
    return stack.use(await openDatabase({ ...pool, ...limit })).sql;
  };
  const engine = await open('engine');
  const api = await open('api', apiMillisecondsMax);
  const housekeeping = await open('housekeeping');
  const opened = stack.move();
  return { url, engine, api, housekeeping, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}
