import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noon } from '../../../test/incident-life.ts';
import {
  afterFailure,
  afterSuccess,
  type Circuit,
  closedCircuit,
  orderOf,
  probing,
} from './circuit.ts';

const after = (seconds: number) => noon.add({ seconds });
const failedAt = (...seconds: readonly number[]): Circuit =>
  seconds.reduce((circuit, second) => afterFailure(circuit, after(second)), closedCircuit);
const open = failedAt(0, 1, 2, 3, 4);
const untilOf = ({ openUntil }: Circuit) => openUntil && `${openUntil}`;

for (const { name, seconds, openFor } of [
  { name: 'four failures leave it closed', seconds: [0, 1, 2, 3], openFor: null },
  { name: 'five in two minutes open it', seconds: [0, 30, 60, 90, 119], openFor: 119 + 60 },
  { name: 'the first of five is too old', seconds: [0, 30, 60, 90, 120], openFor: null },
  { name: 'five at once open it', seconds: [0, 0, 0, 0, 0], openFor: 60 },
  { name: 'further ones do not keep it open', seconds: [0, 0, 0, 0, 0, 30, 59], openFor: 60 },
  { name: 'one after its time opens it anew', seconds: [0, 0, 0, 0, 0, 60], openFor: 120 },
])
  test(name, () => {
    assert.equal(untilOf(failedAt(...seconds)), openFor === null ? null : `${after(openFor)}`);
  });

test('failures are kept for as long as they count', () => {
  assert.deepEqual(failedAt(0, 1, 130).failures.map(String), [`${after(130)}`]);
});

test('a success closes it, unless it may be of what was sent before it opened', () => {
  assert.equal(afterSuccess(open, after(4 + 19)), open);
  assert.deepEqual(afterSuccess(open, after(4 + 20)), closedCircuit);
});

test('a success does not undo failures: of a vendor that fails now and then, others are first', () => {
  const failures = failedAt(0, 1, 2, 3);
  assert.equal(afterSuccess(failures, after(3)), failures);
});

const [a, b, c] = ['a', 'b', 'c'].map((id) => ({ id, circuit: closedCircuit }));
assert.ok(a && b && c);
const opened = ({ id }: { readonly id: string }, circuit = open) => ({ id, circuit });
const probed = { ...open, probeUntil: after(120) };

for (const { name, connections, at, order, probe } of [
  { name: 'closed ones keep their order', connections: [a, b], at: 0, order: 'ab', probe: null },
  { name: 'an open one comes last', connections: [opened(a), b, c], at: 5, order: 'bca' },
  { name: 'the only way is used', connections: [opened(a)], at: 5, order: 'a' },
  {
    name: 'where all are open, all are used',
    connections: [opened(a), opened(b)],
    at: 5,
    order: 'ab',
  },
  {
    name: 'once its time is over, one page tries',
    connections: [opened(a), b],
    at: 64,
    order: 'ba',
    probe: 'a',
  },
  {
    name: 'not while another page tries',
    connections: [opened(a, probed), b],
    at: 64,
    order: 'ba',
  },
  {
    name: 'a try that never ended is made anew',
    connections: [opened(a, probed), b],
    at: 120,
    order: 'ba',
    probe: 'a',
  },
  {
    name: 'one that would not come first is not tried',
    connections: [b, opened(a)],
    at: 64,
    order: 'ba',
  },
  {
    name: 'of two the first is tried',
    connections: [opened(a), opened(b), c],
    at: 64,
    order: 'cab',
    probe: 'a',
  },
])
  test(name, () => {
    const turns = orderOf(connections, after(at));
    assert.equal(turns.order.map(({ id }) => id).join(''), order);
    assert.equal(turns.probe?.id, probe ?? undefined);
  });

test('the page that tries goes on with the others', () => {
  const ids = probing([b, c, opened(a)], opened(a)).map(({ id }) => id);
  assert.deepEqual(ids, ['a', 'b', 'c']);
});
