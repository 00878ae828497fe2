import type { Problem } from '../resources/declaration/resource.ts';

/** Every refusal the API knows: its code, its status, its sentence. */
export const failures = {
  unreadable: [400, 'The body is not valid JSON.'],
  invalid_query: [400, 'The query contains invalid parameters.'],
  team_required: [400, 'The team is missing. Set team_id in the body or the x-team-id header.'],
  unauthorized: [
    401,
    'Authentication is missing or invalid. Send a valid API key in the x-api-key header, or sign in.',
  ],
  code_required: [401, 'This person has a second factor. Send its code in the field code.'],
  forbidden: [403, 'Your role does not allow this.'],
  restore_is_dashboard_only: [
    403,
    'API keys cannot restore records. Sign in to restore this record.',
  ],
  session_only: [403, 'API keys cannot do this. Sign in to do it.'],
  csrf: [403, 'The request did not come from the dashboard.'],
  not_found: [404, 'The record was not found.'],
  unknown_route: [404, 'Unknown route.'],
  method_not_allowed: [
    405,
    'This path does not support this method. The Allow header lists the supported methods.',
  ],
  archived: [409, 'The record is archived.'],
  team_archived: [409, 'The team of this record is archived. Restore the team first.'],
  stale_version: [409, 'The record has changed since you read it. Read it again, then retry.'],
  replacement_not_active: [409, 'The replacement policy is not an active policy of this team.'],
  idempotency_mismatch: [
    409,
    'This Idempotency-Key was already used with a different request. Use a new key.',
  ],
  idempotency_running: [
    409,
    'A request with this Idempotency-Key is still running. Try again in a few seconds.',
  ],
  answer_lost: [409, 'The request was completed, but its response was lost.'],
  invalid_state: [409, 'The current state of the incident does not allow this.'],
  conflict: [409, 'This conflicts with another record.'],
  gone: [410, 'The integration is archived.'],
  too_large: [413, 'The body is too large for this route.'],
  unsupported_type: [415, 'Send JSON.'],
  immutable: [422, 'This field cannot be changed. Create a new record instead.'],
  validation_failed: [422, 'The request is invalid. See issues for each error.'],
  too_much_work: [422, 'The request needs too much computation. Request less data.'],
  rate_limited: [429, 'Too many requests. Try again later.'],
  internal: [500, 'An internal error occurred. The server log has details under the request id.'],
  query_timeout: [503, 'The database query took too long. Try again, or request less data.'],
  restoring: [503, 'A backup is being restored. Try again in a few seconds.'],
  unavailable: [503, 'The database is not available. Try again.'],
} as const satisfies Record<string, readonly [number, string]>;

export type FailureCode = keyof typeof failures;

type RefusalDetails = {
  readonly message?: string;
  readonly issues?: readonly Problem[];
  readonly retryAfterSeconds?: number;
  /** The methods that the path takes. */
  readonly allow?: readonly string[];
  readonly status?: number | undefined;
};

/** An expected refusal on its way to the one place that answers it. */
export class Refusal extends Error {
  readonly code: FailureCode;
  readonly issues: readonly Problem[];
  readonly retryAfterSeconds: number | undefined;
  readonly allow: readonly string[] | undefined;
  /** Instead of its code's, for callers that understand no other. */
  readonly status: number | undefined;

  constructor(code: FailureCode, details: RefusalDetails = {}) {
    super(details.message ?? failures[code][1]);
    this.code = code;
    this.issues = details.issues ?? [];
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.allow = details.allow;
    this.status = details.status;
  }
}

export const notFound = () => new Refusal('not_found');
export const invalid = (issues: readonly Problem[]) => new Refusal('validation_failed', { issues });
