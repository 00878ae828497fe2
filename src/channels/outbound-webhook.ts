import type { Clock } from '../engine/clock.ts';
import type { Log } from '../engine/log.ts';
import type { Channel } from '../engine/sending/channel.ts';
import { type Call, callRequestOf } from '../notices/webhooks/call.ts';
import type { Outbound } from './outbound.ts';
import { signatureHeaders } from './webhook-signature.ts';

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
