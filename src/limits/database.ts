import { bytes, count, type Limits, MIB, milliseconds, seconds, valuesOf } from './limit.ts';

/** Connections, statements, backups, and the bundled PostgreSQL. */
export const database = {
  // With the others in src/storage/database/pools.ts a quarter of what PostgreSQL allows by default.
  engineConnections: count(
    10,
    'Connections for accepting events, deciding and sending',
    'They wait',
  ),
  apiConnections: count(8, 'Connections for the API and the pages', 'They wait'),
  choreConnections: count(2, 'Connections for housekeeping', 'They wait'),
  statementTime: milliseconds(
    5_000,
    'Time for one SQL statement of an API request, including waits for locks',
    '503 `query_timeout`',
  ),
  connectTime: seconds(5, 'Time to connect', '503, then another attempt'),
  silenceTime: seconds(
    10,
    'Time without any data from the database, including no response to `select 1` on a new connection',
    'Its connections are closed and opened again',
  ),
  longStatementTime: seconds(
    21_600,
    'Time for one SQL statement of a migration, a backup, a restore or a change of the secret key',
    'The statement is cancelled',
  ),
  readyTime: seconds(
    3,
    'Time for the database to answer the checks for `/readyz` and `pager_database_up`',
    'The database counts as unreachable',
  ),
  commandConnectTime: seconds(
    30,
    'Time for an operator’s command to connect',
    'The command ends with the reason',
  ),
  readTries: count(
    5,
    'Times that `pagerctl audit` and `pagerctl backup` start over after the database connection is lost',
    'They end with the reason',
  ),
  returnTime: milliseconds(
    60_000,
    'How long they wait for the database to return',
    'They end with the reason',
  ),
  reconnectWait: seconds(
    1,
    'Maximum wait between two connection attempts',
    'Further waits stay at this length',
  ),
  idleTime: seconds(300, 'How long an idle connection is kept', 'The connection is closed'),
  clockOff: milliseconds(
    5_000,
    'Difference between the clocks of a server and of the database',
    'The log, a metric and the attention strip show it',
  ),
  endTime: seconds(
    5,
    'Time for SQL statements in progress when the server stops',
    'They are cancelled',
  ),
  conflicts: count(
    5,
    'Attempts of a transaction that conflicts with others',
    '503. Background work is retried later',
  ),
  removedAtOnce: count(
    500,
    'Rows that retention removes at once, ten times per second',
    'The rest follow',
  ),
  auditedAtOnce: count(
    2_000,
    'Rows of each table that a server audits at once, every five minutes',
    'The rest follow in the next rounds',
  ),
  // Recovery reads all of the log since the last checkpoint, on a slow disk too.
  startTime: milliseconds(
    600_000,
    'Time for the bundled PostgreSQL to start, including recovery',
    'The server does not start',
  ),
  refusedTime: milliseconds(
    30_000,
    'How long its start is retried while processes of the previous one are ending',
    'The server does not start',
  ),
  lockTime: milliseconds(
    660_000,
    'How long Pager waits for another program that starts or stops it',
    'The server does not start',
  ),
  makingTime: milliseconds(
    300_000,
    'Time to create its database cluster',
    'The server does not start',
  ),
  userTime: milliseconds(30_000, 'Time to create its system user', 'The server does not start'),
  versionTime: milliseconds(
    10_000,
    'Time for it to print its version',
    'Another installation is tried',
  ),
  restartWait: milliseconds(
    10_000,
    'Maximum wait between two attempts to restart it',
    'Further waits stay at this length',
  ),
  abandonedTime: seconds(
    10,
    'How long the bundled PostgreSQL runs after the last program that used it was killed',
    'PostgreSQL is stopped',
  ),
  fastStopTime: milliseconds(10_000, 'Time for it to stop', 'PostgreSQL is stopped at once'),
  hardStopTime: milliseconds(5_000, 'Time for it to stop at once', 'An error in the log'),
  restoreWait: milliseconds(
    60_000,
    'How long a restore waits for servers to pause',
    'The restore is cancelled. Nothing is changed',
  ),
  backupHeadBytes: bytes(MIB, 'Header of a backup', 'The backup is rejected as unreadable'),
  logBytes: bytes(
    MIB,
    'Size of its log, checked when it starts',
    'A new log is started. The previous one is kept',
  ),
} as const satisfies Limits;

export const databaseLimits = valuesOf(database);
