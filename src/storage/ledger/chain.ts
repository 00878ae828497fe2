// The chain of an incident's timeline: each entry has a code, made with the secret key, over itself
// and the code before it; the head seals how many there are. docs/decisions/0015-ledger-chain.md.

/** Of a text, with a key that only servers have. */
export type Mac = (text: string) => string;

export type Entry = {
  readonly organization_id: string;
  readonly incident_id: string;
  readonly id: string;
  readonly at: Temporal.Instant;
  readonly type: string;
  readonly text: string;
  readonly actor: unknown;
  readonly details: unknown;
};

/** Sequences are from 1 on; those of entries that are older than chains go down from 0. */
export type ChainedEntry = Entry & { readonly sequence: number; readonly mac: string };

/** The end of an incident's chain. */
export type Head = {
  readonly organization_id: string;
  readonly incident_id: string;
  readonly entries: number;
  /** Of the last entry. */
  readonly mac: string;
  readonly seal: string;
};

/** The first entries, removed as they had been kept long enough; what is left follows the last. */
export type Removal = {
  readonly entries: number;
  /** Of the last of them. */
  readonly mac: string;
  readonly at: Temporal.Instant;
};

/** An entry, as much as the next one follows from. */
export type End = Pick<ChainedEntry, 'sequence' | 'mac'>;

/** What the first entry of a chain follows. */
export const noMac = '';

export const macOf = (entry: Entry, before: string, mac: Mac): string =>
  mac(
    JSON.stringify([
      ...['entry', before, entry.organization_id, entry.incident_id, entry.id, `${entry.at}`],
      ...[entry.type, entry.text, canonical(entry.actor), canonical(entry.details)],
    ]),
  );

export const sealOf = (head: Omit<Head, 'seal'>, mac: Mac): string =>
  mac(JSON.stringify(['head', head.organization_id, head.incident_id, head.entries, head.mac]));

export const removalSealOf = (
  { organization_id, incident_id }: Pick<Head, 'organization_id' | 'incident_id'>,
  { entries, mac: last, at }: Removal,
  mac: Mac,
): string => mac(JSON.stringify(['removal', organization_id, incident_id, entries, last, `${at}`]));

/** The entries at the ends of their incidents' chains, in this order, and where these end now. */
export function chain(
  entries: readonly Entry[],
  heads: readonly Head[],
  mac: Mac,
): { readonly entries: readonly ChainedEntry[]; readonly heads: readonly Head[] } {
  const ends = new Map<string, Omit<Head, 'seal'>>(heads.map((head) => [head.incident_id, head]));
  const chained = entries.map((entry): ChainedEntry => {
    const { organization_id, incident_id } = entry;
    const end = ends.get(incident_id) ?? { entries: 0, mac: noMac };
    const sequence = end.entries + 1;
    const own = macOf(entry, end.mac, mac);
    ends.set(incident_id, { organization_id, incident_id, entries: sequence, mac: own });
    return { ...entry, sequence, mac: own };
  });
  const sealed = [...ends.values()].map((end) => ({ ...end, seal: sealOf(end, mac) }));
  return { entries: chained, heads: sealed };
}

type StoredChain = {
  readonly head: Head;
  readonly entries: readonly ChainedEntry[];
  /** The code that the first entry follows. */
  readonly after: string;
};
type Renewed = { readonly head: Head; readonly entries: readonly ChainedEntry[] };

/** With the entries changed. What was as written is so again, and what was not stays broken. */
export function renewChain(
  { head, entries, after }: StoredChain,
  change: (entry: ChainedEntry) => ChainedEntry,
  mac: Mac,
): Renewed {
  let before = { stored: after, renewed: after };
  const renewed = entries.map((entry) => {
    const isWhole = macOf(entry, before.stored, mac) === entry.mac;
    const changed = change(entry);
    const own = isWhole ? macOf(changed, before.renewed, mac) : entry.mac;
    before = { stored: entry.mac, renewed: own };
    return { ...changed, mac: own };
  });
  const isEnd = entries.at(-1)?.sequence === head.entries && before.stored === head.mac;
  if (!isEnd || sealOf(head, mac) !== head.seal) return { head, entries: renewed };
  const end = { ...head, mac: before.renewed };
  return { head: { ...end, seal: sealOf(end, mac) }, entries: renewed };
}

/** The same text for the same JSON, whatever a database did to its spaces and order of keys. */
const canonical = (json: unknown): string =>
  JSON.stringify(json, (_, value) => (isMap(value) ? sorted(value) : value));

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const sorted = (map: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1)));
