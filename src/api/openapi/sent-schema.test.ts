import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  choice,
  id,
  listOf,
  listOfNullable,
  mapOf,
  objectOf,
  optional,
  text,
  wholeNumber,
} from '../../resources/declaration/field.ts';
import { asSent, withIgnored } from './sent-schema.ts';

const service = { to: 'service', within: 'team' } as const;
const schema = objectOf({
  name: text({ doc: 'A name.', min: 1 }),
  note: optional(text({ doc: 'A note.' })),
  level: optional(choice(['low', 'high'], { doc: 'A level.' })),
  service_id: optional(id('A service.', service)),
  owner_id: id('A person.', { to: 'user', within: 'organization' }),
  site: optional(text({ doc: 'An address.', format: 'uri' })),
  users: listOfNullable(id('A person.'), { doc: 'People.', max: 3 }),
  headers: optional(mapOf(text({ doc: 'A value.' }), { doc: 'Headers.', max: 2 })),
  inner: optional(objectOf({ minutes: wholeNumber({ doc: 'Minutes.', min: 1, max: 9 }) })),
  all: optional(listOf(objectOf({ name: text({ doc: 'A name.' }) }), { doc: 'All.', max: 2 })),
});
type Shape = { type: unknown; enum: unknown; pattern: string; required: unknown; items: Shape };
const fieldsOf = (sent: unknown) => (sent as { properties: Record<string, Shape> }).properties;

test('null stands for absence wherever a field may be absent', () => {
  const sent = fieldsOf(asSent(schema));
  assert.deepEqual([sent['name']?.type, sent['note']?.type], ['string', ['string', 'null']]);
  assert.deepEqual(sent['level']?.enum, ['low', 'high', null]);
  assert.deepEqual(sent['users']?.items.type, ['string', 'null']);
  const { additionalProperties } = sent['headers'] as unknown as { additionalProperties: Shape };
  assert.deepEqual(additionalProperties.type, ['string', 'null']);
});

test('texts have no NUL, addresses are of http, records have counters and people addresses', () => {
  const sent = fieldsOf(asSent(schema));
  const fits = (name: string, value: string) => new RegExp(sent[name]?.pattern ?? '').test(value);
  assert.deepEqual([fits('name', 'a'), fits('name', 'a\0')], [true, false]);
  assert.deepEqual([fits('site', 'HTTPS://a'), fits('site', 'ftp://a')], [true, false]);
  assert.deepEqual(sent['service_id']?.type, ['string', 'integer', 'null']);
  assert.deepEqual([fits('service_id', '12'), fits('service_id', '0')], [true, false]);
  assert.deepEqual([fits('owner_id', 'a@b.test'), fits('owner_id', '12')], [true, false]);
});

test('a patch requires nothing, within objects neither, but within lists', () => {
  const whole = asSent(schema);
  const patch = asSent(schema, { isPatch: true });
  assert.deepEqual(whole['required'], ['name', 'owner_id', 'users']);
  assert.equal(patch['required'], undefined);
  assert.deepEqual(fieldsOf(patch)['name']?.type, 'string');
  assert.deepEqual(fieldsOf(patch)['inner']?.required, undefined);
  assert.deepEqual(fieldsOf(patch)['all']?.items.required, ['name']);
});

test('what a client may send back is there, and is ignored whatever it is', () => {
  const answered = objectOf({ id: id('The id.'), name: text({ doc: 'A name.' }) });
  const sent = withIgnored(asSent(schema), ['id', 'name', 'other'], answered);
  const properties = fieldsOf(sent);
  assert.deepEqual(properties['id'], { description: 'The id.', readOnly: true });
  assert.equal(properties['name']?.type, 'string');
  assert.equal('other' in properties, false);
});
