import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startRecordsApi } from '../../../test/records-api.ts';
import { seedOrganization } from '../../../test/world.ts';
import { memoryLimits } from '../../limits/memory.ts';
import { createUnknownKeys } from './unknown-keys.ts';

const keyOf = (number: number) => `unknown-key-${String(number).padStart(4, '0')}`;

function buildUnknownKeys() {
  let now = Temporal.Instant.from('2026-01-01T10:00:30Z');
  const keys = createUnknownKeys({
    clock: { now: () => now },
    digest: (text) => Buffer.from(text),
  });
  return {
    ...keys,
    listed: () => keys.list(async () => []),
    pass(seconds: number) {
      now = now.add({ seconds });
    },
  };
}

test('an unknown key is counted, by its end and to the minute, the last sent first', async () => {
  const { note, listed, pass } = buildUnknownKeys();
  note('pagerduty', keyOf(1), 'zabbix');
  pass(10);
  note('opsgenie', keyOf(1), undefined);
  pass(60);
  note('pagerduty', keyOf(1), 'zabbix/7');
  assert.deepEqual(await listed(), [
    {
      kind: 'pagerduty',
      last4: '0001',
      user_agent: 'zabbix/7',
      count: 2,
      first_seen_at: '2026-01-01T10:00:00.000Z',
      last_seen_at: '2026-01-01T10:01:00.000Z',
    },
    {
      kind: 'opsgenie',
      last4: '0001',
      user_agent: '',
      count: 1,
      first_seen_at: '2026-01-01T10:00:00.000Z',
      last_seen_at: '2026-01-01T10:00:00.000Z',
    },
  ]);
});

test('what could not be adopted is not listed, and user agents are bounded', async () => {
  const { note, listed } = buildUnknownKeys();
  for (const key of ['', 'short', 'with space', 'x'.repeat(129), 'null\0null\0'])
    note('pagerduty', key, 'x');
  assert.deepEqual(await listed(), []);
  note('pagerduty', keyOf(1), `a\0${'b'.repeat(10_000)}`);
  const [{ user_agent } = { user_agent: '' }] = await listed();
  assert.ok(user_agent.length < 1_000 && user_agent.startsWith('ab'), String(user_agent.length));
});

test('guesses displace each other, and not what a tool goes on sending', async () => {
  const { note, listed, pass } = buildUnknownKeys();
  for (const _time of [1, 2]) note('pagerduty', keyOf(0), 'a tool');
  for (let each = 1; each <= 3 * memoryLimits.unknownKeys; each++) {
    pass(1);
    note('pagerduty', keyOf(each), 'a guesser');
  }
  const all = await listed();
  assert.equal(all.length, memoryLimits.unknownKeys);
  assert.equal(all.at(-1)?.user_agent, 'a tool');
  assert.equal(all[0]?.last4, keyOf(3 * memoryLimits.unknownKeys).slice(-4));
});

test('admins of the only organization see them, until they are adopted', async () => {
  await using at = await startRecordsApi();
  const { api, world } = at;
  const key = world.caller({ role: 'admin' });
  const id = await at.integration(await at.make('services', { name: 's' }), await at.policy());
  api.unknownKeys.note('pagerduty', keyOf(1), 'zabbix');
  api.unknownKeys.note('opsgenie', keyOf(2), 'zabbix');
  const line = 'GET /unknown-keys';
  const ends = async () => {
    const { status, body } = await api.send(key, line);
    assert.equal(status, 200);
    return body.data.map(({ last4 }: { last4: string }) => last4).sort();
  };
  assert.deepEqual(await ends(), ['0001', '0002']);
  const body = { kind: 'pagerduty', key: keyOf(1) };
  await api.send(key, `POST /integrations/${id}/adopted-keys`, { body });
  assert.deepEqual(await ends(), ['0002']);
  for (const caller of [
    world.caller({ role: 'manager' }),
    world.caller({ role: 'admin', teamIds: [at.ops] }),
  ])
    assert.equal((await api.send(caller, line)).status, 403);
});

test('where there are several organizations, nobody sees them', async () => {
  await using at = await startRecordsApi();
  const { api, sql } = at;
  const key = at.world.caller({ role: 'admin' });
  api.unknownKeys.note('pagerduty', keyOf(1), 'zabbix');
  assert.equal((await api.send(key, 'GET /unknown-keys')).status, 200);
  await seedOrganization(sql);
  const { status, body } = await api.send(key, 'GET /unknown-keys');
  assert.deepEqual([status, body.error], [403, 'forbidden']);
});
