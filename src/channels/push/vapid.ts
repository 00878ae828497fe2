// How a push service knows who sends: RFC 8292.
import { createPublicKey, type KeyObject, sign } from 'node:crypto';

/** The pair that subscriptions are made for; its private half is that of the curve P-256. */
export type Vapid = {
  readonly privateKey: KeyObject;
  /** Where the push service's operator reaches ours: a mail address or a page. */
  readonly subject: string;
};

/** Less than the day that push services allow. */
const validSeconds = 12 * 3_600;

export function vapidHeader(
  { privateKey, subject }: Vapid,
  endpoint: string,
  now: Temporal.Instant,
): string {
  const exp = Math.floor(now.epochMilliseconds / 1_000) + validSeconds;
  const claims = { aud: new URL(endpoint).origin, exp, sub: subject };
  const signed = [{ typ: 'JWT', alg: 'ES256' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const key = { key: privateKey, dsaEncoding: 'ieee-p1363' } as const;
  const signature = sign('sha256', Buffer.from(signed), key).toString('base64url');
  return `vapid t=${signed}.${signature}, k=${publicKeyText(privateKey)}`;
}

/** As browsers want it: the uncompressed point in base64url. */
export function publicKeyText(privateKey: KeyObject): string {
  const { x = '', y = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
  const point = [Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')];
  return Buffer.concat(point).toString('base64url');
}

/**
 * Apple refuses a subject of a host that is not public, or with a name before the address; which
 * is why the page of a server whose mail has no domain stands in for that.
 */
export function subjectOf(from: string, publicUrl: string): string {
  const address = /([^\s<>"]+@[^\s<>"]+)>?\s*$/.exec(from)?.[1] ?? '';
  const { protocol, hostname, origin } = new URL(publicUrl);
  const isPublic = /\.[^.]*[a-z]$/i;
  const mail = `mailto:${address}`;
  if (isPublic.test(address) || protocol !== 'https:' || !isPublic.test(hostname)) return mail;
  return origin;
}
