import { createHmac, timingSafeEqual } from 'node:crypto';

const VALID_SECONDS = 300;

export type SignedCall = {
  readonly signingSecret: string;
  /** The headers X-Slack-Request-Timestamp and X-Slack-Signature. */
  readonly timestamp: string;
  readonly signature: string;
  /** As it was received. */
  readonly body: Uint8Array;
  readonly now: Temporal.Instant;
};

/** Whether Slack sent it, in the last five minutes. */
export function isSignedBySlack(call: SignedCall): boolean {
  const { signingSecret, timestamp, signature, body, now } = call;
  if (signingSecret === '' || !/^\d{1,12}$/.test(timestamp)) return false;
  const age = Math.abs(now.epochMilliseconds / 1_000 - Number(timestamp));
  if (age > VALID_SECONDS) return false;
  const hmac = createHmac('sha256', signingSecret).update(`v0:${timestamp}:`).update(body);
  const right = Buffer.from(`v0=${hmac.digest('hex')}`);
  const received = Buffer.from(signature);
  return right.length === received.length && timingSafeEqual(right, received);
}
