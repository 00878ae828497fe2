// What the answers of a host show about it, for built-in channels.
import type { Delivery } from '../engine/sending/channel.ts';
import type { VendorAnswer } from '../engine/sending/connection-health.ts';

export type HostAnswer = { readonly host: string; readonly answer: VendorAnswer | null };

/**
 * Of a chat's webhook. A host that refuses one webhook or one message works. Null: nothing, as it gets too
 * much at once, or nothing was requested.
 */
export function webhookAnswerOf(host: string, delivery: Delivery): VendorAnswer | null {
  const { outcome, status } = delivery;
  if (outcome === 'delivered') return { kind: 'ok' };
  if (status === 429) return null;
  if (outcome === 'no_answer') return { kind: 'outage', reason: `${host}: ${delivery.reason}` };
  return status === undefined ? null : { kind: 'ok' };
}

/** A browser that is gone, or a push that is too large, does not count against the push service. */
const ofDevice: readonly number[] = [404, 410, 413];

/** Refusals of Pager's key or request, which the operator has to correct. */
export const refusalsOfPager: readonly number[] = [400, 401, 403];

/** Of a push service. */
export function pushAnswerOf(host: string, delivery: Delivery): VendorAnswer | null {
  const { outcome, status, answer = '' } = delivery;
  const known = webhookAnswerOf(host, delivery);
  if (outcome !== 'failed' || status === undefined || ofDevice.includes(status)) return known;
  // Apple says why in one word. Anything longer may be of anybody, and is not shown.
  const [, word] = /^\{"reason":"([A-Za-z]{1,40})"/.exec(answer) ?? [];
  const shown = word === undefined ? `${status}` : `${status} ${word}`;
  if (!refusalsOfPager.includes(status))
    return { kind: 'unexplained', reason: `${host} refused a push (${shown})` };
  return {
    kind: 'refusal',
    reason: `${host} refuses pushes from this server (${shown}): ${remedy}`,
  };
}

const remedy =
  'check that PAGER_MAIL_FROM is an address in a public domain and that the server’s clock is right';

/** A host that took one of several messages works. */
export function answersByHost(all: readonly HostAnswer[]): ReadonlyMap<string, VendorAnswer> {
  const byHost = new Map<string, VendorAnswer>();
  for (const { host, answer } of all) {
    const before = byHost.get(host);
    if (answer === null || before?.kind === 'ok') continue;
    if (before === undefined || answer.kind === 'ok') byHost.set(host, answer);
  }
  return byHost;
}
