import type { Problem } from '../resources/declaration/resource.ts';

/** Every refusal the API knows: its code, its status, its sentence. */
export const failures = {
  unreadable: [400, 'The body is not readable JSON.'],
  invalid_query: [400, 'The query has parameters that cannot be read.'],
  team_required: [400, 'Set the team: team_id in the body, or the x-team-id header.'],
  unauthorized: [401, 'Send a valid API key as x-api-key, or sign in.'],
  code_required: [401, 'This person has a second factor: send its code, too, as code.'],
  forbidden: [403, 'Your role does not allow this.'],
  restore_is_dashboard_only: [403, 'Restoring is for a signed-in person, not for an API key.'],
  session_only: [403, 'This is for a signed-in person, not for an API key.'],
  csrf: [403, 'The request did not come from the dashboard.'],
  not_found: [404, 'There is no such record.'],
  unknown_route: [404, 'Unknown route.'],
  method_not_allowed: [
    405,
    'This path does not take this method; Allow lists those that it takes.',
  ],
  archived: [409, 'The record is archived.'],
  team_archived: [409, 'Its team is archived; restore that first.'],
  stale_version: [409, 'The record was changed meanwhile; read it again.'],
  replacement_not_active: [409, 'The replacement policy is not an active policy of this team.'],
  idempotency_mismatch: [409, 'This Idempotency-Key was used with another body.'],
  idempotency_running: [409, 'A request with this Idempotency-Key is still running.'],
  answer_lost: [409, 'The request was done, but its answer was lost.'],
  invalid_state: [409, 'The incident does not allow this now.'],
  conflict: [409, 'This clashes with another record.'],
  gone: [410, 'The integration is archived.'],
  too_large: [413, 'The body is larger than what this route takes.'],
  unsupported_type: [415, 'Send JSON.'],
  immutable: [422, 'This field never changes; make a new record instead.'],
  validation_failed: [422, 'The request has mistakes.'],
  too_much_work: [422, 'This takes too much to compute; request less.'],
  rate_limited: [429, 'Too many requests; try again later.'],
  internal: [500, 'Something failed on our side; the request id names it in the log.'],
  query_timeout: [503, 'The database took too long and was stopped; try again, or request less.'],
  restoring: [503, 'A backup is being restored; try again in some seconds.'],
  unavailable: [503, 'The database cannot be reached right now; try again.'],
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
