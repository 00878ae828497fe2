// The access tokens of bots: requested with their client secrets, and cached until shortly before they expire.
import { createHash } from 'node:crypto';
import type { Clock } from '../../engine/clock.ts';
import { sendingLimits } from '../../limits/sending.ts';
import { lineOf } from '../../notices/words/wording.ts';
import { itemsOf, membersOf, parsedJson } from '../json.ts';
import type { VendorHttp } from '../vendor-http.ts';
import { tokenUrlOf } from './addresses.ts';
import { type TeamsFailure, teamsFaultOf } from './failure.ts';

const SCOPE = 'https://api.botframework.com/.default';
/** A request that uses it is over by then. */
const RENEWED_BEFORE_SECONDS = 300;

export type BotCredentials = {
  readonly appId: string;
  readonly tenantId: string;
  readonly clientSecret: string;
};

type CachedToken = { readonly token: string; readonly until: Temporal.Instant };

export type TokenResult = { readonly token: string } | { readonly failure: TeamsFailure };

type TokenParts = { readonly baseUrl: string; readonly http: VendorHttp; readonly clock: Clock };

/** Of one way to Microsoft: whoever shares that shares the tokens. */
const cached = new WeakMap<VendorHttp, Map<string, CachedToken>>();

function tokensOf(http: VendorHttp): Map<string, CachedToken> {
  const tokens = cached.get(http) ?? new Map<string, CachedToken>();
  cached.set(http, tokens);
  return tokens;
}

/**
 * `isAnew`: the one that is cached was refused, or is not to be relied on. It is kept until there is another:
 * while the authority does not answer it may be good. Never throws.
 */
export async function tokenOf(
  { baseUrl, http, clock }: TokenParts,
  credentials: BotCredentials,
  { isAnew }: { readonly isAnew: boolean },
): Promise<TokenResult> {
  const tokens = tokensOf(http);
  const key = keyOf(baseUrl, credentials);
  const before = tokens.get(key);
  const now = clock.now();
  if (!isAnew && before && Temporal.Instant.compare(now, before.until) < 0)
    return { token: before.token };
  const requested = await request({ baseUrl, http }, credentials);
  if ('failure' in requested) {
    if (teamsFaultOf(requested.failure).blame !== 'later') tokens.delete(key);
    return requested;
  }
  const { token, seconds } = requested;
  // It is the newest from now on.
  tokens.delete(key);
  tokens.set(key, { token, until: now.add({ seconds: seconds - RENEWED_BEFORE_SECONDS }) });
  const [oldest] = tokens.keys();
  if (tokens.size > sendingLimits.teamsTokensCached && oldest !== undefined) tokens.delete(oldest);
  return { token };
}

/** Another secret has a token of its own, so that a new one is tried at once. */
const keyOf = (baseUrl: string, { appId, tenantId, clientSecret }: BotCredentials): string =>
  createHash('sha256')
    .update(JSON.stringify([baseUrl, tenantId, appId, clientSecret]))
    .digest('base64');

async function request(
  { baseUrl, http }: Pick<TokenParts, 'baseUrl' | 'http'>,
  { appId, tenantId, clientSecret }: BotCredentials,
): Promise<
  { readonly token: string; readonly seconds: number } | { readonly failure: TeamsFailure }
> {
  const answer = await http.request({
    url: tokenUrlOf(baseUrl, tenantId),
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: appId,
      client_secret: clientSecret,
      scope: SCOPE,
    }).toString(),
  });
  if (!answer.answered)
    return { failure: { type: 'no_answer', reason: answer.reason, maybeExecuted: false } };
  const { status, body, retryAfter = '' } = answer;
  const { access_token: token, expires_in: seconds, ...members } = membersOf(parsedJson(body));
  if (status === 200 && typeof token === 'string' && /^[\x21-\x7e]{1,8192}$/.test(token)) {
    const lasts = typeof seconds === 'number' && seconds > 0 ? seconds : 0;
    return { token, seconds: Math.min(lasts, sendingLimits.teamsTokenHours * 3_600) };
  }
  const { error, error_codes: codes } = members;
  if (typeof error !== 'string' || status >= 500 || status === 429) {
    if (status === 429)
      return {
        failure: { type: 'refused', of: 'authority', status, code: 'too_many', retryAfter },
      };
    const reason = `Microsoft Entra answered ${status}`;
    return { failure: { type: 'no_answer', reason, maybeExecuted: false } };
  }
  const [number] = itemsOf(codes);
  const code = typeof number === 'number' ? `AADSTS${number}` : lineOf(error).slice(0, 100);
  return { failure: { type: 'refused', of: 'authority', status, code, retryAfter } };
}
