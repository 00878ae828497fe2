// Interactions that Discord sends to the address of a connection, signed with the key of its app.
// https://discord.com/developers/docs/interactions/overview#setting-up-an-endpoint
import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { sendingLimits } from '../../limits/sending.ts';
import type { CallbackAnswer, CallbackReader, CallbackRequest } from '../../replies/callback.ts';
import { parsedJson } from '../json.ts';
import type { CalledConnection, SendParts, VendorWay } from '../vendor.ts';
import { clientOf } from './channel.ts';
import { answerOnDiscord, deferralOf, inboundOf, isAct } from './inbound.ts';
import { type DiscordInbound, readInteraction } from './read.ts';

export const discordCallbacks = (
  way: VendorWay & Pick<SendParts, 'clock'>,
): CallbackReader<CalledConnection> => ({
  read(request, connection) {
    const refused = whyUnsigned(request, connection.settings['public_key'], way.clock.now());
    if (refused !== null) return { refused };
    const inbound = interactionIn(request, String(connection.settings['application_id']));
    if (inbound.type === 'ping') return { answer: json({ type: 1 }) };
    if (!isAct(inbound)) return { answer: { status: 202, contentType: 'text/plain', body: '' } };
    return { inbounds: [inboundOf(inbound, connection.id)], isDeferred: true };
  },
  answer(_replied, request) {
    const inbound = interactionIn(request);
    return json(isAct(inbound) ? deferralOf(inbound) : { type: 1 });
  },
  async respond({ reply }, connection, request) {
    const inbound = interactionIn(request);
    return isAct(inbound) ? answerOnDiscord(clientOf(way, connection), inbound, reply) : null;
  },
});

/** `applicationId`: absent where the request was read before. */
function interactionIn({ body }: CallbackRequest, applicationId?: string): DiscordInbound {
  const value = parsedJson(body.toString('utf8'));
  const own = (value as { readonly application_id?: string } | undefined)?.application_id ?? '';
  return readInteraction(value, applicationId ?? own);
}

const json = (value: object): CallbackAnswer => ({
  status: 200,
  contentType: 'application/json',
  body: JSON.stringify(value),
});

/** Null: Discord has signed it, a short time ago. */
function whyUnsigned(
  { headers, body }: Pick<CallbackRequest, 'headers' | 'body'>,
  publicKey: unknown,
  now: Temporal.Instant,
): string | null {
  const signature = headers['x-signature-ed25519'];
  const timestamp = headers['x-signature-timestamp'];
  if (typeof signature !== 'string' || typeof timestamp !== 'string')
    return 'it has no X-Signature-Ed25519 and X-Signature-Timestamp';
  const key = keyOf(publicKey);
  const signed = Buffer.concat([Buffer.from(timestamp), body]);
  const isSigned =
    key !== null &&
    /^[0-9a-f]{128}$/i.test(signature) &&
    verify(null, signed, key, Buffer.from(signature, 'hex'));
  if (!isSigned) return 'its signature does not match the app: check public_key';
  const age = now.epochMilliseconds / 1_000 - Number(timestamp);
  const isFresh = /^\d{1,12}$/.test(timestamp) && Math.abs(age) <= sendingLimits.interactionAge;
  return isFresh ? null : 'its timestamp is too old, or the clock of this server is wrong';
}

/** Null: it is no key. */
function keyOf(publicKey: unknown): KeyObject | null {
  try {
    const x = Buffer.from(String(publicKey), 'hex').toString('base64url');
    return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  } catch {
    return null;
  }
}
