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

/** As far as a chain was made anew: the code of its last entry there, as it was and as it is now. */
export type RenewedEnd = {
  readonly sequence: number;
  readonly stored: string;
  readonly renewed: string;
};

/** Those that follow, changed. What was as written is so again, and what was not stays broken. */
export function renewEntries(
  entries: readonly ChainedEntry[],
  after: RenewedEnd,
  { change, mac }: { readonly change: (entry: ChainedEntry) => ChainedEntry; readonly mac: Mac },
): { readonly entries: readonly ChainedEntry[]; readonly end: RenewedEnd } {
  let end = after;
  const renewed = entries.map((entry) => {
    const isWhole = macOf(entry, end.stored, mac) === entry.mac;
    const changed = change(entry);
    const own = isWhole ? macOf(changed, end.renewed, mac) : entry.mac;
    end = { sequence: entry.sequence, stored: entry.mac, renewed: own };
    return { ...changed, mac: own };
  });
  return { entries: renewed, end };
}

/** Of a chain that was made anew to its end. */
export function renewHead(head: Head, end: RenewedEnd, mac: Mac): Head {
  const isEnd = end.sequence === head.entries && end.stored === head.mac;
  if (!isEnd || sealOf(head, mac) !== head.seal) return head;
  const renewed = { ...head, mac: end.renewed };
  return { ...renewed, seal: sealOf(renewed, mac) };
}

/** The same text for the same JSON, whatever a database did to its spaces and order of keys. */
const canonical = (json: unknown): string =>
  JSON.stringify(json, (_, value) => (isMap(value) ? sorted(value) : value));

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const sorted = (map: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1)));
