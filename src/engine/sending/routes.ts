// By which connection a notice is sent that vendors took before and did not deliver.
import { confirms, isCalledAgain, isFinal } from '../receiving/receipt.ts';
import type { HandedOver } from './channel.ts';

export type NextRoute =
  | { readonly connectionId: string }
  /** No way is left. */
  | { readonly end: 'failed' | 'unconfirmed'; readonly reason: string };

/** As often a vendor is given what it could not deliver for the moment, and somebody is called. */
const triesOfOne = 2;

/**
 * Silence and a vendor's trouble lead to the next connection; whoever did not answer is called once
 * more by the same; a contact at fault ends it. `connections`: those in use, in their order.
 */
export function nextRoute(
  connections: readonly { readonly id: string }[],
  earlier: readonly HandedOver[],
): NextRoute {
  const taken = distinct(earlier);
  const last = taken.at(-1);
  const isUnused = ({ id }: { readonly id: string }) =>
    !taken.some(({ connectionId }) => connectionId === id);
  const unused = connections.find(isUnused);
  const other = unused ? { connectionId: unused.id } : null;
  if (last === undefined) return other ?? none;
  const { receipt, connectionId } = last;
  const same = connections.some(({ id }) => id === connectionId) ? { connectionId } : null;
  const reason = receipt === null ? '' : receipt.reason || receipt.state;
  if (isCalledAgain(receipt)) {
    const calls = taken.filter((one) => isCalledAgain(one.receipt));
    const again = calls.length < triesOfOne ? (same ?? other) : null;
    return again ?? { end: calls.some(isReadOut) ? 'unconfirmed' : 'failed', reason };
  }
  if (receipt?.blame === 'contact') return { end: 'failed', reason };
  const tries = taken.filter((one) => one.connectionId === connectionId).length;
  const again = receipt?.blame === 'later' && tries < triesOfOne ? same : null;
  const next = again ?? other;
  if (next !== null) return next;
  const end = endOf(taken);
  return { end, reason: end === 'unconfirmed' ? 'no receipt came' : reason };
}

/** Without another way: one of those that were taken before may have arrived all the same. */
export const endOf = (earlier: readonly HandedOver[]): 'failed' | 'unconfirmed' =>
  earlier.some(isSilent) ? 'unconfirmed' : 'failed';

/** One that was only found again by another attempt counts once, with what was reported of it. */
export function distinct(earlier: readonly HandedOver[]): readonly HandedOver[] {
  const all = new Map<string, HandedOver>();
  for (const one of earlier) {
    const key = `${one.connectionId} ${one.vendorId}`;
    all.set(key, { ...one, receipt: one.receipt ?? all.get(key)?.receipt ?? null });
  }
  return [...all.values()];
}

const none: NextRoute = { end: 'failed', reason: 'no connection is set up for it' };

const isReadOut = ({ receipt }: HandedOver) => receipt?.state === 'read_out';

const isSilent = (one: HandedOver) =>
  one.receipt === null || !isFinal(one.receipt) || confirms(one.receipt) || isReadOut(one);
