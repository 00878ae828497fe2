// Who is on call, asked by a configuration.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fieldOf } from '../../src/terraform/convert.ts';
import type { Value } from '../../src/terraform/protocol/value.ts';
import { anyDatabase } from '../database.ts';
import { type InProcess, inProcessKey, startInProcess } from '../system/in-process.ts';
import { Core, errorsOf } from './core.ts';

const type = 'pager_oncall_now';
const core = new Core();
let server: InProcess;
let user_id: string;
before(async () => {
  const owner = { PAGER_BOOTSTRAP_EMAIL: 'owner@example.com' };
  server = await startInProcess(await anyDatabase(), owner);
  await core.configure({ api_key: inProcessKey, base_url: `${server.url}/api/v1` });
  [{ id: user_id }] = await server.api.list('users');
});
after(() => server[Symbol.asyncDispose]());

const scheduleNamed = (name: string, fields: object = {}) =>
  server.api.create('on-calls', {
    name,
    layers: [{ users: [user_id], rotation: { length: 1, unit: 'weeks' }, ...fields }],
  });

const fields = (value: Value, ...names: readonly string[]) =>
  names.map((name) => fieldOf(value, name));

test('who is on call, and who is next, of a schedule by id, name or counter', async () => {
  const { id, counter, team_id } = await scheduleNamed('Support');
  const { body } = await server.api.send(`GET /on-calls/${id}/now`);
  for (const key of [{ id }, { name: 'Support' }, { counter }, { name: 'Support', team_id }]) {
    const { state, diagnostics } = await core.readData(type, key);
    assert.deepEqual(diagnostics, []);
    assert.deepEqual(fields(state.value, 'id', 'name', 'counter'), [id, 'Support', counter]);
    for (const which of ['now', 'next'] as const) {
      const { user, start, end } = body[which];
      const { first_name, last_name } = user;
      assert.deepEqual(fieldOf(state.value, which), {
        user_id,
        first_name,
        last_name,
        email: 'owner@example.com',
        layer: 0,
        override: false,
        start,
        end,
      });
    }
  }
});

test('a team that the key has no access to, and two keys at once, are errors', async () => {
  const { id } = await scheduleNamed('Elsewhere');
  const team_id = 'f'.repeat(24);
  const elsewhere = await core.readData(type, { id, team_id });
  assert.match(
    errorsOf(elsewhere.diagnostics).join(),
    /f+ does not match any team that the API key can see/,
  );
  const both = await core.readData(type, { id, counter: 1 });
  assert.match(errorsOf(both.diagnostics).join(), /exactly one of id, name and counter/);
});

test('an override is told as one', async () => {
  const { id } = await scheduleNamed('Overridden');
  const [start, end] = ['2020-01-01T00:00:00Z', '2029-01-01T00:00:00Z'];
  await server.api.create(`on-calls/${id}/overrides`, { user_id, start, end });
  const { state } = await core.readData(type, { id });
  const now = fieldOf(state.value, 'now');
  assert.deepEqual(fields(now, 'user_id', 'layer', 'override'), [user_id, null, true]);
});

test('where nobody is on call, nobody is', async () => {
  const { id } = await scheduleNamed('Ended', { ends_at: '2020-01-01T00:00:00Z' });
  const { state, diagnostics } = await core.readData(type, { id });
  assert.deepEqual(diagnostics, []);
  assert.deepEqual(fields(state.value, 'now', 'next'), [null, null]);
});
