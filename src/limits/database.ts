import { bytes, count, type Limits, MIB, milliseconds, seconds, valuesOf } from './limit.ts';

/** Connections, statements, backups, and the bundled PostgreSQL. */
export const database = {
  // With the others in src/storage/pools.ts a quarter of what PostgreSQL allows by default.
  engineConnections: count(10, 'Connections for accepting, deciding and sending', 'They wait'),
  apiConnections: count(8, 'Connections for the API and the pages', 'They wait'),
  choreConnections: count(2, 'Connections for housekeeping', 'They wait'),
  statementTime: milliseconds(
    5_000,
    'Time for one statement of an API request, waits for locks included',
    '503 `query_timeout`',
  ),
  connectTime: seconds(5, 'Time to connect', '503, and connected again'),
  silenceTime: seconds(
    10,
    'Time in which nothing comes from the database, nor the answer to a `select 1` on a fresh connection',
    'Its connections are given up and opened again',
  ),
  longStatementTime: seconds(
    21_600,
    'Time for one statement of a migration, a backup, a restore or a change of the secret key',
    'It is cancelled',
  ),
  readyTime: seconds(
    3,
    'Time for the database to answer `/readyz`, and the probe of `pager_database_up`',
    'It counts as not reachable',
  ),
  commandConnectTime: seconds(
    30,
    'Time for an operator’s command to connect',
    'It ends with the reason',
  ),
  readTries: count(
    5,
    'Times that `pagerctl audit` and `pagerctl backup` start to read when the database is lost',
    'They end with the reason',
  ),
  returnTime: milliseconds(
    60_000,
    'Time that they wait for the database to return',
    'They end with the reason',
  ),
  reconnectWait: seconds(
    1,
    'Wait between two tries to connect, at most',
    'Further waits are as long',
  ),
  idleTime: seconds(300, 'Time for which an idle connection is kept', 'It is closed'),
  clockOff: milliseconds(
    5_000,
    'Difference between the clock of a server and that of the database',
    'The log, a metric and the attention strip show it',
  ),
  endTime: seconds(5, 'Time for statements under way when the server stops', 'They are given up'),
  conflicts: count(
    5,
    'Tries of a transaction that conflicts with others',
    '503; in the background it is tried again later',
  ),
  removedAtOnce: count(
    500,
    'Rows removed at once because of their age, ten times a second',
    'The rest follow',
  ),
  auditedAtOnce: count(
    2_000,
    'Rows of each table that a server audits at once, every five minutes',
    'The rest in the next rounds',
  ),
  // Recovery reads all of the log since the last checkpoint, on a slow disk too.
  startTime: milliseconds(
    600_000,
    'Time for the bundled PostgreSQL to start, recovery included',
    'The start is refused',
  ),
  refusedTime: milliseconds(
    30_000,
    'Time in which it is started again while processes of the previous one are ending',
    'The start is refused',
  ),
  lockTime: milliseconds(
    660_000,
    'Time to wait for another program that starts or stops it',
    'The start is refused',
  ),
  makingTime: milliseconds(300_000, 'Time for making its cluster', 'The start is refused'),
  userTime: milliseconds(30_000, 'Time for making its system user', 'The start is refused'),
  versionTime: milliseconds(
    10_000,
    'Time for it to print its version',
    'Another installation is tried',
  ),
  restartWait: milliseconds(
    10_000,
    'Wait between two tries to restart it, at most',
    'Further waits are as long',
  ),
  abandonedTime: seconds(
    10,
    'Time for which the bundled PostgreSQL runs after the last program that used it was killed',
    'It is stopped',
  ),
  fastStopTime: milliseconds(10_000, 'Time for it to stop', 'It is stopped at once'),
  hardStopTime: milliseconds(5_000, 'Time for it to stop at once', 'An error in the log'),
  restoreWait: milliseconds(
    60_000,
    'Time that a restore waits for servers to stop working',
    'The restore is cancelled; nothing is changed',
  ),
  backupHeadBytes: bytes(MIB, 'Header of a backup', 'It is refused as unreadable'),
  logBytes: bytes(
    MIB,
    'Its log, checked when it starts',
    'A new log is begun; the previous one is kept beside it',
  ),
} as const satisfies Limits;

export const databaseLimits = valuesOf(database);
