import type { IncomingHttpHeaders } from 'node:http';
import type { Clock } from '../../../engine/clock.ts';
import type { Log } from '../../../engine/log.ts';
import { accessLimits } from '../../../limits/access.ts';
import { personName } from '../../../resources/person-name.ts';
import { mayAct, type Role } from '../../../resources/roles.ts';
import type { Queries, Sql } from '../../../storage/database/database.ts';
import {
  type KeyCaller,
  type KeyEnd,
  keyByDigest,
  keysByIds,
  recordKeyUse,
} from '../../../storage/people/key-callers.ts';
import { recordSessionUse } from '../../../storage/people/sessions.ts';
import { type Person, personsBySessions } from '../../../storage/people/sign-ins.ts';
import { timeText } from '../../../storage/records/rows.ts';
import { Refusal } from '../../failures.ts';
import { limitGuesses } from '../../http/guesses.ts';
import type { Caller } from '../../route.ts';
import type { Accounts } from './accounts.ts';
import { CSRF_HEADER, changes, type SameOrigin } from './same-origin.ts';

export type Identify = (
  headers: IncomingHttpHeaders,
  method: string,
  address: string,
) => Promise<Caller | null>;

export type IdentityOptions = {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly log: Log;
  readonly digest: (text: string) => Uint8Array;
  readonly accounts: Accounts;
  readonly sameOrigin: SameOrigin;
};

export type Identity = {
  readonly identify: Identify;
  /** When every last use is written down; for a server that stops. */
  idle(): Promise<void>;
};

export const USE_NOTED_EVERY = Temporal.Duration.from({ minutes: 1 });

export function createIdentity(options: IdentityOptions): Identity {
  const { sql, clock, log, digest, accounts, sameOrigin } = options;
  const notes = new Set<Promise<void>>();

  const keyOf = limitGuesses((text) => keyByDigest(sql, digest(text), clock.now()), {
    clock,
    isRight: (key) => !('why' in key),
  });

  async function callerOfKey(text: string, address: string): Promise<Caller | null> {
    const now = clock.now();
    const key = await keyOf(text.slice(0, accessLimits.keyMax), address);
    if (key === 'too_many') throw new Refusal('rate_limited', { retryAfterSeconds: 1 });
    if (key === null) return null;
    if ('why' in key) throw new Refusal('unauthorized', { message: endText(key) });
    if (isUseStale(key.last_used_at, now))
      note({ key: key.id }, recordKeyUse(sql, key, { now, every: USE_NOTED_EVERY }));
    return keyCaller(key);
  }

  // Beside the request, which does not wait for it and does not fail with it.
  function note(of: object, noting: Promise<void>): void {
    const written = noting
      .catch((error) =>
        log.warn({ err: error, ...of }, 'the last use of a key or session could not be stored'),
      )
      .finally(() => notes.delete(written));
    notes.add(written);
  }

  async function callerOfSession(headers: IncomingHttpHeaders, method: string, address: string) {
    const session = await accounts.session(headers.cookie, { refresh: false });
    if (session === null) return null;
    if (changes(method)) {
      sameOrigin.checkOrigin(headers);
      sameOrigin.checkToken(session.token, headers[CSRF_HEADER]);
    }
    const { id, person, usedAt } = session;
    const now = clock.now();
    if (isUseStale(usedAt, now))
      note({ session: id }, recordSessionUse(sql, { id, address, now, every: USE_NOTED_EVERY }));
    return personCaller(person, id);
  }

  return {
    async identify(headers, method, address) {
      const key = keyIn(headers);
      return key === null ? callerOfSession(headers, method, address) : callerOfKey(key, address);
    },
    async idle() {
      await Promise.all(notes);
    },
  };
}

function endText(end: KeyEnd): string {
  if (end.why === 'deactivated') return 'The person to whom this API key belongs is deactivated.';
  const ended = end.why === 'expired' ? 'expired' : 'was revoked';
  return `This API key ${ended} at ${timeText(end.at)}.`;
}

/** Those of these callers whom the next request would still find, as it would find them. */
export const stillCallers =
  ({ sql, clock }: Pick<IdentityOptions, 'clock'> & { readonly sql: Queries }) =>
  async (callers: readonly Caller[]): Promise<readonly Caller[]> => {
    const now = clock.now();
    const keys = callers.filter(({ kind }) => kind === 'key').map(({ id }) => id);
    const sessions = callers.flatMap(({ sessionId }) => sessionId ?? []);
    const [ofKeys, ofSessions] = await Promise.all([
      keys.length === 0 ? [] : keysByIds(sql, keys, now),
      sessions.length === 0 ? [] : personsBySessions(sql, sessions, now),
    ]);
    return [
      ...ofKeys.map(keyCaller),
      ...ofSessions.map(({ session_id, ...person }) => personCaller(person, session_id)),
    ];
  };

/** A key that was sent decides alone: a wrong one is not made good by a cookie. */
function keyIn(headers: IncomingHttpHeaders): string | null {
  const own = headers['x-api-key'];
  if (typeof own === 'string') return own;
  const bearer = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '');
  return bearer?.[1] ?? null;
}

const isUseStale = (usedAt: Temporal.Instant | null, now: Temporal.Instant): boolean =>
  usedAt === null || Temporal.Instant.compare(usedAt.add(USE_NOTED_EVERY), now) <= 0;

const keyCaller = (key: KeyCaller): Caller => ({
  kind: 'key',
  organizationId: key.organization_id,
  id: key.id,
  name: key.name,
  role: roleOf(key),
  teamIds: key.team_ids,
  defaultTeamId: key.default_team_id,
});

/** Never more than its person may do by now. */
function roleOf(key: KeyCaller): Role {
  // Both are written by the API alone, which knows the roles.
  const role = key.role as Role;
  const person = key.person_role as Role | null;
  return person === null || mayAct({ role: person }, role) ? role : person;
}

const personCaller = (person: Person, sessionId: string): Caller => ({
  kind: 'session',
  organizationId: person.organization_id,
  id: person.id,
  name: personName(person),
  // The table holds it to the known roles.
  role: person.role as Role,
  teamIds: null,
  defaultTeamId: null,
  sessionId,
});
