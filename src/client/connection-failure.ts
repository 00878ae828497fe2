// What the errors of a connection mean, and whether they may pass.
import type { Failure } from './answer.ts';
import { TimeoutError, TooLargeError } from './exchange.ts';

const passing: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection broke off',
  EPIPE: 'the connection broke off',
  ETIMEDOUT: 'no connection in time',
  EHOSTUNREACH: 'there is no way to that host',
  ENETUNREACH: 'there is no way to that network',
  EAI_AGAIN: 'the name could not be looked up',
};
const lasting: Readonly<Record<string, string>> = {
  ENOTFOUND: 'there is no such host',
  EPROTO: 'it does not speak TLS; is it http instead of https',
  ERR_INVALID_CHAR: 'the API key has characters that cannot be sent, such as a line break',
};

/** After the request was sent, or may have been. */
const midway = new Set(['ECONNRESET', 'EPIPE', 'ABORT_ERR']);

export type ConnectionFailure = {
  readonly failure: Failure;
  readonly mayPass: boolean;
  readonly mayBeDone: boolean;
};

export function connectionFailureOf(error: unknown, address: string): ConnectionFailure {
  const code = codeOf(error);
  const mayBeDone = midway.has(code) || (error instanceof TimeoutError && error.isSent);
  const unreachable = (why: string, mayPass: boolean): ConnectionFailure => ({
    failure: { type: 'unreachable', address, why },
    mayPass,
    mayBeDone,
  });
  const notPager = (why: string): ConnectionFailure => ({
    failure: { type: 'not_pager', address, why },
    mayPass: false,
    mayBeDone: true,
  });
  if (error instanceof TimeoutError) return unreachable(error.message, true);
  if (error instanceof TooLargeError) return notPager('its answer has no end');
  if (code.startsWith('HPE_')) return notPager('it does not speak HTTP');
  if (code in passing) return unreachable(passing[code] ?? code, true);
  return unreachable(lasting[code] ?? `the connection failed (${code})`, false);
}

/** Only the code: messages of errors may quote what was sent. */
function codeOf(error: unknown): string {
  if (error instanceof Error && 'code' in error) return String(error.code);
  return error instanceof Error ? error.name : 'unknown';
}
