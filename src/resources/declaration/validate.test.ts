import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { TSchema } from 'typebox';
import { anyFields } from '../../../test/any-fields.ts';
import { alertRoutingRule } from '../alert-routing-rule.ts';
import { escalationPolicy } from '../escalation-policy.ts';
import { records } from '../index.ts';
import { integration } from '../integration.ts';
import { oncallSchedule } from '../oncall-schedule.ts';
import { outboundWebhook } from '../outbound-webhook.ts';
import { overrideInput } from '../override.ts';
import { id, objectOf, optional, text } from './field.ts';
import { isObject } from './is-object.ts';
import { readObject } from './validate.ts';

const user = '65f0a1b2c3d4e5f601234567';
const email = { via: 'email', user_id: user };

function problems(declared: typeof escalationPolicy | typeof integration, sent: unknown) {
  const read = readObject(declared.input, sent);
  return read.ok ? declared.check(read.value) : read.problems;
}

test('2.2.1 every step but the last waits at least a minute, at its own path', () => {
  const steps = [{ targets: [email] }, { targets: [email], escalate_after_minutes: 0 }];
  const path = (index: number) => `steps[${index}].escalate_after_minutes`;
  const message = 'must be at least 1 on every step except the last';
  assert.deepEqual(problems(escalationPolicy, { name: 'p', steps: [...steps, steps[0]] }), [
    { path: path(0), message },
    { path: path(1), message },
  ]);
  assert.deepEqual(problems(escalationPolicy, { name: 'p', steps: [steps[1]] }), []);
});

test('all mistakes are listed at once, each at its path', () => {
  const sent = { name: '', steps: [{ targets: [] }, { targets: [{ via: 'fax' }], more: 1 }], x: 1 };
  assert.deepEqual(problems(escalationPolicy, sent), [
    { path: 'name', message: 'must not be empty' },
    { path: 'steps[0].targets', message: 'must not be empty' },
    {
      path: 'steps[1].targets[0].via',
      message:
        'must be one of phone, sms, email, whatsapp, telegram, push-notification, slack, msteams, discord',
    },
    { path: 'steps[1].more', message: 'is not a known field' },
    { path: 'x', message: 'is not a known field' },
  ]);
});

test('a target has the fields of its channel and no others', () => {
  const policy = (target: object) => ({ name: 'p', steps: [{ targets: [target] }] });
  const paths = (target: object) =>
    problems(escalationPolicy, policy(target)).map((problem) => problem.path);
  assert.deepEqual(paths({ via: 'sms' }), ['steps[0].targets[0].user_id']);
  assert.deepEqual(paths({ ...email, oncall_schedule_id: user }), [
    'steps[0].targets[0].oncall_schedule_id',
  ]);
  assert.deepEqual(paths({ ...email, mention: '@here' }), ['steps[0].targets[0].mention']);
  assert.deepEqual(paths({ via: 'slack', user_id: user }), [
    'steps[0].targets[0].channel_id',
    'steps[0].targets[0].user_id',
  ]);
  assert.deepEqual(paths({ via: 'discord', webhook_url: 'https://d.test/x', mention: '@a' }), []);
});

test('a text that is no id is a mistake, however long it is', () => {
  for (const user_id of ['', 'ada', user.toUpperCase(), `${user}0`]) {
    const sent = { name: 'p', steps: [{ targets: [{ via: 'email', user_id }] }] };
    const path = 'steps[0].targets[0].user_id';
    const message = 'must be an id: 24 lowercase hex characters';
    assert.deepEqual(problems(escalationPolicy, sent), [{ path, message }]);
  }
});

test('null means absent, absent stays absent, and only documented defaults are filled in', () => {
  const sent = { slug: 'webhook', service_id: user, escalation_policy_id: user, name: null };
  const read = readObject(integration.input, sent);
  assert.deepEqual(read.ok && read.value, {
    slug: 'webhook',
    service_id: user,
    escalation_policy_id: user,
    repeat_escalation: false,
    disable_incident_suppression: false,
    enabled: true,
  });
});

type Schema = TSchema & { readonly [keyword: string]: unknown };

/** The value with a null for each field that it could have had: of a variant, those of all. */
function withNulls(schema: Schema, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => withNulls(schema['items'] as Schema, one));
  const shapes = (schema['anyOf'] ?? [schema]) as readonly Schema[];
  const declared = Object.assign({}, ...shapes.map(({ properties }) => properties));
  if (!isObject(value) || schema['patternProperties']) return value;
  const nulls = Object.keys(declared).map((name) => [name, null]);
  const sent = Object.entries(value).map(([name, one]) => [name, withNulls(declared[name], one)]);
  return { ...Object.fromEntries(nulls), ...Object.fromEntries(sent) };
}

const kinds = ['user', 'team', ...records.map(({ name }) => name)];
const existing = Object.fromEntries(kinds.map((kind) => [kind, [user]]));

for (const resource of records) {
  test(`null means absent in every field of a ${resource.name}, whatever its variant`, () => {
    fc.assert(
      fc.property(anyFields(resource, existing), (fields) => {
        const sent = withNulls({ ...resource.input }, fields);
        assert.deepEqual(readObject(resource.input, sent), readObject(resource.input, fields));
      }),
    );
  });
}

test('what is no field of any variant is refused, also as null', () => {
  const sent = { name: 'r', actions: [{ type: 'ignoreIncident', priority: null, color: null }] };
  const read = readObject(alertRoutingRule.input, sent);
  assert.deepEqual(!read.ok && read.problems.map(({ path }) => path), [
    'actions[0].color',
    'condition_groups',
  ]);
});

test('values stay as they were sent: empty texts, blanks, order of keys', () => {
  const sent = {
    url: 'https://x.test/?b=1&a=2',
    name: ' hook ',
    headers: { 'X-B': '', 'X-A': ' ' },
  };
  const read = readObject(outboundWebhook.input, sent);
  assert.equal(
    JSON.stringify(read.ok && read.value),
    JSON.stringify({ ...sent, method: 'GET', content_type: 'json' }),
  );
});

test('headers that the service sets itself, or that no request may hold, are refused', () => {
  const written = { name: 'n', url: 'https://x.test' };
  const read = readObject(outboundWebhook.input, {
    ...written,
    headers: { Host: 'a', 'Content-Type': 'b', 'Webhook-Id': 'c', 'X-Ok': 'd' },
  });
  assert.ok(read.ok);
  assert.deepEqual(
    outboundWebhook.check(read.value).map((problem) => problem.path),
    ['headers["Host"]', 'headers["Content-Type"]', 'headers["Webhook-Id"]'],
  );
  const broken = { ...written, headers: { 'X-Bad': 'a\nb', 'no name': 'c', 'X-Ok': 'd' } };
  const refused = readObject(outboundWebhook.input, broken);
  assert.deepEqual(refused.ok || refused.problems.map(({ path }) => path), [
    ...['headers["X-Bad"]', 'headers["no name"]'],
  ]);
});

test('auto_resolve is bounded per unit', () => {
  const sent = (after: number, unit: string) => ({
    slug: 'webhook',
    service_id: user,
    escalation_policy_id: user,
    auto_resolve: { after, unit },
  });
  assert.deepEqual(problems(integration, sent(1_440, 'minutes')), []);
  assert.deepEqual(problems(integration, sent(169, 'hours')), [
    { path: 'auto_resolve.after', message: 'must be at most 168 hours' },
  ]);
});

test('2.4 service_ids needs integration_ids; the type of a condition decides its fields', () => {
  const rule = {
    name: 'r',
    condition_groups: [{ conditions: [{ type: 'incidentTiming', start: '22:00', end: '24:00' }] }],
    actions: [{ type: 'shout' }, { type: 'priority', priority: 'p1', more: 1 }, {}],
  };
  const read = readObject(alertRoutingRule.input, rule);
  assert.deepEqual(!read.ok && read.problems.map((problem) => problem.path), [
    'condition_groups[0].conditions[0].end',
    'condition_groups[0].conditions[0].timezone',
    'actions[0].type',
    'actions[1].more',
    'actions[2].type',
  ]);
  const whole = {
    name: 'r',
    condition_groups: [{ conditions: [{ type: 'allIncidents' }] }],
    actions: [{ type: 'ignoreIncident' }],
    service_ids: [user],
  };
  const second = readObject(alertRoutingRule.input, whole);
  assert.deepEqual(second.ok && alertRoutingRule.check(second.value), [
    { path: 'service_ids', message: 'requires integration_ids' },
  ]);
});

test('2.4 a rule groups alerts once, and before they are counted', () => {
  const grouping = (window_minutes = 60) => ({
    type: 'groupIncident',
    by: ['details.labels.cluster'],
    across: 'team',
    window_minutes,
  });
  const problemsOf = (type: string, ...actions: readonly object[]) => {
    const counted = type === 'allIncidents' ? {} : { count: 2 };
    const conditions = [{ type: 'allIncidents' }, { type, ...counted }];
    const rule = { name: 'r', condition_groups: [{ conditions }], actions };
    const read = readObject(alertRoutingRule.input, rule);
    return read.ok ? alertRoutingRule.check(read.value) : read.problems;
  };
  assert.deepEqual(problemsOf('allIncidents', grouping()), []);
  assert.deepEqual(problemsOf('allIncidents', { ...grouping(), by: [] }), []);
  assert.deepEqual(problemsOf('allIncidents', grouping(43_201)), [
    { path: 'actions[0].window_minutes', message: 'must be at most 43200' },
  ]);
  assert.deepEqual(
    problemsOf('allIncidents', grouping(), { type: 'resolveIncident' }, grouping()),
    [{ path: 'actions[2]', message: 'cannot be combined with another groupIncident' }],
  );
  for (const type of ['incidentRepeated', 'incidentSuppressed'])
    assert.deepEqual(problemsOf(type, { type: 'resolveIncident' }, grouping()), [
      {
        path: 'actions[1]',
        message: `cannot be combined with the condition ${type}, because alerts are grouped before they are counted`,
      },
    ]);
  const unfit = { type: 'groupIncident', by: ['labels.cluster'], across: 'company' };
  assert.deepEqual(
    problemsOf('allIncidents', unfit).map(({ path }) => path),
    ['actions[0].by[0]', 'actions[0].across'],
  );
});

test('a layer may have turns with nobody but not only such turns; handoff_day is for weeks', () => {
  const layer = (users: unknown[]) => ({
    users,
    rotation: { length: 1, unit: 'days', handoff_day: 'friday' },
  });
  const read = readObject(oncallSchedule.input, {
    name: 's',
    layers: [layer([null, user]), layer([null])],
  });
  assert.ok(read.ok);
  assert.deepEqual(
    oncallSchedule.check(read.value).map((problem) => problem.path),
    ['layers[0].rotation.handoff_day', 'layers[1].rotation.handoff_day', 'layers[1].users'],
  );
  assert.equal(read.value['timezone'], 'Etc/UTC');
});

test('texts that no database can hold are refused', () => {
  for (const name of ['a\0b', '\ud800']) {
    const read = readObject(outboundWebhook.input, { name, url: 'https://x.test' });
    assert.deepEqual(!read.ok && read.problems, [
      { path: 'name', message: 'must be valid Unicode without NUL characters' },
    ]);
  }
});

test('a text that is no time is a mistake, and so is a time too far away', () => {
  const message = 'must be an ISO 8601 time with its offset, such as 2026-01-31T09:00:00Z';
  const sent = { user_id: user, start: 'tomorrow', end: '3000-01-01T00:00Z' };
  const read = readObject(overrideInput, sent);
  assert.deepEqual(read.ok || read.problems, [
    { path: 'start', message },
    { path: 'end', message: 'must be between the years 1000 and 2999' },
  ]);
});

test('a time after the year 9999 is none, however its offset hides that', () => {
  const schema = objectOf({ at: text({ doc: 'When.', format: 'date-time' }) });
  const isRead = (at: string) => readObject(schema, { at }).ok;
  assert.ok(isRead('9999-12-31T23:59:59.999Z'));
  for (const at of ['9999-12-31T23:59:59-00:01', '+012026-01-01T00:00Z', '-000001-01-01T00:00Z'])
    assert.ok(!isRead(at), at);
});

test('what is to be ignored is read all the same if the schema has it', () => {
  const schema = objectOf({ user_id: optional(id('Somebody.')) });
  const sent = { user_id: 'a'.repeat(24), version: 2 };
  const read = readObject(schema, sent, { ignored: ['user_id', 'version'] });
  assert.deepEqual(read, { ok: true, value: { user_id: 'a'.repeat(24) } });
});
