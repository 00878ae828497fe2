// The keys with which Microsoft signs what its connector sends, read from its OpenID metadata.
import { createPublicKey, type KeyObject } from 'node:crypto';
import type { Clock } from '../../engine/clock.ts';
import { sendingLimits } from '../../limits/sending.ts';
import { itemsOf, membersOf, parsedJson } from '../json.ts';
import type { VendorHttp } from '../vendor-http.ts';
import { metadataUrlOf, originOf } from './addresses.ts';

export type SigningKey = {
  readonly key: KeyObject;
  /** The channels that it signs for; null: any. */
  readonly endorsements: readonly string[] | null;
};

/** `unavailable`: they could not be read, with why. */
export type KeyLookup =
  | { readonly key: SigningKey }
  | { readonly unknown: true }
  | { readonly unavailable: string };

export type Keys = { readonly find: (keyId: string) => Promise<KeyLookup> };

type Parts = { readonly baseUrl: string; readonly http: VendorHttp; readonly clock: Clock };
type Read = { readonly keys: ReadonlyMap<string, SigningKey> } | { readonly problem: string };

/** A key that is not known may be new: all are read again, but not as often as anybody asks for one. */
export function createKeys({ baseUrl, http, clock }: Parts): Keys {
  let keys: ReadonlyMap<string, SigningKey> | null = null;
  let problem = '';
  let readAt: Temporal.Instant | null = null;
  let reading: Promise<void> | null = null;

  const isOlderThan = (seconds: number) =>
    readAt === null || Temporal.Instant.compare(clock.now(), readAt.add({ seconds })) >= 0;

  async function readAgain(): Promise<void> {
    const read = await readKeys(baseUrl, http);
    readAt = clock.now();
    if ('keys' in read) keys = read.keys;
    problem = 'problem' in read ? read.problem : '';
  }

  async function refresh(): Promise<void> {
    reading ??= readAgain().finally(() => {
      reading = null;
    });
    await reading;
  }

  return {
    async find(keyId) {
      const isDue = isOlderThan(sendingLimits.teamsKeysAnew * 3_600);
      const isUnknown = keys?.has(keyId) !== true;
      if (isDue || (isUnknown && isOlderThan(sendingLimits.teamsKeysPause))) await refresh();
      const key = keys?.get(keyId);
      if (key !== undefined) return { key };
      return keys === null ? { unavailable: problem } : { unknown: true };
    },
  };
}

async function readKeys(baseUrl: string, http: VendorHttp): Promise<Read> {
  const metadataUrl = metadataUrlOf(baseUrl);
  const metadata = await get(http, metadataUrl);
  if ('problem' in metadata) return metadata;
  const { jwks_uri: keysUrl } = metadata.members;
  // They are of the host that the metadata are of, and nobody else's.
  if (typeof keysUrl !== 'string' || originOf(keysUrl) !== originOf(metadataUrl))
    return { problem: 'the OpenID metadata contains no key address on the same host' };
  const answer = await get(http, keysUrl);
  if ('problem' in answer) return answer;
  const listed = itemsOf(answer.members['keys']);
  const keys = new Map(listed.slice(0, sendingLimits.teamsKeys).flatMap((one) => entryOf(one)));
  return keys.size === 0 ? { problem: 'the list of keys is empty' } : { keys };
}

type Got = { readonly members: Readonly<Record<string, unknown>> } | { readonly problem: string };

async function get(http: VendorHttp, url: string): Promise<Got> {
  const answer = await http.request({ url, method: 'GET' });
  if (!answer.answered) return { problem: `${url}: ${answer.reason}` };
  if (answer.status !== 200) return { problem: `${url}: answered ${answer.status}` };
  return { members: membersOf(parsedJson(answer.body)) };
}

function entryOf(value: unknown): readonly (readonly [string, SigningKey])[] {
  const { kty, kid, n, e, endorsements } = membersOf(value);
  if (kty !== 'RSA' || typeof kid !== 'string') return [];
  if (typeof n !== 'string' || typeof e !== 'string' || n.length > 1_400 || e.length > 8) return [];
  try {
    const key = createPublicKey({ key: { kty, n, e }, format: 'jwk' });
    const channels = Array.isArray(endorsements) ? endorsements.map(String) : null;
    return [[kid, { key, endorsements: channels }]];
  } catch {
    return [];
  }
}
