// A contact is verified by a code that is sent to it. The code is sent at once and not through the
// outbox: only its digest is stored, and the answer says when it cannot be sent.
import { systemRandom } from '../../engine/random.ts';
import { isTaken } from '../../engine/sending/channel.ts';
import { accessLimits } from '../../limits/access.ts';
import { type CodeNotice, codeNotice } from '../../notices/kinds/code.ts';
import { addressDigest } from '../../replies/digests.ts';
import {
  byChannel,
  isDeviceChannel,
  isLinkedChannel,
  languageOn,
} from '../../resources/channels.ts';
import { personName } from '../../resources/person-name.ts';
import {
  type Contact,
  provedContact,
  storeCode,
  verifyContact,
} from '../../storage/people/contacts.ts';
import { sealedOrganization } from '../../storage/people/organization.ts';
import type { User } from '../../storage/people/users.ts';
import { invalid, Refusal } from '../failures.ts';
import { codeInput, codeOutput, contactOutput } from '../people/shapes.ts';
import { actOf, conflict, isOwn, type PeopleParts, readBody, route } from '../people/writing.ts';
import { type Call, ok, type Route } from '../route.ts';
import { codeQuotas, quotaRefusal } from './code-quotas.ts';
import { oneWithReachability } from './contact-problems.ts';
import { mustBeLinked, needsConnection, readContact } from './contacts.ts';
import { unsentText } from './push.ts';

const tag = 'users';
const sent = { status: 202, schema: codeOutput };
const answers = { status: 200, schema: contactOutput };

const CODE_LASTS = Temporal.Duration.from({ minutes: accessLimits.codeMinutes });
const CODE_PAUSE = Temporal.Duration.from({ minutes: accessLimits.codePause });
const CODES = 1_000_000;

export function contactCodeRoutes(parts: PeopleParts): Route[] {
  return [
    route('POST /users/:id/contacts/:contact_id/code', 'responder', {
      tag,
      doc: 'Sends a code to a contact of the signed-in person by e-mail, message, SMS or phone call, at most once a minute.',
      answers: sent,
      keysRefused: 'session_only',
      handle: (call) => sendCode(parts, call),
    }),
    route('POST /users/:id/contacts/:contact_id/verify', 'responder', {
      tag,
      doc: 'Verifies a contact of the signed-in person with the code that was sent to it.',
      body: codeInput,
      answers,
      keysRefused: 'session_only',
      handle: (call) => verify(parts, call),
    }),
  ];
}

async function readOwn(parts: PeopleParts, call: Call) {
  const { user, contact } = await readContact(parts, call);
  if (!isOwn(call, user.id))
    throw new Refusal('forbidden', { message: 'Only its owner can verify a contact.' });
  return { user, contact };
}

const codeDigest = ({ secrets }: PeopleParts, contact: Contact, code: string) =>
  secrets.digest(`contact ${contact.id} ${contact.address} ${code}`);

async function sendCode(parts: PeopleParts, call: Call) {
  const { user, contact } = await readOwn(parts, call);
  const { sql, secrets, channels, random = systemRandom } = parts;
  const { organizationId } = call.caller;
  if (contact.verified) throw conflict('verified', 'is already true');
  if (isLinkedChannel(contact.channel)) throw mustBeLinked();
  const channel = channels.get(contact.channel);
  if (channel === undefined)
    throw new Refusal('unavailable', {
      message: `This server cannot send codes ${byChannel(contact.channel)} because that channel is not set up.`,
    });
  await needsConnection(parts, organizationId, contact);
  const code = String(random.below(CODES)).padStart(6, '0');
  const wait = await storeCode(sql, {
    organizationId,
    userId: user.id,
    contact,
    addressDigest: addressDigest(secrets, contact.address),
    quotas: codeQuotas(contact.channel),
    digest: codeDigest(parts, contact, code),
    now: call.now,
    lasts: CODE_LASTS,
  });
  if (wait !== null) throw quotaRefusal(wait, call.now);
  const notice = await noticeOf(parts, call, { user, contact, code });
  // Only the server knows where a browser is reached.
  const isBrowser = isDeviceChannel(contact.channel);
  const delivery = await channel.send(notice, isBrowser ? contact.id : contact.address);
  if (!isTaken(delivery))
    throw new Refusal('unavailable', {
      message: `The code could not be sent: ${unsentText(contact, delivery.reason)}.`,
      retryAfterSeconds: CODE_PAUSE.total('seconds'),
    });
  return ok({ id: contact.id, expires_at: notice.proof.expires_at.toString() }, 202);
}

type CodeContext = { readonly user: User; readonly contact: Contact; readonly code: string };

async function noticeOf(
  { sql }: PeopleParts,
  call: Call,
  context: CodeContext,
): Promise<CodeNotice> {
  const { user, contact, code } = context;
  const { id, name, timezone, language } = await sealedOrganization(
    sql,
    call.caller.organizationId,
  );
  return codeNotice({
    organization: { id, name },
    recipient: personName(user),
    timezone: user.timezone ?? timezone,
    language: languageOn(contact.channel, user.language ?? language),
    proof: { contact_id: contact.id, code, expires_at: call.now.add(CODE_LASTS) },
    now: call.now,
  });
}

async function verify(parts: PeopleParts, call: Call) {
  const { user, contact } = await readOwn(parts, call);
  const code = String(readBody(codeInput, call.body)['code']);
  if (contact.verified) return ok(await oneWithReachability(parts, call, contact));
  const { sql, ids } = parts;
  const done = await verifyContact(sql, {
    act: actOf(call),
    ids,
    userId: user.id,
    contact,
    digest: codeDigest(parts, contact, code),
    triesMax: accessLimits.codeTries,
  });
  if (done === 'wrong')
    throw invalid([{ path: 'code', message: 'is wrong or has expired: request another code' }]);
  return ok(await oneWithReachability(parts, call, provedContact(contact, call.now)));
}
