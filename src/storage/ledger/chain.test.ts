import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { buildSecrets } from '../../../test/secrets.ts';
import { chain, type Entry, macOf, noMac } from './chain.ts';

const { mac } = buildSecrets('k'.repeat(64));
const ids = { organization_id: 'o'.repeat(24), incident_id: 'i'.repeat(24) };
const entry = (fields: Partial<Entry> = {}): Entry => ({
  ...ids,
  id: '1'.repeat(24),
  at: Temporal.Instant.from('2026-03-02T09:00:00Z'),
  type: 'note',
  text: 'It burns',
  actor: null,
  details: null,
  ...fields,
});

test('entries are counted on from the head of their own incident', () => {
  const other = 'j'.repeat(24);
  const first = chain([entry(), entry({ incident_id: other })], [], mac);
  const then = chain([entry({ incident_id: other }), entry()], first.heads, mac);
  assert.deepEqual(
    [...first.entries, ...then.entries].map((one) => `${one.incident_id[0]} ${one.sequence}`),
    ['i 1', 'j 1', 'j 2', 'i 2'],
  );
  assert.deepEqual(
    then.heads.map(({ entries }) => entries),
    [2, 2],
  );
});

test('the code of an entry differs with each thing that it says, and with what came before', () => {
  const changes: readonly Partial<Entry>[] = [
    { organization_id: 'p'.repeat(24) },
    { incident_id: 'j'.repeat(24) },
    { id: '2'.repeat(24) },
    { at: Temporal.Instant.from('2026-03-02T09:00:00.001Z') },
    { type: 'unchanged' },
    { text: 'It burned' },
    { actor: { name: 'Ada' } },
    { details: { name: 'Ada' } },
    { details: 'null' },
    { type: '"note","It', text: 'burns' },
  ];
  const codes = [
    macOf(entry(), noMac, mac),
    macOf(entry(), mac('before'), mac),
    macOf(entry(), noMac, buildSecrets('x'.repeat(64)).mac),
    ...changes.map((change) => macOf(entry(change), noMac, mac)),
  ];
  assert.equal(new Set(codes).size, codes.length);
});

test('the code is the same for any JSON, written and read again with its keys in another order', () => {
  const turned = (json: unknown): unknown => {
    if (Array.isArray(json)) return json.map(turned);
    if (typeof json !== 'object' || json === null) return json;
    const reversed = Object.entries(json).reverse();
    return Object.fromEntries(reversed.map(([key, value]) => [key, turned(value)]));
  };
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), (json) => {
      const again = turned(JSON.parse(JSON.stringify(json, null, 2)));
      assert.equal(
        macOf(entry({ details: again }), noMac, mac),
        macOf(entry({ details: json }), noMac, mac),
      );
    }),
  );
});
