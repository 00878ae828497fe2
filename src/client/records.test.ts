import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyFields, type Existing, withSlug } from '../../test/any-fields.ts';
import { startClient } from '../../test/client.ts';
import { startWebhookServer } from '../../test/webhook-server.ts';
import type { Resource } from '../resources/declaration/resource.ts';
import { records as declared } from '../resources/index.ts';
import { integration } from '../resources/integration.ts';
import { oncallSchedule } from '../resources/oncall-schedule.ts';
import { outboundWebhook } from '../resources/outbound-webhook.ts';
import { service } from '../resources/service.ts';
import { type Fields, failureText, type Result } from './answer.ts';
import { createNodeClient } from './node.ts';
import { createRecords } from './records.ts';

function got<Value>(result: Result<Value>): Value {
  assert.ok(result.ok, JSON.stringify(result));
  return result.value;
}

function refusalOf(result: Result<unknown>): string {
  assert.ok(!result.ok);
  return result.failure.type === 'refused' ? result.failure.code : result.failure.type;
}

function twoOf(resource: Resource, existing: Existing): [Fields, Fields] {
  const any = anyFields(resource, existing).map((one) => withSlug(resource, one));
  const [one = {}, other = {}] = fc.sample(any, 2);
  return [one, other];
}

test('every kind of record is made, read, listed, changed and archived', async () => {
  await using at = await startClient();
  const { records } = at;
  for (const resource of declared) {
    const [fields, others] = twoOf(resource, at.existing);
    const made = got(await records.create(resource, { fields })).record;
    const read = got(await records.read(resource, made.id));
    assert.deepEqual({ ...read, layers: null }, { ...made, layers: null });
    assert.deepEqual(got(await records.read(resource, String(made.counter))), read);
    assert.deepEqual(got(await records.list(resource)).at(-1), made);
    const change = { id: made.id, version: made.version, before: fields, fields: others };
    const changed = got(await records.update(resource, change)).record;
    assert.equal(changed.version, made.version + 1);
    got(await records.archive(resource, { id: made.id, version: 2 }));
    const gone = got(await records.read(resource, made.id));
    assert.equal(typeof gone.archived_at, 'string');
    const left = got(await records.list(resource));
    assert.ok(left.every(({ id }) => id !== made.id));
  }
});

test('a new record is of the team that the client is told', async () => {
  await using at = await startClient();
  const fields = { name: 's' };
  for (const teamId of [at.ops, at.web]) {
    const { record } = got(await at.records.create(service, { fields, teamId }));
    assert.equal(record.team_id, teamId);
  }
});

test('a schedule is read with the identity of its layers', async () => {
  await using at = await startClient();
  const layers = [{ users: [at.ada], rotation: { length: 1, unit: 'weeks' } }];
  const fields = { name: 'o', layers };
  const { id } = got(await at.records.create(oncallSchedule, { fields })).record;
  const [layer] = got(await at.records.read(oncallSchedule, id)).layers;
  assert.deepEqual(Object.keys(layer ?? {}), ['id', 'users', 'rotation', 'anchor']);
});

test('a list is read to its end', async () => {
  await using at = await startClient();
  const ids = await at.services(400);
  const all = got(await at.records.list(service)).map(({ id }) => id);
  assert.deepEqual(all.slice(1), ids);
  assert.equal(at.sent(), 3);
});

test('of a list that lacks what cannot be read it is said so', async () => {
  await using at = await startClient();
  await at.sql`update integrations set token_encrypted = 'AAAA'`;
  const listed = await at.records.list(integration);
  assert.equal(refusalOf(listed), 'internal');
  assert.match(
    listed.ok ? '' : failureText(listed.failure),
    /^The integration 1 \(.*cannot be read/,
  );
});

test('what the API refuses keeps its code', async () => {
  await using at = await startClient();
  const { records } = at;
  assert.equal(refusalOf(await records.read(service, '0'.repeat(24))), 'not_found');
  assert.equal(refusalOf(await records.read(service, '../teams')), 'not_found');
  assert.equal(refusalOf(await records.create(service, { fields: {} })), 'validation_failed');
  const { id } = got(await records.create(service, { fields: { name: 's' } })).record;
  const stale = { id, version: 7, before: { name: 's' }, fields: { name: 't' } };
  assert.equal(refusalOf(await records.update(service, stale)), 'stale_version');
});

test('a create whose answer is lost makes one record', async () => {
  await using at = await startClient({ losesAnswersOf: 'POST' });
  const { record } = got(await at.records.create(service, { fields: { name: 's' } }));
  assert.deepEqual(got(await at.records.list(service)).slice(1), [record]);
  assert.equal(at.lost(), 1);
});

test('of an update only what differs is sent', async () => {
  await using at = await startClient();
  const { records } = at;
  const before = { name: 'w', url: 'https://w.test', headers: { one: '1', two: '2' } };
  const { id } = got(await records.create(outboundWebhook, { fields: before })).record;
  await at.api.send(at.key, `PATCH /outbound-webhooks/${id}`, { body: { description: 'd' } });
  const { headers: _headers, ...bare } = before;
  const states = [
    { ...before, name: 'v' },
    { ...before, headers: { two: '3' } },
    { ...before, headers: {} },
    bare,
    before,
  ];
  let last: Fields = before;
  for (const fields of states) {
    const { record } = got(await records.update(outboundWebhook, { id, before: last, fields }));
    const { name, url, headers, description } = record;
    const is = { name, url, ...(headers !== undefined && { headers }) };
    assert.deepEqual([is, description], [fields, 'd']);
    last = fields;
  }
});

test('an update whose answer is lost is not taken for somebody else’s', async () => {
  await using at = await startClient({ losesAnswersOf: 'PATCH' });
  for (const resource of declared) {
    const [fields, others] = twoOf(resource, at.existing);
    const { id, version } = got(await at.records.create(resource, { fields })).record;
    const sent = { description: null, ...others };
    const after = 'description' in resource.fields ? sent : others;
    const change = { id, version, before: fields, fields: after };
    const { record } = got(await at.records.update(resource, change));
    assert.deepEqual([record.id, record.version], [id, version + 1], resource.name);
  }
  assert.equal(at.lost(), declared.length);
});

test('somebody else’s change is never taken for our own', async () => {
  await using at = await startClient();
  const { records } = at;
  const { id } = got(await records.create(service, { fields: { name: 'a' } })).record;
  const [a, b] = [{ name: 'a' }, { name: 'b' }];
  const others = { name: 'b', description: 'd' };
  got(await records.update(service, { id, before: a, fields: others }));
  const ours = { id, version: 1, before: a, fields: b };
  assert.equal(refusalOf(await records.update(service, ours)), 'stale_version');
  got(await records.update(service, { id, before: others, fields: b }));
  assert.equal(refusalOf(await records.update(service, ours)), 'stale_version');
});

test('a list that leads back to itself is not followed', async () => {
  await using server = await startWebhookServer((_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end('{"data":[],"next_cursor":"again"}');
  });
  const client = createNodeClient({ baseUrl: server.url, apiKey: 'k', userAgent: 'test' });
  assert.equal(refusalOf(await createRecords(client).list(service)), 'not_pager');
  client.close();
});

test('JSON that is no record is not taken for one', async () => {
  await using server = await startWebhookServer((_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end('{"data":[{}],"next_cursor":null}');
  });
  const client = createNodeClient({ baseUrl: server.url, apiKey: 'k', userAgent: 'test' });
  const records = createRecords(client);
  const fields = { name: 's' };
  const id = '0'.repeat(24);
  for (const result of [
    await records.read(service, id),
    await records.create(service, { fields }),
    await records.update(service, { id, before: {}, fields }),
    await records.archive(service, { id }),
    await records.list(service),
  ])
    assert.equal(refusalOf(result), 'not_pager');
  client.close();
});

test('a record that is too large is told as that, in the middle of being sent', async () => {
  await using at = await startClient();
  const url = await at.api.app.listen({ host: '127.0.0.1', port: 0 });
  const address = { baseUrl: `${url}/api/v1`, apiKey: at.key.id, userAgent: 'test' };
  const client = createNodeClient({ ...address, wait: async () => {} });
  for (const megabytes of [17, 60]) {
    const fields = { name: 'x', description: 'x'.repeat(megabytes * 1_048_576) };
    assert.equal(refusalOf(await createRecords(client).create(service, { fields })), 'too_large');
  }
  client.close();
});
