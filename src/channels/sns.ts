// Whether messages are of Amazon SNS, by the certificates that they name, and the confirmation of
// subscriptions.
import { type KeyObject, verify, X509Certificate } from 'node:crypto';
import {
  isCertificateOfSns,
  isOfSns,
  type Signature,
  type SnsClient,
  type SnsEnvelope,
  signedTextOf,
} from '../alerts/sns.ts';
import type { Clock } from '../engine/clock.ts';
import type { Log } from '../engine/log.ts';
import { eventsLimits } from '../limits/events.ts';
import { memoryLimits } from '../limits/memory.ts';
import { createOutbound, everywhere, type Outbound, type OutboundOptions } from './outbound.ts';

export type SnsOptions = {
  readonly log: Log;
  readonly clock: Clock;
  readonly certificates: Pick<Outbound, 'request'>;
  readonly confirmations: Pick<Outbound, 'request'>;
  /** What is called in place of the addresses of Amazon SNS. */
  readonly baseUrl?: string | undefined;
};

type SnsParts = Pick<OutboundOptions, 'allowNetworks' | 'log'> &
  Pick<SnsOptions, 'clock' | 'baseUrl'>;

/** Over the guarded HTTP client. */
export function snsByHttp({ allowNetworks, baseUrl, ...parts }: SnsParts): SnsClient {
  const options = { ...parts, allowNetworks: baseUrl === undefined ? allowNetworks : everywhere };
  return createSnsClient({
    ...parts,
    baseUrl,
    certificates: createOutbound({
      ...options,
      connectTimeoutMs: eventsLimits.certificateTime,
      totalTimeoutMs: eventsLimits.certificateTime,
      answerBytes: eventsLimits.certificateBytes,
    }),
    confirmations: createOutbound({ ...options, totalTimeoutMs: eventsLimits.confirmationTime }),
  });
}

export function createSnsClient(options: SnsOptions): SnsClient {
  const certificates = new Certificates(options);
  let confirming = 0;
  return {
    async checkSignature({ type, fields }, organizationId) {
      const { Signature: signature, SignatureVersion: version, SigningCertURL: url } = fields;
      if (signature === undefined) return { result: 'absent', reason: 'the message has none' };
      const algorithm = algorithms.get(String(version));
      // A version to come must not end all pages.
      if (algorithm === undefined) return { result: 'unchecked', reason: 'its version is unknown' };
      if (typeof url !== 'string' || !isCertificateOfSns(url))
        return { result: 'bad', reason: 'its certificate is not at an address of Amazon SNS' };
      const key = await certificates.find(url, organizationId);
      if (typeof key === 'string') return { result: 'unchecked', reason: key };
      const text = Buffer.from(signedTextOf({ type, fields }));
      const bytes = Buffer.from(String(signature), 'base64');
      return verify(algorithm, text, key, bytes) ? good : bad;
    },
    async confirm(envelope, organizationId) {
      if (confirming >= eventsLimits.confirmationsAtOnce) return 'too many are being confirmed';
      confirming += 1;
      try {
        return await confirm(options, envelope, organizationId);
      } finally {
        confirming -= 1;
      }
    },
  };
}

const algorithms = new Map([
  ['1', 'RSA-SHA1'],
  ['2', 'RSA-SHA256'],
]);
const good: Signature = { result: 'good' };
const bad: Signature = { result: 'bad', reason: 'it is not of this message' };

async function confirm(
  { confirmations, log, baseUrl }: SnsOptions,
  { fields }: SnsEnvelope,
  organizationId: string,
): Promise<string | null> {
  const { SubscribeURL: url, TopicArn: topic } = fields;
  if (typeof url !== 'string' || !isOfSns(url)) return 'the address is not an Amazon SNS address';
  const requester = { organizationId, kind: 'webhook' } as const;
  const answer = await confirmations.request({
    requester,
    method: 'GET',
    url: calledUrl(url, baseUrl),
  });
  if (answer.outcome !== 'delivered') return answer.reason;
  log.info({ topic }, 'a subscription to a topic of Amazon SNS was confirmed');
  return null;
}

function calledUrl(url: string, baseUrl: string | undefined): string {
  const { pathname, search } = new URL(url);
  return baseUrl === undefined ? url : `${baseUrl}${pathname}${search}`;
}

/** Why there is no key, until then. */
type Missing = { readonly reason: string; readonly until: Temporal.Instant };

/** Those that were fetched, and for a while those that could not be. */
class Certificates {
  readonly #options: SnsOptions;
  /** By address, the least recently used first. */
  readonly #known = new Map<string, KeyObject | Missing>();
  readonly #underWay = new Map<string, Promise<KeyObject | Missing>>();

  constructor(options: SnsOptions) {
    this.#options = options;
  }

  /** The key of a certificate, or why there is none. */
  async find(url: string, organizationId: string): Promise<KeyObject | string> {
    const known = this.#recall(url) ?? (await this.#fetchOnce(url, organizationId));
    return 'reason' in known ? known.reason : known;
  }

  #recall(url: string): KeyObject | Missing | undefined {
    const known = this.#known.get(url);
    if (known === undefined) return undefined;
    this.#known.delete(url);
    const now = this.#options.clock.now();
    if ('reason' in known && Temporal.Instant.compare(known.until, now) <= 0) return undefined;
    this.#known.set(url, known);
    return known;
  }

  #fetchOnce(url: string, organizationId: string): Promise<KeyObject | Missing> {
    const underWay = this.#underWay.get(url);
    if (underWay !== undefined) return underWay;
    if (this.#underWay.size >= eventsLimits.certificatesAtOnce)
      return Promise.resolve(this.#missing('too many certificates are being fetched'));
    const fetching = this.#fetch(url, organizationId).finally(() => this.#underWay.delete(url));
    this.#underWay.set(url, fetching);
    return fetching;
  }

  async #fetch(url: string, organizationId: string): Promise<KeyObject | Missing> {
    const requester = { organizationId, kind: 'webhook' } as const;
    const { certificates, log, baseUrl } = this.#options;
    const answer = await certificates.request({
      requester,
      method: 'GET',
      url: calledUrl(url, baseUrl),
    });
    const key =
      answer.outcome === 'delivered'
        ? (keyIn(answer.answer ?? '') ?? this.#missing('its certificate cannot be read'))
        : this.#missing(`its certificate could not be fetched: ${answer.reason}`);
    if ('reason' in key)
      log.warn({ url, reason: key.reason }, 'signatures of Amazon SNS are not checked');
    this.#remember(url, key);
    return key;
  }

  #remember(url: string, key: KeyObject | Missing): void {
    const [oldest] = this.#known.keys();
    if (oldest !== undefined && this.#known.size >= memoryLimits.certificates)
      this.#known.delete(oldest);
    this.#known.set(url, key);
  }

  #missing(reason: string): Missing {
    const seconds = eventsLimits.certificateAgain;
    return { reason, until: this.#options.clock.now().add({ seconds }) };
  }
}

function keyIn(pem: string): KeyObject | null {
  try {
    const { publicKey } = new X509Certificate(pem);
    return publicKey.asymmetricKeyType === 'rsa' ? publicKey : null;
  } catch {
    return null;
  }
}
