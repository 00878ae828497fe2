// What a route is: data that the server mounts and that OpenAPI is written from.

import type { TSchema } from 'typebox';
import type { Repeatable } from '../engine/ports/actions.ts';
import type { ManagedBy } from '../resources/declaration/managed-by.ts';
import type { Resource } from '../resources/declaration/resource.ts';
import type { Role } from '../resources/roles.ts';
import type { ComputationName } from './computing/computations.ts';
import type { FailureCode } from './failures.ts';

/** Where every route of the API stands. */
export const API_PREFIX = '/api/v1';

/** Who calls: an API key, or a person with a session. */
export type Caller = {
  readonly kind: 'key' | 'session';
  readonly organizationId: string;
  /** Of the key or of the user. */
  readonly id: string;
  /** For timelines and the audit log. */
  readonly name: string;
  readonly role: Role;
  /** The teams it may touch; null: every team of the organization. */
  readonly teamIds: readonly string[] | null;
  readonly defaultTeamId: string | null;
  /** Of a person, the session they act in. */
  readonly sessionId?: string;
};

/** What belongs to no team is everybody's. */
export const maySee = ({ teamIds }: Pick<Caller, 'teamIds'>, teamId: string | null): boolean =>
  teamIds === null || teamId === null || teamIds.includes(teamId);

export type Call = {
  readonly caller: Caller;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** The body, or lists in it, that were read before it came here. */
  readonly asRead?: ReadonlySet<unknown>;
  /** Of a large body. */
  readonly sha256?: string;
  /** Of `If-Match`. */
  readonly version: number | null;
  /** Of `x-team-id`. */
  readonly teamId: string | null;
  /** Of `x-managed-by`. */
  readonly managedBy: ManagedBy | null;
  readonly requestId: string;
  readonly idempotencyKey?: string;
  /** With an `Idempotency-Key`. */
  readonly repeatable?: Repeatable;
  /** Of `Last-Event-ID`. */
  readonly lastEventId?: string;
  readonly now: Temporal.Instant;
  /** Comes when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
};

export type Answer = {
  readonly status: number;
  readonly body: unknown;
};

export type Route = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `/api/v1`, with `:id` parts. */
  readonly path: string;
  readonly tag: string;
  readonly doc: string;
  readonly role: Role;
  /** For signed-in people only: the refusal that an API key gets. */
  readonly keysRefused?: FailureCode;
  /** What the handler reads the body by. */
  readonly body?: TSchema;
  /** The record that the body is, all or some of its fields. */
  readonly record?: { readonly resource: Resource; readonly isPatch: boolean };
  /** Whether it is about a record that is not its body: `x-managed-by` says which tool sends it. */
  readonly takesManagedBy?: true;
  /** Whether the record that it writes has a version, which `If-Match` may name. */
  readonly takesVersion?: true;
  /** Whether it is for one team, which `x-team-id` may name. */
  readonly takesTeam?: true;
  /** Of a PATCH that is no patch of what is stored: what its body requires is required. */
  readonly namesAll?: true;
  /** Whether it may be sent without its body, which is empty then. */
  readonly bodyMayBeAbsent?: true;
  /** The parts of its path that are not ids as most are. */
  readonly params?: Readonly<Record<string, TSchema>>;
  /** The parameters of its query; others are refused. */
  readonly query?: Readonly<Record<string, TSchema>>;
  /** Further headers that it reads. */
  readonly headers?: Readonly<Record<string, TSchema>>;
  /** What a client may send back of what it read, by where it is; it is ignored. */
  readonly ignored?: readonly string[];
  /** `mediaType`: of something else than JSON; the schema is that of its parts. */
  readonly answers: {
    readonly status: number;
    readonly schema: TSchema;
    readonly mediaType?: string;
    /** Whether it can be asked for as a CSV file: the handler then answers a `Csv`. */
    readonly isAlsoCsv?: true;
  };
  readonly handle: (call: Call) => Promise<Answer>;
  /**
   * What every request of it computes: while the caller has its share of such computations, the
   * request is refused before its body is read.
   */
  readonly computes?: ComputationName;
  /** For a POST that writes nothing, where an `Idempotency-Key` has no effect. */
  readonly writesNothing?: true;
  /**
   * Answers for what the same request made, or for what it changed, which the path names: a record
   * is not kept as an answer, but read anew.
   */
  readonly again?: (call: Call, id: string) => Promise<Answer>;
};

export const ok = (body: unknown, status = 200): Answer => ({ status, body });

/** Whether an `Idempotency-Key` makes two requests one. */
export const mayRepeat = ({ method, writesNothing }: Route): boolean =>
  method !== 'GET' && writesNothing !== true;

/** What a PUT or PATCH has changed is told again as it is read. */
export function withAgain(route: Route, routes: readonly Route[]): Route {
  if (route.again !== undefined || !['PUT', 'PATCH'].includes(route.method)) return route;
  const read = routes.find(({ method, path }) => method === 'GET' && path === route.path);
  return read === undefined ? route : { ...route, again: (call) => read.handle(call) };
}
