import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildSecrets } from '../../../test/secrets.ts';
import { type ChainedEntry, chain, type Head, removalSealOf, sealOf } from '../ledger/chain.ts';
import { breaks, type HeadRead, type Link } from './links.ts';

const { mac } = buildSecrets('k'.repeat(64));
const at = Temporal.Instant.from('2026-03-02T09:00:00Z');
const ids = { organization_id: 'o'.repeat(24), incident_id: 'i'.repeat(24) };
const note = { ...ids, at, type: 'note', text: 'It burns', actor: null, details: null };
const written = chain(
  ['1', '2', '3', '4'].map((id) => ({ ...note, id })),
  [],
  mac,
);

type Stored = { readonly entries: readonly ChainedEntry[]; readonly head: HeadRead };
type Case = {
  readonly text: string;
  readonly change: (stored: Stored) => Partial<Stored>;
  readonly broken: readonly string[];
};

const goneAt =
  (index: number) =>
  ({ entries }: Stored) => ({ entries: entries.toSpliced(index, 1) });
const changedAt =
  (index: number, change: Partial<ChainedEntry>) =>
  ({ entries }: Stored) => ({
    entries: entries.map((entry, at) => (at === index ? { ...entry, ...change } : entry)),
  });
/** As a server leaves a timeline of which it removed the first entries. */
const removedUntil =
  (place: number, seal?: string) =>
  ({ entries, head }: Stored) => {
    const removal = { entries: place, mac: entries[place - 1]?.mac ?? '', at };
    const sealed = { ...removal, seal: seal ?? removalSealOf(head, removal, mac) };
    return { entries: entries.slice(place), head: { ...head, removal: sealed } };
  };
const changed = 'this entry, or the one before it, was changed';

const cases: readonly Case[] = [
  { text: 'what was written', change: () => ({}), broken: [] },
  {
    text: 'another text',
    change: changedAt(1, { text: 'It burned' }),
    broken: [`2 ${changed}`],
  },
  {
    text: 'another code, which the next entry was made of',
    change: changedAt(1, { mac: mac('mine') }),
    broken: [`2 ${changed}`, `3 ${changed}`],
  },
  { text: 'no second entry', change: goneAt(1), broken: ['3 1 before this entry are missing'] },
  { text: 'no last entry', change: goneAt(3), broken: ['the end: the last 1 entries are missing'] },
  {
    text: 'no entry at all',
    change: () => ({ entries: [] }),
    broken: ['the end: the last 4 entries are missing'],
  },
  {
    text: 'an entry twice',
    change: ({ entries }) => ({ entries: entries.flatMap((one) => [one, one]).slice(0, 2) }),
    broken: ['1 two entries have this sequence', 'the end: the last 3 entries are missing'],
  },
  {
    text: 'an entry more than the head knows',
    change: ({ head }) => {
      const { entries } = written;
      const earlier = { ...head, entries: 3, mac: entries[2]?.mac ?? '' };
      return { head: { ...earlier, seal: sealOf(earlier, mac), removal: null } };
    },
    broken: ['the end: the chain does not end at its head'],
  },
  {
    text: 'the first entries removed after their time',
    change: (stored) => removedUntil(2)(stored),
    broken: [],
  },
  {
    text: 'all entries removed after their time',
    change: (stored) => removedUntil(4)(stored),
    broken: [],
  },
  {
    text: 'another entry gone than those that were removed',
    change: (stored) => ({ ...removedUntil(2)(stored), entries: stored.entries.slice(3) }),
    broken: ['4 1 before this entry are missing'],
  },
  {
    text: 'an entry back that was removed',
    change: (stored) => ({ ...removedUntil(2)(stored), entries: stored.entries.slice(1) }),
    broken: ['2 two entries have this sequence'],
  },
  {
    text: 'a removal that no server with the key wrote down',
    change: (stored) => removedUntil(4, 'forged')(stored),
    broken: ['the end: its record of removed entries was changed'],
  },
  {
    text: 'a removal of another number than was sealed',
    change(stored) {
      const { head } = removedUntil(2)(stored);
      const { removal } = removedUntil(4)(stored).head;
      const more = removal && { ...removal, seal: head.removal?.seal ?? '' };
      return { entries: [], head: { ...head, removal: more } };
    },
    broken: ['the end: its record of removed entries was changed'],
  },
  {
    text: 'a head that nobody sealed',
    change: ({ head }) => ({ head: { ...head, entries: 3 } }),
    broken: ['the end: the head was changed'],
  },
];

for (const { text, change, broken } of cases)
  test(`of ${text}, the breaks are ${broken.length}`, async () => {
    const [head] = written.heads;
    assert.ok(head);
    const stored = { entries: written.entries, head: { ...head, removal: null } };
    const { entries, head: changedHead } = { ...stored, ...change(stored) };
    const links: Link[] = entries.map((entry) => ({ head: changedHead, entry }));
    const read = links.length > 0 ? links : [{ head: changedHead, entry: null }];
    const results = await Array.fromAsync(breaks(each(read), mac));
    assert.deepEqual(
      results.map((one) => `${one.entry_id ?? 'the end:'} ${one.text}`),
      broken,
    );
  });

test('each chain is read by itself', async () => {
  const other = chain([{ ...note, id: '5', incident_id: 'j'.repeat(24) }], [], mac);
  const links = [written, other].flatMap(({ entries, heads: [head] }) =>
    entries.map((entry) => ({ entry, head: { ...(head as Head), removal: null } })),
  );
  assert.deepEqual(await Array.fromAsync(breaks(each(links), mac)), []);
});

async function* each(links: readonly Link[]): AsyncGenerator<Link> {
  yield* links;
}
