import type { FastifyRequest } from 'fastify';
import {
  type ManagedBy,
  readManagedBy,
  workspaceForm,
} from '../../resources/declaration/managed-by.ts';
import { MANAGED_BY_HEADER } from '../../resources/declaration/managed-by-header.ts';
import { Refusal } from '../failures.ts';
import type { Call, Caller, Route } from '../route.ts';
import type { Body } from './large-body.ts';

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
  const lastEventId = request.headers['last-event-id'];
  return {
    caller,
    params: request.params as Record<string, string>,
    query: readQuery(request.query as Record<string, unknown>, route),
    body: body.value,
    asRead: body.asRead,
    ...(body.sha256 !== undefined && { sha256: body.sha256 }),
    version: readVersion(request.headers['if-match']),
    teamId: teamIdOf(request.headers['x-team-id']),
    managedBy: managedByOf(request.headers[MANAGED_BY_HEADER]),
    requestId: request.id,
    ...(typeof lastEventId === 'string' && { lastEventId }),
    now,
    signal,
  };
}

function readQuery(sent: Record<string, unknown>, route: Route): Record<string, string> {
  const known = route.query ?? {};
  const issues = Object.entries(sent).flatMap(([path, value]) => {
    if (!Object.hasOwn(known, path)) return [{ path, message: 'is not a parameter here' }];
    if (typeof value !== 'string') return [{ path, message: 'must be set once' }];
    if (value.includes('\0')) return [{ path, message: 'must not have NUL characters' }];
    return [];
  });
  if (issues.length > 0) throw new Refusal('invalid_query', { issues });
  return sent as Record<string, string>;
}

function readVersion(sent: string | undefined): number | null {
  if (sent === undefined || sent.trim() === '*') return null;
  const match = /^\s*(?:W\/)?"?([0-9]{1,9})"?\s*$/.exec(sent);
  if (match === null)
    throw new Refusal('unreadable', { message: 'If-Match must be a version, a whole number.' });
  return Number(match[1]);
}

const teamIdOf = (sent: string | string[] | undefined): string | null =>
  typeof sent === 'string' && sent !== '' ? sent : null;

function managedByOf(sent: string | string[] | undefined): ManagedBy | null {
  if (sent === undefined) return null;
  const read = readManagedBy(String(sent));
  if (read !== undefined) return read;
  const message = `${MANAGED_BY_HEADER} must be terraform, or terraform/ and the name of a workspace: ${workspaceForm}.`;
  throw new Refusal('unreadable', { message });
}
