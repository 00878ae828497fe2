import { systemRandom } from '../../engine/random.ts';
import { isTaken } from '../../engine/sending/channel.ts';
import { accessLimits } from '../../limits/access.ts';
import { accountNotice } from '../../notices/kinds/account.ts';
import { signInChannel } from '../../resources/channels.ts';
import { personName } from '../../resources/person-name.ts';
import { transact } from '../../storage/database/database.ts';
import { audit } from '../../storage/organizations/audit.ts';
import { auditedUser } from '../../storage/people/audited.ts';
import { sealedOrganization } from '../../storage/people/organization.ts';
import { invitationExpiry, storePasswordLink } from '../../storage/people/password-links.ts';
import { hasPassword } from '../../storage/people/sign-ins.ts';
import { findUser, type User } from '../../storage/people/users.ts';
import { timeText } from '../../storage/records/rows.ts';
import { reasonsAgainst } from '../contacts/channels.ts';
import { Refusal } from '../failures.ts';
import { createLimiter, type Limiter } from '../http/limiter.ts';
import { type Call, ok, type Route } from '../route.ts';
import { newPasswordLink } from '../sign-in/passwords/password-links.ts';
import { invitationOutput } from './shapes.ts';
import {
  actOf,
  conflict,
  idIn,
  onlyOwnersTouchOwners,
  orNotFound,
  type PeopleParts,
  route,
} from './writing.ts';

const INVITATIONS = { tries: accessLimits.invitationsAnHour, seconds: 3_600 };

export function invitationRoutes(parts: PeopleParts): Route[] {
  const limit = createLimiter({ clock: parts.clock, ...INVITATIONS });
  return [
    route('POST /users/:id/invitation', 'admin', {
      tag: 'users',
      doc: 'Invites a person who has no password yet, by an e-mail with a link to set one. If no mail server is set up, the response contains the link, once. Earlier invitations end.',
      answers: { status: 201, schema: invitationOutput },
      keysRefused: 'session_only',
      handle: (call) => invite({ ...parts, limit }, call),
      again: (call) => readAgain(parts, call),
    }),
  ];
}

async function invite(parts: PeopleParts & { readonly limit: Limiter }, call: Call) {
  const { sql, ids, secrets, limit, random = systemRandom } = parts;
  const { now } = call;
  const { organizationId } = call.caller;
  const person = orNotFound(await findUser(sql, organizationId, idIn(call)));
  onlyOwnersTouchOwners(call, person);
  if (!person.active) throw conflict('active', 'is false');
  if (await hasPassword(sql, person.id))
    throw conflict('password', 'is already set: the person can sign in, or reset the password');
  const wait = limit.take(person.id);
  if (wait > 0) throw new Refusal('rate_limited', { retryAfterSeconds: wait });
  const link = newPasswordLink({ ...parts, digest: secrets.digest, random }, 'invitation', now);
  const { digest, expiresAt } = link;
  // Until the mail has left it is not done: the same request then sends it.
  const { repeatable: _, ...act } = actOf(call);
  await transact(sql, async (tx) => {
    const stored = { organizationId, userId: person.id, digest, now, expiresAt } as const;
    await storePasswordLink(tx, { ...stored, purpose: 'invitation' });
    await audit(tx, ids, { act, ...auditedUser, action: 'invite', id: person.id });
  });
  const isMailSet = (await reasonsAgainst(parts, organizationId))(signInChannel) === null;
  if (!isMailSet) return ok({ ...rendered(person, expiresAt), url: link.href }, 201);
  await send(parts, call, { person, ...link });
  return ok(rendered(person, expiresAt), 201);
}

const rendered = ({ id, email }: User, expiresAt: Temporal.Instant) => ({
  id,
  email,
  expires_at: timeText(expiresAt),
});

type Invitation = {
  readonly person: User;
  readonly href: string;
  readonly expiresAt: Temporal.Instant;
};

async function send({ sql, channels }: PeopleParts, call: Call, invitation: Invitation) {
  const { person, href, expiresAt } = invitation;
  const { id, name, timezone } = await sealedOrganization(sql, call.caller.organizationId);
  const notice = accountNotice({
    kind: 'invitation',
    organization: { id, name },
    recipient: personName(person),
    timezone: person.timezone ?? timezone,
    why: 'an admin of this organization added you',
    account: { user_id: person.id, href, invited_by: call.caller.name, expires_at: expiresAt },
    now: call.now,
  });
  const delivery = await channels.get(signInChannel)?.send(notice, person.email);
  if (delivery && isTaken(delivery)) return;
  const reason = delivery?.reason ?? 'mail is not set up';
  throw new Refusal('unavailable', { message: `The invitation could not be sent: ${reason}.` });
}

/** Without its link, which was answered once. */
async function readAgain({ sql }: PeopleParts, call: Call) {
  const { organizationId } = call.caller;
  const person = orNotFound(await findUser(sql, organizationId, idIn(call)));
  const expiry = await invitationExpiry(sql, { organizationId, userId: person.id });
  if (expiry === null) throw conflict('invitation', 'was used, or has ended');
  return ok(rendered(person, expiry), 201);
}
