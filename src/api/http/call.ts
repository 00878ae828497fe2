import type { FastifyRequest } from 'fastify';
import { readManagedBy } from '../../resources/declaration/managed-by.ts';
import { MANAGED_BY_HEADER } from '../../resources/declaration/managed-by-header.ts';
import { Refusal } from '../failures.ts';
import { readQuery } from '../records/list-query.ts';
import type { Call, Caller, Route } from '../route.ts';
import type { Body } from './large-body.ts';
import { readHeaders } from './parameters.ts';

type About = {
  readonly caller: Caller;
  readonly route: Route;
  readonly body: Body;
  readonly now: Temporal.Instant;
  readonly signal: AbortSignal;
};

/** What a handler sees of a request. */
export function readCall(request: FastifyRequest, about: About): Call {
  const { caller, route, body, now, signal } = about;
  const headers = readHeaders(request.headers, route);
  const managedBy = headers[MANAGED_BY_HEADER];
  const lastEventId = headers['last-event-id'];
  const idempotencyKey = headers['idempotency-key'];
  return {
    caller,
    params: request.params as Record<string, string>,
    query: readParameters(request.query as Record<string, unknown>, route),
    body: body.value === undefined && route.bodyMayBeAbsent ? {} : body.value,
    asRead: body.asRead,
    ...(body.sha256 !== undefined && { sha256: body.sha256 }),
    version: versionIn(headers['if-match']),
    teamId: headers['x-team-id'] ?? null,
    managedBy: managedBy === undefined ? null : readManagedBy(managedBy),
    requestId: request.id,
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    ...(lastEventId !== undefined && { lastEventId }),
    now,
    signal,
  };
}

/** Each is known, set once, and as its schema has it. */
function readParameters(sent: Record<string, unknown>, route: Route): Record<string, string> {
  const known = route.query ?? {};
  const issues = Object.entries(sent).flatMap(([path, value]) => {
    if (!Object.hasOwn(known, path)) return [{ path, message: 'is not a parameter of this route' }];
    if (typeof value !== 'string') return [{ path, message: 'must be set once' }];
    if (value.includes('\0')) return [{ path, message: 'must not contain NUL characters' }];
    return [];
  });
  if (issues.length > 0) throw new Refusal('invalid_query', { issues });
  // Each of them is text.
  const query = sent as Record<string, string>;
  readQuery(known, { query });
  return query;
}

/** As a header has it: in quotes, weak, or `*` for any. */
const versionIn = (sent: string | undefined): number | null =>
  sent === undefined || sent === '*' ? null : Number(sent.replaceAll(/[^0-9]/g, ''));
