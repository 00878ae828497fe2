// Connections in pools of their own, so that no kind of work waits for those of another: ten slow
// lists, or an audit, do not delay a page.
import type { Log } from '../../engine/log.ts';
import { databaseLimits } from '../../limits/database.ts';
import { livenessOf, openDatabase, type Sql } from './database.ts';
import type { Liveness } from './liveness.ts';

export type Pools = AsyncDisposable & {
  /** For those who need a connection that is nobody else's. */
  readonly url: string;
  /** Over the connections of all pools. */
  readonly liveness: Liveness;
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
  readonly liveness?: Liveness;
  readonly apiMillisecondsMax?: number;
};

/** Every pool of a server by what follows `pager` in its name; other files open those of one or two. */
const serverPools = {
  engine: {
    connections: databaseLimits.engineConnections,
    purpose: 'accepting, deciding and sending; the links that acknowledge; `/readyz`',
  },
  api: {
    connections: databaseLimits.apiConnections,
    purpose: `the API and the pages; a statement is cancelled after ${databaseLimits.statementTime / 1_000} seconds and the request answered 503 \`query_timeout\``,
  },
  'key lock': {
    connections: 1,
    purpose:
      'a lock that prevents [a change of the key](#change-the-secret-key) while a server runs',
  },
  housekeeping: {
    connections: databaseLimits.choreConnections,
    purpose: 'retention, the background audit and other chores',
  },
  'wake-ups': {
    connections: 2,
    purpose: 'notifying the other servers about new work, and listening to them',
  },
};

/** What PostgreSQL allows by default. */
const POSTGRES_CONNECTIONS = 100;

/** The pools as docs/operating.md lists them. */
export function poolsText(): string {
  const pools = Object.entries(serverPools);
  const total = pools.reduce((sum, [, { connections }]) => sum + connections, 0);
  const servers = Math.floor(POSTGRES_CONNECTIONS / total);
  return [
    `Each server opens up to ${total} connections in separate pools, so that slow API requests and chores do not delay pages. PostgreSQL's default limit of ${POSTGRES_CONNECTIONS} is enough for ${servers} servers. \`pg_stat_activity\` shows the pools by \`application_name\`.`,
    '',
    '| Pool | Connections | For |',
    '|---|---|---|',
    ...pools.map(([name, pool]) => `| \`pager ${name}\` | ${pool.connections} | ${pool.purpose} |`),
  ].join('\n');
}

export async function openPools(options: PoolsOptions): Promise<Pools> {
  const { url, log, apiMillisecondsMax = databaseLimits.statementTime } = options;
  const { liveness = livenessOf({ url, log }) } = options;
  await using stack = new AsyncDisposableStack();
  const open = async (name: 'engine' | 'api' | 'housekeeping', statementMilliseconds?: number) => {
    const maxConnections = serverPools[name].connections;
    const isForReports = name !== 'engine';
    const pool = { url, log, liveness, name: `pager ${name}`, maxConnections, isForReports };
    const limit = statementMilliseconds === undefined ? {} : { statementMilliseconds };
    return stack.use(await openDatabase({ ...pool, ...limit })).sql;
  };
  const engine = await open('engine');
  const api = await open('api', apiMillisecondsMax);
  const housekeeping = await open('housekeeping');
  const opened = stack.move();
  return {
    url,
    liveness,
    engine,
    api,
    housekeeping,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
