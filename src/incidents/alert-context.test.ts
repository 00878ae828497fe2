import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Life, noon } from '../../test/incident-life.ts';
import { keyStateAfter, type LastOfKey } from './alert-context.ts';

const { incident } = new Life();
const last: LastOfKey = {
  repeat_count: 2,
  created_at: noon,
  priority: 'high',
  severity: 'critical',
  escalation: { repeatedAt: [1, 2], prioritySetByPerson: false, severitySetByPerson: false },
};

const cases: Readonly<
  Record<string, { fields: Partial<LastOfKey>; repeatedAt: number[]; carried: unknown }>
> = {
  'what rules set is set again by rules': {
    fields: {},
    repeatedAt: [1, 2, noon.epochMilliseconds],
    carried: { priority: null, severity: null },
  },
  'what a person set is carried over': {
    fields: {
      escalation: { repeatedAt: [], prioritySetByPerson: true, severitySetByPerson: true },
    },
    repeatedAt: [noon.epochMilliseconds],
    carried: { priority: 'high', severity: 'critical' },
  },
  'nothing is carried over from one that cannot be read': {
    fields: { escalation: undefined },
    repeatedAt: [noon.epochMilliseconds],
    carried: { priority: null, severity: null },
  },
};

for (const [title, { fields, repeatedAt, carried }] of Object.entries(cases))
  test(title, () => {
    const state = keyStateAfter({ ...last, ...fields }, []);
    assert.deepEqual(state, { open: [], repeatCount: 3, repeatedAt, carried });
  });

test('incidents that a key leads to are in the order in which they were opened', () => {
  const numbered = [3, 1, 2].map((number) => ({ ...incident, number }));
  assert.deepEqual(
    keyStateAfter(last, numbered).open.map(({ number }) => number),
    [1, 2, 3],
  );
});
