import { bytes, count, type Limits, MIB, milliseconds, seconds, valuesOf } from './limit.ts';

/** The database: how it is asked, and the bundled one. */
export const database = {
  // PostgreSQL takes 100 in all unless told otherwise: enough for four servers.
  engineConnections: count(10, 'Connections for accepting, deciding and sending', 'They wait'),
  apiConnections: count(8, 'Connections for the API and the pages', 'They wait'),
  choreConnections: count(2, 'Connections for chores', 'They wait'),
  statementTime: milliseconds(
    5_000,
    'Time for one statement of an API request, waits for locks included',
    '503 `query_timeout`',
  ),
  connectTime: seconds(5, 'Time to connect', '503, and connected again'),
  reconnectWait: seconds(1, 'Wait between two tries to connect', 'It grows no longer'),
  idleTime: seconds(300, 'Time for which a connection is kept without use', 'It is closed'),
  endTime: seconds(5, 'Time for statements under way when the server stops', 'They are given up'),
  conflicts: count(
    5,
    'Tries of a transaction that others get in the way of',
    '503, or whatever failed is tried again',
  ),
  removedAtOnce: count(
    500,
    'Rows that are removed at once because of their age, ten times a second',
    'The rest right after',
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
    'Time in which it is started again while processes of the one before are ending',
    'The start is refused',
  ),
  lockTime: milliseconds(
    660_000,
    'Time to wait for another program that starts or stops it',
    'The start is refused',
  ),
  makingTime: milliseconds(300_000, 'Time for making its cluster', 'The start is refused'),
  userTime: milliseconds(30_000, 'Time for making its system user', 'The start is refused'),
  versionTime: milliseconds(10_000, 'Time for it to tell its version', 'Another one is looked for'),
  restartWait: milliseconds(10_000, 'Wait between two tries to restart it', 'It grows no longer'),
  fastStopTime: milliseconds(10_000, 'Time for it to stop', 'It is stopped at once'),
  hardStopTime: milliseconds(5_000, 'Time for it to stop at once', 'An error in the log'),
  restoreWait: milliseconds(
    60_000,
    'Time that a restore waits for servers to put down their work',
    'It is given up, and nothing is changed',
  ),
  backupHeadBytes: bytes(MIB, 'What a backup says of itself', 'It is refused as unreadable'),
  logBytes: bytes(
    MIB,
    'Its log, looked at when it starts',
    'A new one; the last is kept beside it',
  ),
} as const satisfies Limits;

export const databaseLimits = valuesOf(database);
