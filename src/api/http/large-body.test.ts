import assert from 'node:assert/strict';
import { test } from 'node:test';
import { escalationPolicy } from '../../resources/escalation-policy.ts';
import { oncallSchedule } from '../../resources/oncall-schedule.ts';
import { readBody } from '../records/body.ts';
import { type BodyOf, bodyIn, readLargeBody } from './large-body.ts';

const there = (value: unknown, of: BodyOf, sizes = [1]) => {
  const bytes = Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
  const blocks = sizes.map((_, index) =>
    bytes.subarray(
      (bytes.length * index) / sizes.length,
      (bytes.length * (index + 1)) / sizes.length,
    ),
  );
  return readLargeBody({ blocks, of });
};
const policy = { name: escalationPolicy.name, isPatch: false };
const user_id = 'a'.repeat(24);
const targets = (length: number, user = user_id) =>
  Array.from({ length }, () => ({ via: 'email', user_id: user, channel_id: null }));
const steps = (count: number, each: number) =>
  Array.from({ length: count }, () => ({ targets: targets(each), escalate_after_minutes: 5 }));

test('a body is what its lines say, however it is cut', async () => {
  const values = [
    { text: 'ü\n"', lists: [[], [1, null, { a: ['é'] }]], empty: [], ['__proto__']: 1 },
    { long: Array.from({ length: 30_000 }, (_, index) => `member ${index}`), last: true },
    ...[[1, 2], true, null, 7],
  ];
  for (const value of values)
    for (const sizes of [[1], [1, 2, 3, 4, 5]]) {
      const read = await bodyIn(there(value, {}, sizes));
      assert.equal(JSON.stringify(read.value), JSON.stringify(value));
      assert.equal(read.asRead.size, 0);
    }
});

test('a record is read as a whole, and not again', async () => {
  const sent = { id: user_id, name: 'P', description: null, steps: steps(3, 1_000) };
  const { value, asRead } = await bodyIn(there(sent, { record: policy }));
  const read = readBody(escalationPolicy, sent);
  assert.deepEqual(readBody(escalationPolicy, value, asRead), read);
  assert.deepEqual(read.problems, []);
  assert.deepEqual(value, read.fields);
  assert.ok(asRead.has(value));
});

test('of a patch the lists are read, and what it removes is still told', async () => {
  const record = { name: escalationPolicy.name, isPatch: true };
  const sent = { description: null, steps: steps(2, 2) };
  const { value, asRead } = await bodyIn(there(sent, { record }));
  const { description, steps: read } = value as { description: unknown; steps: unknown };
  const [target] = targets(1).map(({ channel_id: _, ...rest }) => rest);
  const step = { targets: [target, target], escalate_after_minutes: 5 };
  assert.deepEqual([description, read], [null, [step, step]]);
  assert.deepEqual([...asRead], [read]);
});

test('layers may be sent back as they were read', async () => {
  const layer = { id: 'L1', anchor: { turn: 1 }, users: [user_id], rotation: rotation() };
  const record = { name: oncallSchedule.name, isPatch: true };
  const { value } = await bodyIn(there({ layers: [layer] }, { record }));
  assert.deepEqual(value, { layers: [{ users: [user_id], rotation: rotation() }] });
});

const rotation = () => ({ length: 1, unit: 'weeks' });

test('mistakes are told where they are read, those of rules too', () => {
  const wrong = { name: 7, steps: [{ targets: targets(1) }, { targets: targets(1, 'nobody') }] };
  const paths = (of: BodyOf) => {
    try {
      there(wrong, of);
      return [];
    } catch (error) {
      return (error as { issues: { path: string }[] }).issues.map(({ path }) => path);
    }
  };
  assert.deepEqual(paths({ record: policy }), [
    ...['name', 'steps[1].targets[0].user_id', 'steps[0].escalate_after_minutes'],
  ]);
  assert.deepEqual(paths({ record: { ...policy, isPatch: true } }), [
    ...['name', 'steps[1].targets[0].user_id'],
  ]);
  assert.deepEqual(paths({ schema: escalationPolicy.input }), []);
  assert.throws(() => there('{"a":', {}), { code: 'unreadable' });
});
