// How calls of outbound webhooks are signed, as Standard Webhooks 1.0 has it.
import { createHmac } from 'node:crypto';
import type { Call, CallRequest } from '../notices/webhooks/call.ts';

type Signed = Pick<Call, 'messageId'> & {
  readonly secrets: readonly string[];
  readonly now: Temporal.Instant;
};

/** One signature a secret, so that a receiver may know either while they are rotated. */
export function signatureHeaders({ body }: CallRequest, { messageId, secrets, now }: Signed) {
  const timestamp = String(Math.floor(now.epochMilliseconds / 1_000));
  const signatures = secrets.map((secret) => {
    const bytes = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    const mac = createHmac('sha256', bytes).update(`${messageId}.${timestamp}.${body}`);
    return `v1,${mac.digest('base64')}`;
  });
  return {
    'webhook-id': messageId,
    'webhook-timestamp': timestamp,
    ...(signatures.length > 0 && { 'webhook-signature': signatures.join(' ') }),
  };
}
