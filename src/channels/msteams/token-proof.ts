// Whether a request is from the Bot Connector, for this bot:
// https://learn.microsoft.com/azure/bot-service/rest-api/bot-framework-rest-connector-authentication
import { verify } from 'node:crypto';
import { sendingLimits } from '../../limits/sending.ts';
import { membersOf, parsedJson } from '../json.ts';
import { withoutSlash } from './addresses.ts';
import type { Keys } from './keys.ts';

const ISSUER = 'https://api.botframework.com';
const CHANNEL = 'msteams';

type Claimed = {
  /** Of the request; undefined: it has none. */
  readonly authorization: string | undefined;
  /** What the request itself says. */
  readonly serviceUrl: string;
  readonly channelId: string;
};

/** `refused`: why it is not. `unavailable`: that cannot be known now. */
export type Proof =
  | { readonly isProved: true }
  | { readonly isProved: false; readonly refused: string }
  | { readonly isProved: false; readonly unavailable: string };

const refused = (why: string): Proof => ({ isProved: false, refused: why });

export async function proofOf(
  { authorization = '', serviceUrl, channelId }: Claimed,
  {
    keys,
    appId,
    now,
  }: { readonly keys: Keys; readonly appId: string; readonly now: Temporal.Instant },
): Promise<Proof> {
  const [, token = ''] = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/.exec(authorization) ?? [];
  if (token === '' || token.length > sendingLimits.teamsToken)
    return refused('it has no bearer token');
  const [head = '', payload = '', signature = ''] = token.split('.');
  const { alg, kid } = membersOf(parsedJson(decoded(head)));
  // The only one that Microsoft signs with: a token does not choose how it is verified.
  if (alg !== 'RS256' || typeof kid !== 'string')
    return refused('its token is not signed with RS256');
  const claims = membersOf(parsedJson(decoded(payload)));
  // What costs nothing is looked at first: a forged token seldom has keys fetched.
  const problem = problemIn(claims, { appId, now, serviceUrl });
  if (problem !== null) return refused(problem);
  const lookup = await keys.find(kid);
  if ('unavailable' in lookup) return { isProved: false, unavailable: lookup.unavailable };
  if ('unknown' in lookup) return refused('its token is signed with an unknown key');
  const { key, endorsements } = lookup.key;
  const signed = Buffer.from(`${head}.${payload}`);
  if (!verify('RSA-SHA256', signed, key, Buffer.from(signature, 'base64url')))
    return refused('the signature of its token is wrong');
  if (channelId !== CHANNEL || endorsements?.includes(CHANNEL) === false)
    return refused('its key does not sign for Microsoft Teams');
  return { isProved: true };
}

const decoded = (part: string): string => Buffer.from(part, 'base64url').toString('utf8');

type Expected = {
  readonly appId: string;
  readonly now: Temporal.Instant;
  readonly serviceUrl: string;
};

function problemIn(
  { iss, aud, exp, nbf, ...claims }: Readonly<Record<string, unknown>>,
  { appId, now, serviceUrl }: Expected,
): string | null {
  const seconds = Math.floor(now.epochMilliseconds / 1_000);
  const skew = sendingLimits.teamsClockSkew;
  if (iss !== ISSUER) return 'its token is from another issuer';
  if (aud !== appId) return 'its token is for another bot: check app_id';
  if (typeof exp !== 'number' || exp + skew < seconds) return 'its token has expired';
  if (typeof nbf !== 'number' || nbf - skew > seconds) return 'its token is not valid yet';
  const claimed = claims['serviceurl'] ?? claims['serviceUrl'];
  if (typeof claimed !== 'string' || withoutSlash(claimed) !== withoutSlash(serviceUrl))
    return 'its token is for another service URL';
  return null;
}
