// A session for somebody who has given all that they need.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { personName } from '../../../resources/person-name.ts';
import { recordSessionUse } from '../../../storage/people/sessions.ts';
import { membershipOf, type Person } from '../../../storage/people/sign-ins.ts';
import { Refusal } from '../../failures.ts';
import { bake, type SignInParts } from '../forms.ts';
import type { Session } from './accounts.ts';
import { USE_NOTED_EVERY } from './identify.ts';

export type Exchange = { readonly request: FastifyRequest; readonly reply: FastifyReply };

type Opening = Exchange & {
  /** Once there is a session: whether it may stay. */
  readonly isEntitled?: () => Promise<boolean>;
};

export async function openSession(
  parts: SignInParts,
  { request, reply, isEntitled }: Opening,
  person: Person,
): Promise<Session> {
  const { accounts, browsers } = parts;
  const userAgent = request.headers['user-agent'];
  const cookies = await accounts.open({ userId: person.id, userAgent });
  const session = await accounts.session(sent(cookies), { refresh: false });
  if (session === null) throw new Refusal('unauthorized');
  if (isEntitled && !(await isEntitled())) {
    await accounts.signOut(sent(cookies));
    throw new Refusal('unauthorized');
  }
  await noteSignIn(parts, session, request.ip);
  bake(reply, cookies);
  browsers.remember(reply, person.email);
  return session;
}

/** From then on each use is noted that comes a minute after the last. */
export const noteSignIn = ({ sql, clock }: SignInParts, { id }: Session, address: string) =>
  recordSessionUse(sql, { id, address, now: clock.now(), every: USE_NOTED_EVERY });

export async function renderSession({ sql, sameOrigin, build }: SignInParts, session: Session) {
  const { person, expiresAt, token } = session;
  const { organization, teams, timezone } = await membershipOf(sql, person.id);
  const { id, first_name, last_name, email, role } = person;
  return {
    user: { id, first_name, last_name, email, role, ...(timezone !== null && { timezone }) },
    organization,
    teams,
    ...(build !== null && { build }),
    expires_at: expiresAt.toString({ fractionalSecondDigits: 3 }),
    csrf_token: sameOrigin.token(token),
  };
}

export const nameOf = ({ person }: Session) => personName(person);

/** What a browser sends of the cookies that it was given. */
export const sent = (cookies: readonly string[]) =>
  cookies.map((cookie) => cookie.split(';')[0] ?? '').join('; ');
