import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyFields } from '../../test/any-fields.ts';
import { readObject } from '../resources/declaration/validate.ts';
import { escalationPolicy } from '../resources/escalation-policy.ts';
import { records } from '../resources/index.ts';
import { outboundWebhook } from '../resources/outbound-webhook.ts';
import { fromJson, fromRecord, toJson } from './convert.ts';
import { Decimal, decodeValue, encodeValue, Unknown } from './protocol/value.ts';
import { objectType, resourceAttributes } from './schema.ts';

const ids = ['65f0a1b2c3d4e5f601234567', '65f0a1b2c3d4e5f601234568'];
const kinds = ['user', 'team', ...records.map(({ name }) => name)];
const existing = Object.fromEntries(kinds.map((kind) => [kind, ids]));

for (const resource of records) {
  test(`a ${resource.name} comes through Terraform as it was`, () => {
    const attributes = resourceAttributes(resource);
    const type = objectType(attributes);
    fc.assert(
      fc.property(anyFields(resource, existing), (fields) => {
        const value = fromRecord(attributes, fields);
        const back = toJson(attributes, decodeValue(type, encodeValue(type, value)));
        assert.deepEqual(back, JSON.parse(JSON.stringify(inTerraform(fields))));
      }),
    );
  });
}

/** What Terraform cannot express is lost. */
function inTerraform(fields: Readonly<Record<string, unknown>>) {
  const { uncovered_by_design: _hours, ...known } = fields;
  if (!Array.isArray(known['layers'])) return known;
  const layers = known['layers'].map((layer) => {
    const { starts_at: _start, ends_at: _end, rotation, users, ...rest } = layer;
    const { since: _since, counts: _counts, ...turning } = rotation;
    const people = users.filter((user: string | null) => user !== null);
    return { ...rest, users: people, rotation: turning };
  });
  return { ...known, layers };
}

const policy = resourceAttributes(escalationPolicy);
const webhook = resourceAttributes(outboundWebhook);

test('every attribute is there, at every depth, and nothing else is', () => {
  const json = { version: 3, id: ids[0], name: 'p', steps: [{ targets: [{ via: 'sms' }] }] };
  assert.deepEqual(fromJson(policy, json), {
    id: ids[0],
    counter: null,
    name: 'p',
    steps: [
      {
        targets: [
          {
            via: 'sms',
            user_id: null,
            oncall_schedule_id: null,
            channel_id: null,
            channel_name: null,
            mention: null,
            webhook_url: null,
            webhook_url_wo: null,
            webhook_url_wo_version: null,
          },
        ],
        escalate_after_minutes: null,
      },
    ],
    delay_minutes: null,
    description: null,
    archive_replacement_policy_id: null,
    team_id: null,
  });
});

test('the API is not told what it sets itself, nor what has no value', () => {
  const planned = {
    id: new Unknown(),
    counter: 7,
    team_id: new Unknown(),
    name: 'hook',
    url: 'https://x.test',
    method: 'GET',
    content_type: 'json',
    headers: { a: '', b: null },
    description: null,
  };
  assert.deepEqual(toJson(webhook, planned), {
    name: 'hook',
    url: 'https://x.test',
    method: 'GET',
    content_type: 'json',
    headers: { a: '' },
  });
});

test('empty values are values', () => {
  const fields = { name: '', headers: {}, description: '' };
  assert.deepEqual(toJson(webhook, fromJson(webhook, fields)), fields);
  assert.deepEqual(toJson(policy, { name: '', steps: [] }), { name: '', steps: [] });
});

test('a null in a list is told', () => {
  assert.deepEqual(toJson(policy, { steps: [null] }), { steps: [null] });
});

test('what is unknown below the top is never told', () => {
  assert.throws(() => toJson(policy, { steps: [new Unknown()] }), /unknown/);
  assert.throws(() => toJson(webhook, { headers: { a: new Unknown() } }), /unknown/);
});

test('names that every object has stay what they were', () => {
  const json = { name: 'n', url: 'u', headers: JSON.parse('{"__proto__":"a","constructor":"b"}') };
  const back = toJson(webhook, fromJson(webhook, json));
  assert.equal(JSON.stringify(back), JSON.stringify(json));
});

const delays = [
  { text: '5.0', is: 5 },
  { text: '50e-1', is: 5 },
  { text: '0.5e1', is: 5 },
  { text: '1e1', is: 10 },
  { text: '-0.0', is: -0 },
  { text: '0e-7', is: 0 },
  { text: '5.5', is: Number.NaN },
  { text: '5.00000000000000000001', is: Number.NaN },
  { text: '1e-1', is: Number.NaN },
];
for (const { text, is } of delays) {
  test(`the number ${text} is told as ${is}`, () => {
    assert.equal(toJson(policy, { delay_minutes: new Decimal(text) })['delay_minutes'], is);
  });
}

test('a number too large for JavaScript is refused, however it is written', () => {
  for (const text of ['18446744073709551616', '1e400', '9007199254740993']) {
    const json = toJson(policy, { name: 'p', steps: [], delay_minutes: new Decimal(text) });
    const read = readObject(escalationPolicy.input, json);
    const problem = !read.ok && read.problems.find(({ path }) => path === 'delay_minutes');
    assert.deepEqual(problem, { path: 'delay_minutes', message: 'must be a whole number' });
  }
});

test('an answer that is no record is refused', () => {
  assert.throws(() => fromJson(policy, { steps: { targets: [] } }), /not a list/);
  assert.throws(() => fromJson(policy, { name: true }), /not of the type string/);
});
