import { systemRandom } from '../../engine/random.ts';
import { isTaken } from '../../engine/sending/channel.ts';
import { accessLimits } from '../../limits/access.ts';
import { accountNotice } from '../../notices/kinds/account.ts';
import { signInChannel } from '../../resources/channels.ts';
import { instant } from '../../resources/declaration/answer.ts';
import { choice, objectOf, optional, text } from '../../resources/declaration/field.ts';
import { personName } from '../../resources/person-name.ts';
import { mayAct } from '../../resources/roles.ts';
import { transact } from '../../storage/database/database.ts';
import { audit } from '../../storage/organizations/audit.ts';
import { auditedUser } from '../../storage/people/audited.ts';
import { listInvited } from '../../storage/people/invitations.ts';
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
  needsWholeOrganization,
  onlyOwnersTouchOwners,
  orNotFound,
  type PeopleParts,
  readBody,
  route,
} from './writing.ts';

export const invitedShape = objectOf(
  {
    invited_at: optional(
      instant('When they were last invited. Absent if they were added but never invited.'),
    ),
    invited_by: optional(text({ doc: 'The name of the admin who invited them.' })),
    expires_at: optional(
      instant('When the link of the invitation expires. Absent if there is no link.'),
    ),
  },
  'The invitation of a person who has not set a password yet.',
);

const inviteInput = objectOf({
  deliver_by: optional(
    choice(['email', 'link'], {
      doc: 'email sends the link to the person. link sends nothing and returns the link once. If no mail server is set up, the response always contains the link. Default: email.',
      default: 'email',
    }),
  ),
});

const INVITATIONS = { tries: accessLimits.invitationsAnHour, seconds: 3_600 };

export function invitationRoutes(parts: PeopleParts): Route[] {
  const limit = createLimiter({ clock: parts.clock, ...INVITATIONS });
  return [
    route('POST /users/:id/invitation', 'admin', {
      tag: 'users',
      doc: 'Invites a person who has no password yet, by an e-mail with a link to set one. With `deliver_by: link`, or if no mail server is set up, the response contains the link instead, once. Earlier invitations end.',
      body: inviteInput,
      bodyMayBeAbsent: true,
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
  const { deliver_by } = readBody(inviteInput, call.body);
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
  if (!isMailSet || deliver_by === 'link')
    return ok({ ...rendered(person, expiresAt), url: link.href }, 201);
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

/** For admins: it says who can be signed in as by a link. */
export async function invitationsById(
  { sql }: PeopleParts,
  call: Call,
  userIds: readonly string[],
) {
  needsWholeOrganization(call);
  if (!mayAct(call.caller, 'admin'))
    throw new Refusal('forbidden', { message: 'Only admins can see invitations.' });
  const invited = await listInvited(sql, { organizationId: call.caller.organizationId, userIds });
  return Object.fromEntries(
    invited.map(({ user_id, invited_at, invited_by, expires_at }) => [
      user_id,
      {
        ...(invited_at !== null && { invited_at: timeText(invited_at) }),
        ...(invited_by !== null && { invited_by }),
        ...(expires_at !== null && { expires_at: timeText(expires_at) }),
      },
    ]),
  );
}

/** Without its link, which was answered once. */
async function readAgain({ sql }: PeopleParts, call: Call) {
  const { organizationId } = call.caller;
  const person = orNotFound(await findUser(sql, organizationId, idIn(call)));
  const expiry = await invitationExpiry(sql, { organizationId, userId: person.id });
  if (expiry === null) throw conflict('invitation', 'was used, or has ended');
  return ok(rendered(person, expiry), 201);
}
