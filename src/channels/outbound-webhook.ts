import { createHmac } from 'node:crypto';
import type { Channel } from '../engine/channel.ts';
import type { Clock } from '../engine/clock.ts';
import type { Log } from '../engine/log.ts';
import { type ShiftRequest, shiftPayloadOf, shiftRequestOf } from '../notices/shift-webhook.ts';
import type { Outbound } from './outbound.ts';

type Parts = { readonly outbound: Outbound; readonly clock: Clock; readonly log: Log };

/** Outbound webhooks, signed as Standard Webhooks 1.0 has it; the address is the webhook's URL. */
export function createOutboundWebhook({ outbound, clock, log }: Parts): Channel {
  return {
    async send(notice, address) {
      const payload = notice.about === 'shift' ? shiftPayloadOf(notice) : null;
      if (notice.about !== 'shift' || !notice.webhook || !payload)
        return { outcome: 'failed', reason: 'no event that a webhook is told of' };
      const url = URL.parse(address);
      if (!url) return { outcome: 'failed', reason: 'the webhook has no valid URL' };
      const { method, secrets } = notice.webhook;
      if (secrets.length === 0)
        log.warn({ notice: notice.key }, 'a webhook without a secret is called unsigned');
      const request = shiftRequestOf(payload, { method, url });
      const signature = signatureHeaders(request, { key: notice.key, secrets, now: clock.now() });
      const headers = { ...request.headers, ...signature };
      const { status: _judged, ...delivery } = await outbound.request({ ...request, headers });
      return delivery;
    },
  };
}

type Signed = {
  readonly key: string;
  readonly secrets: readonly string[];
  readonly now: Temporal.Instant;
};

/** One signature a secret, so that a receiver may know either while they are rotated. */
function signatureHeaders({ body }: ShiftRequest, { key, secrets, now }: Signed) {
  const id = key.replaceAll('/', '-');
  const timestamp = String(Math.floor(now.epochMilliseconds / 1_000));
  const signatures = secrets.map((secret) => {
    const bytes = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    const mac = createHmac('sha256', bytes).update(`${id}.${timestamp}.${body}`);
    return `v1,${mac.digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    ...(signatures.length > 0 && { 'webhook-signature': signatures.join(' ') }),
  };
}
