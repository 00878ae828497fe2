import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { testApi } from '../../../test/api.ts';
import { anyDatabase, testDatabase } from '../../../test/database.ts';
import { seedOrganization } from '../../../test/world.ts';
import { records } from '../../resources/index.ts';

const server = await anyDatabase();
const RUNS = 300;

const anyResource = fc.constantFrom(...records);
const anyString = fc.string({ unit: 'binary' });
/** JSON that begins like a record and goes wrong somewhere. */
const anyBody = anyResource.chain((resource) => {
  const names = [...Object.keys(resource.output.properties), '__proto__', 'constructor'];
  const value = fc.oneof(fc.jsonValue({ stringUnit: 'binary' }), fc.constant('0'.repeat(24)));
  return fc.record({
    path: fc.constant(`/${resource.route}`),
    body: fc.oneof(value, fc.dictionary(fc.constantFrom(...names), value)),
  });
});

test('no body, address, query or header is ever an error of ours', async () => {
  await using database = await testDatabase({ server });
  await using api = await testApi({ sql: database.sql, requestBurst: 1_000_000 });
  const world = await seedOrganization(database.sql, { users: [{ name: 'ada' }] });
  const key = world.caller();
  await api.send(key, 'POST /services', { body: { name: 's' } });
  await fc.assert(
    fc.asyncProperty(anyBody, anyString, anyString, async ({ path, body }, one, other) => {
      const part = encodeURIComponent(one.toWellFormed());
      const parameter = encodeURIComponent(other.toWellFormed());
      for (const request of [
        `POST ${path}`,
        `PUT ${path}/1`,
        `PATCH ${path}/1`,
        `GET ${path}/${part}`,
        `GET ${path}?name=${parameter}&cursor=${part}`,
        `DELETE ${path}/${part}?${parameter}`,
      ]) {
        const headers = { 'if-match': part.slice(0, 50), 'x-team-id': parameter.slice(0, 50) };
        const sent = request.startsWith('P') ? { body } : { headers };
        const answer = await api.send(key, request, sent);
        assert.ok(answer.status < 500, `${request}: ${JSON.stringify(answer.body)}`);
      }
    }),
    { numRuns: RUNS },
  );
});

test('of thousands of mistakes the first hundred are listed, with how many there are', async () => {
  await using database = await testDatabase({ server });
  await using api = await testApi({ sql: database.sql });
  const world = await seedOrganization(database.sql, {});
  const targets = Array.from({ length: 1_999 }, () => ({ via: 'pigeon' }));
  const body = { name: 'Pigeons', steps: [{ targets }] };
  const answer = await api.send(world.caller(), 'POST /escalation-policies', { body });
  assert.equal(answer.status, 422);
  assert.equal(answer.body.issues.length, 101);
  assert.equal(answer.body.issues[99].path, 'steps[0].targets[99].via');
  assert.deepEqual(answer.body.issues[100], {
    path: '',
    message: 'has 1000 or more errors, of which the first 100 are listed',
  });
});

test('all mistakes are listed at once, with those of rules that span fields', async () => {
  await using database = await testDatabase({ server });
  await using api = await testApi({ sql: database.sql });
  const world = await seedOrganization(database.sql, { users: [{ name: 'ada' }] });
  const target = { via: 'email', user_id: world.users['ada'] };
  const steps = [{ targets: [target] }, { targets: [{ via: 'sms' }] }];
  const body = { name: 7, steps, more: true };
  const answer = await api.send(world.caller(), 'POST /escalation-policies', { body });
  assert.equal(answer.status, 422);
  assert.deepEqual(
    answer.body.issues.map((issue: { path: string }) => issue.path),
    ['name', 'more', 'steps[0].escalate_after_minutes', 'steps[1].targets[0].user_id'],
  );
  const rotation = { length: 1, unit: 'days' };
  const layers = [
    { users: [target.user_id], rotation: { length: 0, unit: 'days' } },
    { users: ['e'.repeat(24), target.user_id], rotation },
    { users: [target.user_id], rotation: { ...rotation, handoff_day: 'monday' } },
  ];
  const mixed = await api.send(world.caller(), 'POST /on-calls', { body: { name: 'n', layers } });
  assert.deepEqual(
    mixed.body.issues.map((issue: { path: string }) => issue.path),
    ['layers[0].rotation.length', 'layers[2].rotation.handoff_day', 'layers[1].users[0]'],
  );
});
