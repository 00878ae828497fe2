// Codes that link a chat at a vendor to the signed-in person: they send it there themselves, so that
// nothing is ever sent to an address that is not proved.
import { systemRandom } from '../../engine/random.ts';
import { accessLimits } from '../../limits/access.ts';
import { linkCodeDigest } from '../../replies/digests.ts';
import { byChannel, linkedChannels } from '../../resources/channels.ts';
import { vendorNamed } from '../../resources/connections/vendors.ts';
import { instant } from '../../resources/declaration/answer.ts';
import { choice, objectOf, text } from '../../resources/declaration/field.ts';
import { listConnections } from '../../storage/connections/connections.ts';
import { storeLinkCode } from '../../storage/people/link-codes.ts';
import { findUser } from '../../storage/people/users.ts';
import { timeText } from '../../storage/records/rows.ts';
import { inboundModeOf } from '../connections/inbound-mode.ts';
import { Refusal } from '../failures.ts';
import { createLimiter, type Limiter } from '../http/limiter.ts';
import { qrOutput } from '../people/shapes.ts';
import { idIn, isOwn, orNotFound, type PeopleParts, readBody, route } from '../people/writing.ts';
import { type Call, ok, type Route } from '../route.ts';
import { qrPath } from '../sign-in/second-factor/qr-code.ts';

const linkInput = objectOf({
  channel: choice(linkedChannels, { doc: 'The channel of the new contact.' }),
});

const linkOutput = objectOf(
  {
    code: text({ doc: 'The code that the person sends to the account.' }),
    account: text({ doc: 'The vendor’s name for the account that receives the code.' }),
    text: text({ doc: 'The message that the person sends to the account, with the code.' }),
    url: text({ doc: 'A link that opens the chat with the account and sends the code.' }),
    qr: qrOutput,
    expires_at: instant('When the code expires.'),
  },
  'A code that links a chat to a person.',
);

const CODES = { tries: accessLimits.linkCodesAnHour, seconds: 3_600 };
const LASTS = { minutes: accessLimits.linkCodeMinutes };
const CODE_BYTES = 16;

export function linkCodeRoutes(parts: PeopleParts): Route[] {
  const limit = createLimiter({ clock: parts.clock, ...CODES });
  return [
    route('POST /users/:id/link-codes', 'responder', {
      tag: 'users',
      body: linkInput,
      answers: { status: 201, schema: linkOutput },
      doc: 'Creates a code that links a chat to the signed-in person. When the person sends it to the account, the chat becomes a verified contact. Earlier codes end.',
      keysRefused: 'session_only',
      handle: (call) => makeCode({ ...parts, limit }, call),
    }),
  ];
}

async function makeCode(parts: PeopleParts & { readonly limit: Limiter }, call: Call) {
  const { sql, secrets, limit, callbackUrlOf, random = systemRandom } = parts;
  const { organizationId } = call.caller;
  const user = orNotFound(await findUser(sql, organizationId, idIn(call)));
  if (!isOwn(call, user.id))
    throw new Refusal('forbidden', { message: 'You can link only your own chats.' });
  const { channel } = readBody(linkInput, call.body) as { channel: string };
  const connections = await listConnections(sql, { organizationId, archived: false });
  const serving = connections.filter((each) => each.enabled && each.channels.includes(channel));
  const hearing = serving.filter((one) => inboundModeOf(one, callbackUrlOf).receive !== 'nothing');
  if (serving.length > 0 && hearing.length === 0)
    throw new Refusal('unavailable', {
      message: `Pager cannot receive messages ${byChannel(channel)} because its address is not public. Set PAGER_PUBLIC_URL to a public https address.`,
    });
  const known = hearing.filter((each) => each.account !== undefined);
  const usable = known.find(({ health }) => health.state === 'ok') ?? known[0];
  if (usable?.account === undefined)
    throw new Refusal('unavailable', {
      message: `No connection for ${channel} has been accepted by its vendor yet.`,
    });
  const wait = limit.take(user.id);
  if (wait > 0) throw new Refusal('rate_limited', { retryAfterSeconds: wait });
  const code = Buffer.from(random.bytes(CODE_BYTES)).toString('base64url');
  const expiresAt = call.now.add(LASTS);
  const digest = linkCodeDigest(secrets, code);
  await storeLinkCode(sql, { organizationId, userId: user.id, channel, digest, expiresAt });
  const declared = vendorNamed(usable.vendor);
  const account = declared?.linkedAccount?.(usable.settings) ?? usable.account;
  const url = declared?.linkUrl?.(account, code);
  const text = declared?.linkText?.(code);
  if (url === undefined || text === undefined)
    throw new Error(`no link leads to accounts of ${usable.vendor}`);
  return ok({ code, account, text, url, qr: qrPath(url), expires_at: timeText(expiresAt) }, 201);
}
