import type { Delivery } from '../engine/sending/channel.ts';
import { sendingLimits } from '../limits/sending.ts';
import { blockOf } from '../notices/words/wording.ts';

export type HttpAnswer = {
  readonly status: number;
  readonly retryAfter?: string | undefined;
  readonly body: Uint8Array;
};

/** What an HTTP answer means for a delivery: only 2xx is success, redirects are never followed. */
export function deliveryOf(
  { status, retryAfter, body }: HttpAnswer,
  now: Temporal.Instant,
): Delivery {
  // As a stream, so that a character cut in two at the end is left out.
  const answer = blockOf(new TextDecoder().decode(body, { stream: true }));
  if (status >= 200 && status < 300) return { outcome: 'delivered', status, answer };
  const reason = `answered ${status}`;
  if (status === 408 || status === 429 || status >= 500) {
    const seconds = retryAfterSeconds(retryAfter, now);
    const later = seconds === undefined ? {} : { retryAfterSeconds: seconds };
    return { outcome: 'no_answer', reason, status, answer, ...later };
  }
  const isRedirect = status >= 300 && status < 400;
  const failed = isRedirect ? `${reason}: redirects are not followed` : reason;
  return { outcome: 'failed', reason: failed, status, answer };
}

/** Written as seconds or as an HTTP date. */
function retryAfterSeconds(header: string | undefined, now: Temporal.Instant): number | undefined {
  const written = header?.trim();
  if (!written) return undefined;
  const seconds = /^\d{1,9}$/.test(written)
    ? Number(written)
    : (Date.parse(written) - now.epochMilliseconds) / 1000;
  return Number.isNaN(seconds) ? undefined : boundedWait(seconds);
}

/** At most an hour, so that no recipient can postpone pages for longer. */
export function boundedWait(seconds: number): number {
  return Math.min(Math.max(Math.ceil(seconds), 0), sendingLimits.webhookRetryAfterSeconds);
}
