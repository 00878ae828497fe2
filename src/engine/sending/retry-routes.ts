// By which route a notice is sent that did not arrive: which connection, and of a page to a person
// which contact.
import { maskedAddress } from '../../resources/masked-address.ts';
import type { HandedOver } from './channel.ts';
import { confirms, isCalledAgain, isFinal } from './receipt.ts';

/** A contact of a person at which a page has ended. */
export type TriedContact = {
  readonly address: string;
  readonly reason: string;
  /** A vendor took it there, and nothing confirms that it arrived. */
  readonly isUnconfirmed: boolean;
  /** How many attempts the page had by then. */
  readonly attempts: number;
};

/** The contact by which a page goes on; null: none is left. `usable`: at this moment, in order. */
export const nextContact = (
  usable: readonly string[],
  tried: readonly TriedContact[],
): string | null => usable.find((one) => !tried.some(({ address }) => address === one)) ?? null;

/** How many attempts of a page were made at other contacts, before the one where it is now. */
export const attemptsElsewhere = (tried: readonly TriedContact[]): number =>
  tried.at(-1)?.attempts ?? 0;

/** At which contact an attempt of a page was made. `address`: the present one. */
export const addressOf = (
  attempt: number,
  tried: readonly TriedContact[],
  address: string,
): string => tried.find(({ attempts }) => attempt <= attempts)?.address ?? address;

/** The same as people recognise it, once there were several. */
export const contactOf = (
  attempt: number,
  tried: readonly TriedContact[],
  address: string,
): string | null => (tried.length === 0 ? null : maskedAddress(addressOf(attempt, tried, address)));

/** Why a page ended at every contact that was tried, as the end of a sentence. */
export function reasonOfAll(tried: readonly TriedContact[]): string {
  const [first, ...others] = tried;
  if (first !== undefined && others.length === 0) return first.reason;
  return tried.map(({ address, reason }) => `${reason} at ${maskedAddress(address)}`).join('; ');
}

export type NextRoute =
  | { readonly connectionId: string }
  /** No way is left. */
  | { readonly end: 'failed' | 'unconfirmed'; readonly reason: string };

/** As often a vendor is given what it could not deliver for the moment, and somebody is called. */
const triesOfOne = 2;

/**
 * Silence and a vendor's trouble lead to the next connection; whoever did not answer is called once
 * more by the same; a contact at fault ends it. `connections`: those in use, in their order.
 * `earlier`: attempts at the same contact.
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
  return { end, reason: end === 'unconfirmed' ? 'no receipt arrived' : reason };
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

/**
 * What has become of the last attempt, as its vendor was asked; undefined: it was reported, or there is
 * none. As the end of a sentence.
 */
export function unreportedOf(
  before: HandedOver | undefined,
  known: HandedOver | undefined,
): string | undefined {
  if (known === undefined || (before?.receipt && isFinal(before.receipt))) return undefined;
  const { receipt } = known;
  if (receipt === null || !isFinal(receipt)) return 'nothing was reported for the previous attempt';
  return `the previous attempt did not arrive: ${receipt.reason || receipt.state}`;
}

const none: NextRoute = { end: 'failed', reason: 'no connection is set up for it' };

const isReadOut = ({ receipt }: HandedOver) => receipt?.state === 'read_out';

const isSilent = (one: HandedOver) =>
  one.receipt === null || !isFinal(one.receipt) || confirms(one.receipt) || isReadOut(one);
