import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Unknown, type Value } from '../protocol/value.ts';
import { reconcile, refresh } from './reconcile.ts';

const unknown = new Unknown();
const scalars = [fc.constant(null), fc.boolean(), fc.integer(), fc.string({ maxLength: 3 })];
const { known: anyKnown, any: anyPlanned } = fc.letrec<{ known: Value; any: Value }>((tie) => ({
  known: fc.oneof({ depthSize: 'small' }, ...scalars, ...nested(tie('known'))),
  any: fc.oneof({ depthSize: 'small' }, ...scalars, fc.constant(unknown), ...nested(tie('any'))),
}));

function nested(inner: fc.Arbitrary<Value>): fc.Arbitrary<Value>[] {
  const names = fc.constantFrom('a', 'b', 'constructor', '__proto__');
  return [
    fc.array(inner, { maxLength: 3 }),
    // fast-check sets fields, which loses __proto__.
    fc.array(fc.tuple(names, inner), { maxLength: 3 }).map((all) => Object.fromEntries(all)),
  ];
}

/** Whether a value is what was planned but for what was unknown. */
function keeps(planned: Value, reconciled: Value): boolean {
  if (planned instanceof Unknown) return !hasUnknown(reconciled);
  if (typeof planned !== 'object' || planned === null) return reconciled === planned;
  const [was, is] = [Object.entries(planned), Object.entries(reconciled ?? {})];
  return (
    Array.isArray(planned) === Array.isArray(reconciled) &&
    was.length === is.length &&
    was.every(([name, one], index) => name === is[index]?.[0] && keeps(one, is[index][1]))
  );
}

function hasUnknown(value: Value): boolean {
  if (value instanceof Unknown) return true;
  return typeof value === 'object' && value !== null && Object.values(value).some(hasUnknown);
}

test('whatever is answered, what was planned stays and nothing is left unknown', () => {
  fc.assert(
    fc.property(anyPlanned, anyKnown, (planned, answered) => {
      const reconciled = reconcile(planned, answered);
      assert.ok(keeps(planned, reconciled));
      assert.ok(!hasUnknown(reconciled));
    }),
  );
});

const answers: readonly { what: string; planned: Value; answered: Value; reconciled: Value }[] = [
  { what: 'an unknown value is answered', planned: unknown, answered: 'a', reconciled: 'a' },
  {
    what: 'of a list of equal length each member is answered',
    planned: { steps: [{ a: 1, b: unknown }, unknown] },
    answered: { steps: [{ a: 2, b: 3 }, { a: 4 }] },
    reconciled: { steps: [{ a: 1, b: 3 }, { a: 4 }] },
  },
  {
    what: 'of a list of another length no member is answered',
    planned: [{ a: 1, b: unknown }],
    answered: [{ a: 1, b: 2 }, { a: 3 }],
    reconciled: [{ a: 1, b: null }],
  },
  {
    what: 'a member that was not planned is not kept',
    planned: { headers: { a: unknown } },
    answered: { headers: { a: '1', b: '2' } },
    reconciled: { headers: { a: '1' } },
  },
  {
    what: 'what the answer lacks is null',
    planned: { a: unknown, constructor: unknown, c: null },
    answered: {},
    reconciled: { a: null, constructor: null, c: null },
  },
  {
    what: 'a planned null is not filled in',
    planned: { a: null },
    answered: { a: '' },
    reconciled: { a: null },
  },
  { what: 'a planned empty list stays', planned: [], answered: null, reconciled: [] },
];
for (const { what, planned, answered, reconciled } of answers)
  test(`${what}`, () => assert.deepEqual(reconcile(planned, answered), reconciled));

const reads: readonly { what: string; prior: Value; answered: Value; reconciled: Value }[] = [
  { what: 'the answer is read at import', prior: null, answered: { a: 1 }, reconciled: { a: 1 } },
  {
    what: 'drift shows: an empty text, list or map is not none',
    prior: { a: null, b: null, c: null },
    answered: { a: '', b: [], c: {} },
    reconciled: { a: '', b: [], c: {} },
  },
  {
    what: 'drift shows: none is not an empty text',
    prior: { a: '' },
    answered: { a: null },
    reconciled: { a: null },
  },
  {
    what: 'a null member of a map, which the API does not keep, is still there',
    prior: { headers: { a: null, b: 'x' } },
    answered: { headers: { b: 'y', c: 'z' } },
    reconciled: { headers: { b: 'y', c: 'z', a: null } },
  },
  {
    what: 'a null member of a map that has got a value since shows it',
    prior: { headers: { a: null } },
    answered: { headers: { a: 'x' } },
    reconciled: { headers: { a: 'x' } },
  },
  {
    what: 'a member that was removed is gone',
    prior: { headers: { a: 'x' } },
    answered: { headers: {} },
    reconciled: { headers: {} },
  },
  { what: 'a list is read as it is now', prior: ['a', 'b'], answered: ['b'], reconciled: ['b'] },
];
for (const { what, prior, answered, reconciled } of reads)
  test(`${what}`, () => assert.deepEqual(refresh(prior, answered), reconciled));

test('reading again changes nothing', () => {
  fc.assert(
    fc.property(anyKnown, anyKnown, (prior, answered) => {
      const reconciled = refresh(prior, answered);
      assert.deepEqual(refresh(reconciled, answered), reconciled);
      assert.deepEqual(refresh(answered, answered), answered);
    }),
  );
});
