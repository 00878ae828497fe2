import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Condition, ConditionGroups } from '../resources/condition.ts';
import { conditionsText } from './condition-words.ts';

const group = (...conditions: Condition[]): ConditionGroups[number] => ({ conditions });
const disk = { type: 'incidentMessage', comparator: 'contains', text: 'disk' } as const;
const severe = { type: 'incidentSeverity', comparator: 'equals', severity: 'sev1' } as const;
const every = { type: 'allIncidents' } as const;
const night = {
  type: 'incidentTiming',
  start: '22:00',
  end: '06:00',
  timezone: 'Etc/UTC',
} as const;
const often = { type: 'incidentRepeatedWithin', count: 2, minutes: 30 } as const;
const host = {
  type: 'incidentDetails',
  key: 'host',
  comparator: 'doesNotMatch',
  text: '^db',
} as const;

const cases: readonly [ConditionGroups, string | null][] = [
  [[group(every)], null],
  [[group(disk), group(every)], null],
  [[group(disk, every)], 'title contains "disk"'],
  [[group(disk, severe)], 'title contains "disk" and severity equals SEV1'],
  [[group(disk), group(severe)], 'title contains "disk", or severity equals SEV1'],
  [
    [group(night, often)],
    'from 22:00 to 06:00 in Etc/UTC and at least 2 earlier incidents within 30 minutes',
  ],
  [[group(host)], 'detail host does not match "^db"'],
  [[group(disk, severe, night, often)], '4 conditions'],
];

for (const [groups, expected] of cases)
  test(`conditions in short: ${expected ?? 'every incident'}`, () => {
    assert.equal(conditionsText(groups), expected);
  });
