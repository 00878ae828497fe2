import assert from 'node:assert/strict';
import { test } from 'node:test';
import { putAt } from '../../../test/terraform/put-at.ts';
import { fromJson } from '../convert.ts';
import { managed, managedAs } from '../managed.ts';
import { Unknown, type Value } from '../protocol/value.ts';
import { plannedRecord } from './planned-record.ts';

const policies = managedAs(managed, 'pager_escalation_policy');
const schedules = managedAs(managed, 'pager_oncall_schedule');
const webhooks = managedAs(managed, 'pager_outbound_webhook');
const unknown = new Unknown();
const rotation = { length: 1, unit: 'weeks' };

const policy = (...targets: object[]): Value =>
  fromJson(policies.attributes, { name: 'p', steps: [{ targets }] });
const schedule = (layers: object[], more: object = {}): Value =>
  fromJson(schedules.attributes, { id: 's1', counter: 1, name: 's', layers, ...more });

test('a new record is previewed without what only the service sets', () => {
  const planned = putAt(putAt(policy(), ['id'], unknown), ['counter'], unknown);
  assert.deepEqual(plannedRecord(policies, { prior: null, planned }), {
    kind: 'escalation_policy',
    record: { name: 'p', steps: [{ targets: [] }] },
    unknown: [],
  });
});

const targets = [
  { via: 'email', user_id: 'ada' },
  { via: 'email', oncall_schedule_id: 'later' },
];
const hidden = [
  {
    what: 'a field in a list',
    at: ['steps', 0, 'targets', 1, 'oncall_schedule_id'],
    unknown: 'steps[0].targets[1].oncall_schedule_id',
    steps: [{ targets: [targets[0], { via: 'email' }] }],
  },
  {
    what: 'a member of a list, whose place stays',
    at: ['steps', 0, 'targets', 0],
    unknown: 'steps[0].targets[0]',
    steps: [{ targets: [null, targets[1]] }],
  },
  {
    what: 'a list in a list',
    at: ['steps', 0, 'targets'],
    unknown: 'steps[0].targets',
    steps: [{}],
  },
];
for (const { what, at, unknown: path, steps } of hidden)
  test(`what is unknown is named by its path: ${what}`, () => {
    const planned = putAt(policy(...targets), at, unknown);
    assert.deepEqual(plannedRecord(policies, { prior: null, planned }), {
      kind: 'escalation_policy',
      record: { name: 'p', steps },
      unknown: [path],
    });
  });

test('what is unknown is named by its path: a field, a text of a list and one of a map', () => {
  const layers = putAt(schedule([{ users: ['ada', 'x'], rotation }]), ['timezone'], unknown);
  const planned = putAt(layers, ['layers', 0, 'users', 1], unknown);
  const one = plannedRecord(schedules, { prior: null, planned });
  assert.deepEqual(one.unknown.toSorted(), ['layers[0].users[1]', 'timezone']);
  assert.deepEqual(one.record['layers'], [{ users: ['ada', null], rotation }]);

  const webhook = fromJson(webhooks.attributes, { name: 'w', headers: { Key: 'x' } });
  const named = putAt(webhook, ['headers', 'Key'], unknown);
  assert.deepEqual(plannedRecord(webhooks, { prior: null, planned: named }).unknown, [
    'headers["Key"]',
  ]);
});

test('a secret that no plan has is unknown', () => {
  const slack = { via: 'slack' };
  const planned = policy({ ...slack, webhook_url_wo_version: 1 });
  assert.deepEqual(plannedRecord(policies, { prior: null, planned }), {
    kind: 'escalation_policy',
    record: { name: 'p', steps: [{ targets: [slack] }] },
    unknown: ['steps[0].targets[0].webhook_url'],
  });
});

const dated = { id: 'l1', users: ['ada'], rotation, ends_at: '2026-02-01T00:00:00Z' };
const before = { id: 's1', version: 3, name: 's', timezone: 'Etc/UTC', layers: [dated] };
const layers = [{ users: ['ada'], rotation }];

test('a changed record keeps what the service has where the plan leaves it alone', () => {
  const prior = schedule(layers, { timezone: 'Etc/UTC' });
  const renamed = putAt(prior, ['name'], 't');
  const { record, unknown: paths } = plannedRecord(schedules, { prior, planned: renamed, before });
  assert.deepEqual([record['name'], record['layers'], paths], ['t', [dated], []]);
});

test('a changed record has what the plan writes, and null for what it removes or leaves open', () => {
  const described = (description: string | null): Value =>
    fromJson(policies.attributes, { id: 'p1', name: 'p', steps: [], description });
  const planned = putAt(described(null), ['steps'], unknown);
  const one = plannedRecord(policies, { prior: described('long'), planned });
  assert.deepEqual(one, {
    kind: 'escalation_policy',
    record: { id: 'p1', name: 'p', steps: null, description: null },
    unknown: ['steps'],
  });

  const prior = schedule(layers, { timezone: 'Etc/UTC' });
  const after = [{ users: ['grace'], rotation }];
  const edited = schedule(after, { timezone: 'Etc/UTC' });
  const { record } = plannedRecord(schedules, { prior, planned: edited, before });
  assert.deepEqual(record['layers'], after);
});
