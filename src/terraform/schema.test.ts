import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import Type from 'typebox';
import { schemaText } from '../../test/terraform/schema-text.ts';
import { objectOf, text, variant, wholeNumber } from '../resources/declaration/field.ts';
import { resource } from '../resources/declaration/resource.ts';
import { records } from '../resources/index.ts';
import { dataSources } from './data-sources/index.ts';
import { managed } from './managed.ts';
import { type Attribute, objectType, resourceAttributes } from './schema.ts';
import { schemaMessage } from './schema-message.ts';

const attributesOf = (name: string) => {
  const declared = records.find((each) => each.name === name);
  return declared ? resourceAttributes(declared) : assert.fail(name);
};

const attributeOf = (resource: string, ...path: readonly string[]): Attribute => {
  const [name, ...rest] = path;
  let attribute = attributesOf(resource).find((each) => each.name === name);
  for (const step of rest) {
    const inner = attribute && 'attributes' in attribute.shape ? attribute.shape.attributes : [];
    attribute = inner.find((each) => each.name === step);
  }
  return attribute ?? assert.fail(`${resource} has no ${path.join('.')}`);
};

test('what users depend on has not changed', (t) => {
  const file = join(import.meta.dirname, '..', '..', 'test', 'terraform', 'schema.txt');
  const types = managed.map(({ typeName, attributes }) => [typeName, attributes]);
  const sources = dataSources.map((each) => [`data ${each.typeName}`, each.attributes]);
  const text = schemaText(Object.fromEntries([...types, ...sources]));
  t.assert.fileSnapshot(text, file, { serializers: [String] });
});

const set = [
  { path: ['service', 'name'], is: 'required' },
  { path: ['service', 'description'], is: 'optional' },
  { path: ['service', 'id'], is: 'computed' },
  { path: ['service', 'counter'], is: 'computed' },
  { path: ['service', 'team_id'], is: 'fallback' },
  { path: ['integration', 'enabled'], is: 'fallback' },
  { path: ['integration', 'token'], is: 'computed' },
  { path: ['escalation_policy', 'steps', 'targets', 'via'], is: 'required' },
  { path: ['escalation_policy', 'steps', 'escalate_after_minutes'], is: 'optional' },
] as const;

for (const { path, is } of set) {
  test(`${path.join('.')} is ${is}`, () => {
    const [resource, ...rest] = path;
    assert.equal(attributeOf(resource, ...rest).set, is);
  });
}

test('secrets are sensitive wherever they stand', () => {
  const sensitive = (attributes: readonly Attribute[]): readonly string[] =>
    attributes.flatMap(({ name, isSensitive, shape }) => [
      ...(isSensitive ? [name] : []),
      ...('attributes' in shape ? sensitive(shape.attributes) : []),
    ]);
  const secrets = records.map((each) => [each.name, sensitive(resourceAttributes(each))]);
  assert.deepEqual(Object.fromEntries(secrets), {
    service: [],
    escalation_policy: ['webhook_url'],
    integration: ['webhook_url', 'email_address', 'token'],
    alert_routing_rule: [],
    outbound_webhook: ['url'],
    oncall_schedule: [],
    playbook: [],
  });
});

test('what a data source answers has nothing that is written only', () => {
  const names = (attributes: readonly Attribute[]): readonly string[] =>
    attributes.flatMap(({ name, shape }) => [
      name,
      ...('attributes' in shape ? names(shape.attributes) : []),
    ]);
  const read = dataSources.flatMap(({ attributes }) => names(attributes));
  assert.deepEqual(
    read.filter((name) => /_wo(_version)?$/.test(name)),
    [],
  );
});

test('what Terraform cannot express is left out', () => {
  const { shape } = attributeOf('oncall_schedule', 'layers');
  const inner = 'attributes' in shape ? shape.attributes.map(({ name }) => name) : [];
  assert.deepEqual(inner, ['name', 'users', 'rotation', 'restriction']);
  const rotation = attributeOf('oncall_schedule', 'layers', 'rotation');
  const turning = 'attributes' in rotation.shape ? rotation.shape.attributes : [];
  assert.deepEqual(
    turning.map(({ name }) => name),
    ['length', 'unit', 'handoff', 'handoff_day'],
  );
});

test('fewer choices in Terraform are the ones it is told', () => {
  const { description } = attributeOf('outbound_webhook', 'method');
  assert.match(description, /One of `GET`, `POST`\. PUT is for shift .* Default: `GET`\.$/);
});

test('how great or how long something may be is known, but not of what has a form', () => {
  const limits = (...path: [string, ...string[]]) => attributeOf(...path).limits;
  assert.equal(limits('service', 'name'), '1 to 255 characters');
  assert.equal(limits('service', 'description'), 'At most 10000 characters');
  assert.equal(limits('escalation_policy', 'delay_minutes'), '0 to 1440');
  assert.equal(limits('escalation_policy', 'steps', 'targets'), '1 to 2000 members');
  assert.equal(limits('outbound_webhook', 'headers'), 'At most 100 members');
  assert.equal(limits('outbound_webhook', 'method'), undefined);
  assert.equal(limits('integration', 'service_id'), undefined);
  assert.equal(limits('oncall_schedule', 'timezone'), undefined);
  assert.equal(limits('oncall_schedule', 'layers', 'rotation', 'handoff'), undefined);
});

test('of variants, one object has the fields of all, and says which goes with which', () => {
  const comparator = attributeOf('alert_routing_rule', 'condition_groups', 'conditions', 'type');
  assert.equal(comparator.set, 'required');
  const integration = attributeOf('alert_routing_rule', 'actions', 'integration_id');
  assert.deepEqual(integration, {
    name: 'integration_id',
    description:
      'With type `integration`: The integration that the incident moves to. With type `routeToTeam`: The integration of that team that receives the incident.',
    limits: undefined,
    set: 'optional',
    isSensitive: false,
    shape: { type: 'string' },
  });
});

test('variants whose fields differ in type are refused', () => {
  const one = { doc: 'One.', fields: { size: text({ doc: 'As text.' }) } };
  const size = wholeNumber({ doc: 'As a number.', min: 0, max: 1 });
  const other = { doc: 'Another.', fields: { size } };
  const thing = variant('type', { one, other }, 'A thing.');
  const base = { name: 'x', table: 'xs', route: 'xs', doc: 'X.' };
  assert.throws(() => resourceAttributes(resource({ ...base, fields: { thing } })), /size has not/);
});

test('limits that differ between variants are told with their variants', () => {
  const most = (max: number) => ({
    doc: 'One.',
    fields: { size: wholeNumber({ doc: 'How great.', min: 0, max }) },
  });
  const thing = variant('type', { one: most(1), other: most(2), third: most(2) }, 'A thing.');
  const base = { name: 'x', table: 'xs', route: 'xs', doc: 'X.' };
  const attributes = resourceAttributes(resource({ ...base, fields: { thing } }));
  const { shape } = attributes.find(({ name }) => name === 'thing') ?? assert.fail();
  const size = 'attributes' in shape && shape.attributes.find(({ name }) => name === 'size');
  assert.ok(size);
  assert.equal(
    size.description,
    'With type `one`: How great. 0 to 1. With type `other`, `third`: How great. 0 to 2.',
  );
  assert.equal(size.limits, undefined);
});

test('a shape that Terraform has not is refused', () => {
  const base = { name: 'x', table: 'xs', route: 'xs', doc: 'X.' };
  const fields = { any: Type.Unknown(), map: Type.Record(Type.String(), objectOf({})) };
  for (const [name, field] of Object.entries(fields))
    assert.throws(() => resourceAttributes(resource({ ...base, fields: { [name]: field } })));
});

test('the type of a record follows its attributes', () => {
  assert.deepEqual(objectType(attributesOf('outbound_webhook')), [
    'object',
    {
      id: 'string',
      counter: 'number',
      name: 'string',
      url: 'string',
      method: 'string',
      url_wo: 'string',
      url_wo_version: 'number',
      content_type: 'string',
      headers: ['map', 'string'],
      description: 'string',
      team_id: 'string',
    },
  ]);
  const rotation = attributeOf('oncall_schedule', 'layers', 'rotation');
  const text = 'string';
  assert.deepEqual(objectType([rotation]), [
    'object',
    { rotation: ['object', { length: 'number', unit: text, handoff: text, handoff_day: text }] },
  ]);
});

test('an attribute with attributes of its own has no type on the wire', () => {
  const { block } = schemaMessage('doc', attributesOf('integration'));
  const onWire = (name: string) => block?.attributes?.find((each) => each.name === name);
  assert.equal(onWire('auto_resolve')?.type, undefined);
  assert.equal(onWire('auto_resolve')?.nested_type?.nesting, 1);
  assert.equal(String(onWire('slug')?.type), '"string"');
});
