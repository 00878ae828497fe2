// A push service on loopback with the browsers that it knows: it holds requests to RFC 8030, 8291 and
// 8292, and shows what a browser would decrypt. Written from the receiving side, without our own code.
import {
  createDecipheriv,
  createECDH,
  createHash,
  createPublicKey,
  hkdfSync,
  randomBytes,
  verify,
} from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import type { PushContent } from '../src/resources/push.ts';
import { selfSigned } from '../src/terraform/protocol/certificate.ts';

type BrowserKeys = { readonly privateKey: Uint8Array; readonly auth: Uint8Array };

/** Of the record of RFC 8188 that RFC 8291 allows. */
export function decryptPush(body: Buffer, { privateKey, auth }: BrowserKeys): Buffer {
  const salt = body.subarray(0, 16);
  if (body.readUInt32BE(16) < body.length - 86) throw new Error('more than one record');
  if (body.length > 4_096) throw new Error('too large');
  const sender = body.subarray(21, 21 + body.readUInt8(20));
  const record = body.subarray(21 + sender.length);
  const own = createECDH('prime256v1');
  own.setPrivateKey(privateKey);
  const expand = (key: Uint8Array, from: Uint8Array, info: Buffer, length: number) =>
    Buffer.from(hkdfSync('sha256', key, from, info, length));
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), own.getPublicKey(), sender]);
  const key = expand(own.computeSecret(sender), auth, info, 32);
  const contentKey = expand(key, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = expand(key, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
  const decipher = createDecipheriv('aes-128-gcm', contentKey, nonce);
  decipher.setAuthTag(record.subarray(-16));
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
  const end = padded.findLastIndex((byte) => byte !== 0);
  if (padded[end] !== 2) throw new Error('not the last record');
  return padded.subarray(0, end);
}

type Proof = { readonly origin: string; readonly key: string; readonly now: Temporal.Instant };

/** What a push service would say against it; null: nothing. */
export function checkVapid(header: string, { origin, key, now }: Proof): string | null {
  const [, head = '', claims = '', signature = '', sent = ''] =
    /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)$/.exec(header) ?? [];
  if (sent !== key) return 'not the key of the subscription';
  const part = (text: string) => JSON.parse(Buffer.from(text, 'base64url').toString());
  const { typ, alg } = part(head);
  if (typ !== 'JWT' || alg !== 'ES256') return 'not ES256';
  const point = Buffer.from(key, 'base64url');
  const coordinate = (from: number) => point.subarray(from, from + 32).toString('base64url');
  const publicKey = createPublicKey({
    key: { kty: 'EC', crv: 'P-256', x: coordinate(1), y: coordinate(33) },
    format: 'jwk',
  });
  const signed = Buffer.from(`${head}.${claims}`);
  const proof = Buffer.from(signature, 'base64url');
  if (!verify('sha256', signed, { key: publicKey, dsaEncoding: 'ieee-p1363' }, proof))
    return 'a wrong signature';
  const { aud, exp, sub } = part(claims);
  if (aud !== origin) return `the audience ${aud}`;
  const left = exp - now.epochMilliseconds / 1_000;
  if (left <= 0) return 'expired';
  if (left > 24 * 3_600) return 'valid for more than a day';
  return /^(mailto:[^\s<>]+@[^\s<>]+|https:\/\/\S+)$/.test(sub) ? null : `the subject ${sub}`;
}

export type ReceivedPush = {
  readonly headers: IncomingHttpHeaders;
  readonly content: PushContent;
};
export type TestBrowser = {
  /** What its `PushSubscription` writes. */
  readonly subscription: {
    readonly endpoint: string;
    readonly expirationTime: null;
    readonly keys: { readonly p256dh: string; readonly auth: string };
  };
  /** How its contact ends. */
  readonly fingerprint: string;
  readonly received: ReceivedPush[];
  /** What the service answers from now on; null: nothing at all. */
  answer: { readonly status: number; readonly headers?: Record<string, string> } | null;
};
export type PushService = AsyncDisposable & {
  readonly origin: string;
  /** Of its certificate, which this process trusts. */
  readonly pem: string;
  /** What it had to complain about in requests. */
  readonly complaints: string[];
  /** A browser that subscribed with this key. */
  browser(key: string): TestBrowser;
};

type Known = { readonly browser: TestBrowser; readonly own: BrowserKeys; readonly key: string };

export async function startPushService(
  now: () => Temporal.Instant = Temporal.Now.instant,
): Promise<PushService> {
  const { key, pem } = selfSigned(Date.now());
  // Of two certificates with one name only one would be found.
  const trustedBefore = getCACertificates();
  setDefaultCACertificates([...trustedBefore, pem]);
  const known = new Map<string, Known>();
  const complaints: string[] = [];
  const server = createServer({ key, cert: pem }, (request, response) => {
    void take(request, response).catch((error: unknown) => {
      complaints.push(String(error));
      response.writeHead(400).end();
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  // Listening on a port, a server never has a path or nothing for an address.
  const { port } = server.address() as AddressInfo;
  const origin = `https://localhost:${port}`;

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await request.toArray());
    const subscribed = known.get(request.url ?? '');
    if (subscribed === undefined) throw new Error(`nobody subscribed at ${request.url}`);
    const { browser, own } = subscribed;
    const { headers } = request;
    const { authorization = '', ttl, urgency, topic = 'none' } = headers;
    const against = checkVapid(authorization, { origin, key: subscribed.key, now: now() });
    if (against !== null) throw new Error(against);
    if (headers['content-encoding'] !== 'aes128gcm') throw new Error('not aes128gcm');
    if (!/^\d+$/.test(String(ttl)) || urgency !== 'high') throw new Error('no TTL or urgency');
    if (!/^[\w-]{1,32}$/.test(String(topic))) throw new Error(`the topic ${topic}`);
    const content = JSON.parse(decryptPush(body, own).toString());
    const { answer } = browser;
    if (answer === null) return;
    if (answer.status < 300) browser.received.push({ headers, content });
    response.writeHead(answer.status, answer.headers).end();
  }

  return {
    origin,
    pem,
    complaints,
    browser(key) {
      const own = createECDH('prime256v1');
      const p256dh = own.generateKeys('base64url');
      const auth = randomBytes(16);
      const path = `/send/${randomBytes(32).toString('base64url')}`;
      const endpoint = `${origin}${path}`;
      const keys = { p256dh, auth: auth.toString('base64url') };
      const browser: TestBrowser = {
        subscription: { endpoint, expirationTime: null, keys },
        fingerprint: createHash('sha256').update(endpoint).digest('hex').slice(0, 8),
        received: [],
        answer: { status: 201 },
      };
      known.set(path, { browser, own: { privateKey: own.getPrivateKey(), auth }, key });
      return browser;
    },
    async [Symbol.asyncDispose]() {
      setDefaultCACertificates(trustedBefore);
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
