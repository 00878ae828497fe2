// A test page to a contact, sent at once and only once as pages are: to see that it arrives, and how.
import { isTaken } from '../../engine/sending/channel.ts';
import { testPage } from '../../notices/test-page.ts';
import { addressDigest } from '../../replies/digests.ts';
import { isDeviceChannel, languageOn, needsMailServer } from '../../resources/channels.ts';
import { flag, id, objectOf } from '../../resources/declaration/field.ts';
import { nameOrEmail } from '../../resources/person-name.ts';
import { transact } from '../../storage/database/database.ts';
import { sealedOrganization } from '../../storage/people/organization.ts';
import { countSend } from '../../storage/people/unproved-sends.ts';
import { lockOrganization } from '../../storage/people/users.ts';
import { Refusal } from '../failures.ts';
import { conflict, needsOwnOrAdmin, type PeopleParts, route } from '../people/writing.ts';
import { type Call, ok, type Route } from '../route.ts';
import { reasonsAgainst } from './channels.ts';
import { quotaRefusal, testQuotas } from './code-quotas.ts';
import { needsConnection, readContact } from './contacts.ts';
import { gotItOf } from './got-it.ts';
import { unsentText } from './push.ts';

const testOutput = objectOf(
  {
    id: id('The id of the contact.'),
    delivered: flag({
      doc: 'Whether it has arrived. If false, a vendor accepted it but may not have delivered it yet.',
    }),
  },
  'A test page that was sent to a contact.',
);

export const contactTestRoutes = (parts: PeopleParts): Route[] => [
  route('POST /users/:id/contacts/:contact_id/test', 'responder', {
    tag: 'users',
    answers: { status: 202, schema: testOutput },
    doc: 'Sends a test page to a verified contact. In e-mails, Telegram and pushes it has the button “I got it”, which sets `proved_at` of the contact. Calls and SMS have no button. People test their own contacts, admins those of others.',
    handle: (call) => test(parts, call),
  }),
];

async function test(parts: PeopleParts, call: Call) {
  const { user, contact } = await readContact(parts, call);
  needsOwnOrAdmin(call, user.id, 'contacts');
  const { sql, secrets, channels, publicUrl: url } = parts;
  const { organizationId } = call.caller;
  if (!contact.verified) throw conflict('verified', 'is false: verify the contact first');
  const channel = channels.get(contact.channel);
  const reason = (await reasonsAgainst(parts, organizationId))(contact.channel);
  // Without a mail server a mail is a file, for whoever tries Pager out.
  if (channel === undefined || (reason !== null && !needsMailServer(contact.channel)))
    throw new Refusal('unavailable', { message: `Nothing can be sent to this contact: ${reason}` });
  await needsConnection(parts, organizationId, contact);
  await countTest(parts, call, { userId: user.id, ...contact });
  const own = await sealedOrganization(sql, organizationId);
  const { id: organization, name, timezone, language } = own;
  const notice = testPage({
    organization: { id: organization, name },
    url,
    now: call.now,
    recipient: nameOrEmail(user),
    service: 'Test',
    why: 'someone is testing this contact',
    timezone: user.timezone ?? timezone,
    language: languageOn(contact.channel, user.language ?? language),
    gotIt: gotItOf(
      { organizationId, id: contact.id },
      { digest: secrets.digest, publicUrl: url, now: call.now },
    ),
  });
  // Only the server knows where a browser is reached.
  const isBrowser = isDeviceChannel(contact.channel);
  const delivery = await channel.send(notice, isBrowser ? contact.id : contact.address);
  if (!isTaken(delivery))
    throw new Refusal('unavailable', {
      message: `It could not be sent: ${unsentText(contact, delivery.reason)}.`,
    });
  return ok({ id: contact.id, delivered: delivery.outcome === 'delivered' }, 202);
}

type Tested = { readonly userId: string; readonly channel: string; readonly address: string };

/** Before it is sent; refused once as many were sent as may be. */
export async function countTest(
  { sql, secrets }: Pick<PeopleParts, 'sql' | 'secrets'>,
  { caller: { organizationId }, now }: Call,
  { userId, channel, address }: Tested,
): Promise<void> {
  const send = {
    organizationId,
    userId,
    channel,
    kind: 'test' as const,
    now,
    digest: addressDigest(secrets, address),
  };
  const wait = await transact(sql, async (tx) => {
    await lockOrganization(tx, organizationId);
    return countSend(tx, send, testQuotas(channel));
  });
  if (wait !== null) throw quotaRefusal(wait, now);
}
