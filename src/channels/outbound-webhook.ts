import { createHmac } from 'node:crypto';
import type { Clock } from '../engine/clock.ts';
import type { Log } from '../engine/log.ts';
import type { Channel } from '../engine/sending/channel.ts';
import { type Call, type CallRequest, callRequestOf } from '../notices/webhooks/call.ts';
import type { Outbound } from './outbound.ts';

type Parts = { readonly outbound: Outbound; readonly clock: Clock; readonly log: Log };

/** Outbound webhooks, signed as Standard Webhooks 1.0 has it; the address is the webhook's URL. */
export function createOutboundWebhook({ outbound, clock, log }: Parts): Channel<Call> {
  return {
    async send(call, address) {
      const url = URL.parse(address);
      if (!url) return { outcome: 'failed', reason: 'the webhook has no valid URL' };
      const { messageId, organizationId, webhook } = call;
      const { secrets } = webhook;
      if (secrets.length === 0)
        log.warn({ notice: call.key }, 'a webhook without a secret is called unsigned');
      const request = callRequestOf(call, url);
      const signature = signatureHeaders(request, { messageId, secrets, now: clock.now() });
      const headers = { ...request.headers, ...signature };
      return outbound.request({
        ...request,
        requester: { organizationId, kind: 'webhook' },
        headers,
      });
    },
  };
}

type Signed = Pick<Call, 'messageId'> & {
  readonly secrets: readonly string[];
  readonly now: Temporal.Instant;
};

/** One signature a secret, so that a receiver may know either while they are rotated. */
function signatureHeaders({ body }: CallRequest, { messageId, secrets, now }: Signed) {
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
