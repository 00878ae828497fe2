// Which errors mean that the database cannot be used now, whatever is requested of it.
import { messageOf } from '../../engine/log.ts';

/** The database is unreachable, lost, full, or refuses this server; nobody's request is to blame. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
  readonly code: string;

  constructor(cause: unknown) {
    super(`the database is unavailable: ${reasonOf(cause)}`, { cause });
    this.code = errorCode(cause);
  }

  /** It answers, and will refuse until its operator changes something. */
  get isRefusal(): boolean {
    return isRefusal(this.code);
  }

  /** No answer came: what was requested last, such as a commit, may have happened. */
  get isOutcomeUnknown(): boolean {
    return !SQLSTATE.test(this.code) || this.code.startsWith('57P') || this.code.startsWith('08');
  }
}

/** Unlike EPIPE, each has a digit. */
const SQLSTATE = /^(?=.*\d)[0-9A-Z]{5}$/;

const OF_DRIVER = /^CONNECT(ION)?_/;

/** An open connection is gone: codes of the system and of the driver. */
const CONNECTION_LOST = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECTION_SILENT',
  'ECONNABORTED',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'EPIPE',
  'ETIMEDOUT',
]);

/** None could be opened. */
const NOT_CONNECTED = new Set([
  'CONNECTION_ENDED',
  'CONNECT_TIMEOUT',
  'EAI_AGAIN',
  // Too many wait for the socket of a busy server.
  'EAGAIN',
  'ECONNREFUSED',
  'ENOTFOUND',
]);

/** What PostgreSQL says when it ends, is full, or fails; two characters are a class of codes. */
const SERVER_LOST = [
  '08',
  // A hot standby after failover refuses to write.
  '25006',
  '25P03',
  '25P04',
  // The disk or the memory is full, or the disk fails: it is there, but can take nothing.
  '53',
  '58',
  'XX001',
  'XX002',
  '57P01',
  '57P02',
  '57P03',
  '57P04',
  '57P05',
];

/** What it says when it lets this server in no more, or not to what is needed. */
const REFUSALS = [
  // A password that was changed, a role that may not sign in, a line of pg_hba.conf.
  '28',
  'SASL_SIGNATURE_MISMATCH',
  'CONNECT_TLS',
  // No such database, schema or table; privileges that were revoked.
  '3D000',
  '3F000',
  '42P01',
  '42501',
  // It takes no connections, as while it is copied.
  '55000',
  'F0',
];

const isIn = (codes: readonly string[], code: string): boolean =>
  codes.some(
    (one) => code === one || (one.length === 2 && code.length === 5 && code.startsWith(one)),
  );

const isRefusal = (code: string): boolean => isIn(REFUSALS, code);

/** Errors of sockets to the database: other sockets fail with the same codes. */
const ofSockets = new WeakSet<Error>();

/** Of a socket to the database. */
export function ofDatabase(error: unknown): Error {
  const known = error instanceof Error ? error : new Error(String(error));
  ofSockets.add(known);
  return known;
}

/** As `asUnavailable`, of an error that may be of anything; null: it is of something else. */
export function unavailableOf(error: unknown): DatabaseUnavailable | null {
  const code = errorCode(error);
  const isOfDatabase =
    error instanceof DatabaseUnavailable ||
    (error instanceof Error && (ofSockets.has(error) || error.name === 'PostgresError')) ||
    OF_DRIVER.test(code);
  const unavailable = isOfDatabase ? asUnavailable(error) : null;
  return unavailable instanceof DatabaseUnavailable ? unavailable : null;
}

/** The same error, unless it says that the database cannot be used. */
export function asUnavailable(error: unknown): unknown {
  if (error instanceof DatabaseUnavailable || !isUnavailable(error)) return error;
  return new DatabaseUnavailable(error);
}

/** Nothing more can be written to the connection that failed with it. */
export const isConnectionLost = (error: unknown): boolean => CONNECTION_LOST.has(errorCode(error));

function isUnavailable(error: unknown): boolean {
  const code = errorCode(error);
  // The socket of a server that is down; any other missing file is not our matter.
  if (code === 'ENOENT')
    return error instanceof Error && 'syscall' in error && error.syscall === 'connect';
  if (CONNECTION_LOST.has(code) || NOT_CONNECTED.has(code)) return true;
  return isIn(SERVER_LOST, code) || isRefusal(code);
}

/** In words, where the driver has only a code. */
function reasonOf(cause: unknown): string {
  switch (errorCode(cause)) {
    case 'CONNECT_TIMEOUT':
    case 'ETIMEDOUT':
      return 'it did not answer in time';
    case 'CONNECTION_CLOSED':
    case 'CONNECTION_DESTROYED':
    case 'CONNECTION_ENDED':
    case 'ECONNRESET':
    case 'EPIPE':
      return 'the connection was lost';
    default:
      return messageOf(cause);
  }
}

/** PostgreSQL's or the system's code of an error, else ''. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
