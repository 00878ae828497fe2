// Whether a timeline is as servers wrote it: its links are made again and compared.
import {
  type ChainedEntry,
  type End,
  type Head,
  type Mac,
  macOf,
  noMac,
  type Removal,
  removalSealOf,
  sealOf,
} from '../ledger/chain.ts';

/** A head, with what it says of entries that were removed. */
export type HeadRead = Head & { readonly removal: (Removal & { readonly seal: string }) | null };

/** An entry beside the head of its chain; null where a head has no entry at all. */
export type Link = {
  readonly head: HeadRead;
  readonly entry: ChainedEntry | null;
};

/** Where a chain is broken: at an entry, or at its end. */
export type Break = {
  readonly organization_id: string;
  readonly incident_id: string;
  readonly entry_id: string | null;
  readonly text: string;
};

/** The breaks of whole chains, whose links come one incident after another in their places. */
export async function* breaks(
  links: AsyncIterable<Link>,
  mac: Mac,
): AsyncGenerator<Break, void, undefined> {
  let chain: { head: HeadRead; end: End } | null = null;
  for await (const { head, entry } of links) {
    if (chain?.head.incident_id !== head.incident_id) {
      if (chain) yield* brokenEnd(chain.head, chain.end, mac);
      yield* brokenRemoval(head, mac);
      chain = { head, end: beginningOf(head) };
    }
    if (entry === null) continue;
    yield* brokenEntry(entry, chain.end, mac);
    chain.end = entry;
  }
  if (chain) yield* brokenEnd(chain.head, chain.end, mac);
}

const beginningOf = ({ removal }: HeadRead): End =>
  removal ? { sequence: removal.entries, mac: removal.mac } : { sequence: 0, mac: noMac };

/** Whoever has no key can remove entries, but not write down that they had been kept long enough. */
function* brokenRemoval(head: HeadRead, mac: Mac): Generator<Break> {
  const { removal } = head;
  if (removal && removalSealOf(head, removal, mac) !== removal.seal)
    yield {
      ...namesOf(head),
      entry_id: null,
      text: 'its record of removed entries was changed',
    };
}

/** Whether the entries are as they were written, from the first on after that end. */
export function follows(entries: readonly ChainedEntry[], from: End, mac: Mac): boolean {
  let end = from;
  return entries.every((entry) => {
    const isWhole = brokenEntry(entry, end, mac).next().done === true;
    end = entry;
    return isWhole;
  });
}

/** The link is made of the code that is stored before it: one change is one break. */
function* brokenEntry(entry: ChainedEntry, before: End, mac: Mac): Generator<Break> {
  const at = { ...namesOf(entry), entry_id: entry.id };
  const missing = entry.sequence - before.sequence - 1;
  if (missing > 0) yield { ...at, text: `${missing} before this entry are missing` };
  else if (missing < 0) yield { ...at, text: 'two entries have this sequence' };
  else if (macOf(entry, before.mac, mac) !== entry.mac)
    yield { ...at, text: 'this entry, or the one before it, was changed' };
}

function* brokenEnd(head: Head, end: End, mac: Mac): Generator<Break> {
  const at = { ...namesOf(head), entry_id: null };
  if (sealOf(head, mac) !== head.seal) yield { ...at, text: 'the head was changed' };
  else if (end.sequence < head.entries)
    yield { ...at, text: `the last ${head.entries - end.sequence} entries are missing` };
  else if (end.sequence > head.entries || end.mac !== head.mac)
    yield { ...at, text: 'the chain does not end at its head' };
}

const namesOf = ({ organization_id, incident_id }: Head | ChainedEntry) => ({
  organization_id,
  incident_id,
});
