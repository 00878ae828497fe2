import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testApi } from '../../../test/api.ts';
import { anyDatabase, testDatabase } from '../../../test/database.ts';
import { seedOrganization } from '../../../test/world.ts';

const many = <One>(length: number, one: One): One[] => new Array<One>(length).fill(one);

test('a record with as many members in all its lists as are declared is accepted and read', async () => {
  await using database = await testDatabase({ server: await anyDatabase() });
  await using api = await testApi({ sql: database.sql });
  const world = await seedOrganization(database.sql, { users: [{ name: 'ada' }], teams: ['ops'] });
  const key = world.caller({ defaultTeamId: world.teams['ops'] ?? null });
  const user_id = world.users['ada'];

  const targets = many(2_000, { via: 'push-notification', user_id });
  const steps = many(50, { targets, escalate_after_minutes: 5 });
  const policy = { name: 'Everybody', steps };
  const window = { from_day: 'monday', from_time: '09:00', to_day: 'monday', to_time: '17:00' };
  const layer = {
    users: many(1_000, user_id),
    rotation: { length: 1, unit: 'weeks' },
    restriction: { type: 'weekly', windows: many(100, window) },
  };
  const schedule = { name: 'Everybody', layers: many(100, layer) };

  for (const [route, body] of [
    ['escalation-policies', policy],
    ['on-calls', schedule],
  ] as const) {
    const made = await api.send(key, `POST /${route}`, { body });
    assert.equal(made.status, 201, JSON.stringify(made.body).slice(0, 1_000));
    const read = await api.send(key, `GET /${route}/${made.body.id}`);
    assert.deepEqual({ ...read.body, ...body }, read.body);
    const { warnings: _, ...written } = made.body;
    assert.deepEqual(written, read.body);
  }
});
