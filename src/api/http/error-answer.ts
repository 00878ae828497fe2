import { isTimeout } from '../../engine/faults.ts';
import { Unreadable } from '../../engine/unreadable.ts';
import { firstProblems } from '../../resources/declaration/resource.ts';
import { asUnavailable, DatabaseUnavailable } from '../../storage/database/database.ts';
import { type FailureCode, failures, Refusal } from '../failures.ts';

export type ErrorAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: {
    readonly error: FailureCode;
    readonly message: string;
    readonly issues: readonly { readonly path: string; readonly message: string }[];
    readonly request_id: string;
  };
  /** Not the caller's fault: to be logged. */
  readonly isOurs: boolean;
};

/** The answer to an error; of an unexpected one it shows only the id of the request. */
export function errorAnswer(error: unknown, requestId: string): ErrorAnswer {
  const refusal = asRefusal(error);
  const [status] = failures[refusal.code];
  const { retryAfterSeconds: wait, allow } = refusal;
  return {
    status: refusal.status ?? status,
    headers: {
      ...(wait !== undefined && { 'retry-after': String(wait) }),
      ...(allow !== undefined && { allow: allow.join(', ') }),
      ...(status === 401 && { 'www-authenticate': 'Bearer' }),
    },
    body: {
      error: refusal.code,
      message: refusal.message,
      issues: firstProblems(refusal.issues),
      request_id: requestId,
    },
    isOurs: status >= 500,
  };
}

function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (isBrokenOff(error))
    return new Refusal('unreadable', { message: 'The request ended before it was complete.' });
  if (asUnavailable(error) instanceof DatabaseUnavailable)
    return new Refusal('unavailable', { retryAfterSeconds: 1 });
  if (isTimeout(error)) return new Refusal('query_timeout', { retryAfterSeconds: 1 });
  if (error instanceof Unreadable) return new Refusal('internal', { message: error.message });
  return fromFastify(error) ?? new Refusal('internal');
}

/** The caller hung up in the middle of the body: a matter of neither the database nor ours. */
function isBrokenOff(error: unknown): boolean {
  if (!(error instanceof Error && 'code' in error && 'statusCode' in error)) return false;
  return error.code === 'ECONNRESET' && error.statusCode === 400;
}

/** Fastify's own refusals: too large, not JSON, not readable as HTTP. */
function fromFastify(error: unknown): Refusal | undefined {
  if (!(error instanceof Error && 'statusCode' in error && 'code' in error)) return undefined;
  if (!String(error.code).startsWith('FST_')) return undefined;
  switch (error.statusCode) {
    case 413:
      return new Refusal('too_large');
    case 415:
      return new Refusal('unsupported_type');
    default:
      return Number(error.statusCode) < 500
        ? new Refusal('unreadable', { message: 'The request could not be read.' })
        : undefined;
  }
}
