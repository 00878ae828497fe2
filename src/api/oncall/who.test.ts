import assert from 'node:assert/strict';
import { test } from 'node:test';
import { daily, startOnCallApi, weekly } from '../../../test/on-call-api.ts';
import { seedOrganization } from '../../../test/world.ts';

type Row = Record<string, string> & { user: { id: string } | null };

test('the list tells who is on call of each active schedule, those with nobody too', async () => {
  await using at = await startOnCallApi();
  await at.schedule([{ users: [at.ada, at.bob], rotation: daily }], { name: 'days' });
  const empty = { users: [at.bob], rotation: daily, starts_at: '2026-03-05T00:00:00Z' };
  await at.schedule([empty], { name: 'later', team_id: at.web });
  const gone = await at.schedule([{ users: [at.ada], rotation: daily }], { name: 'gone' });
  await at.send(`DELETE /on-calls/${gone}`);
  const { body } = await at.send('GET /on-calls/now');
  assert.equal(body.next_cursor, null);
  assert.deepEqual(
    body.data.map(({ name, user, start, next }: Row & { next: Row }) => [
      name,
      user?.id,
      start,
      next.user?.id,
      next['start'],
    ]),
    [
      ['days', at.ada, '2026-03-02T00:00:00.000Z', at.bob, '2026-03-03T00:00:00.000Z'],
      ['later', undefined, null, at.bob, '2026-03-05T00:00:00.000Z'],
    ],
  );
  const names = async (query: string) =>
    (await at.send(`GET /on-calls/now?${query}`)).body.data.map(({ name }: Row) => name);
  assert.deepEqual(await names(`team_id=${at.web}`), ['later']);
  assert.deepEqual(await names(`user_id=${at.bob}`), []);
  assert.deepEqual(await names(`user_id=${at.bob}&at=2026-03-05T12:00:00Z`), ['days', 'later']);
});

test('the list is paged, whether or not it is narrowed to one person', async () => {
  await using at = await startOnCallApi();
  const own = { users: [at.ada], rotation: daily };
  const shared = { users: [at.bob, at.ada], rotation: daily };
  for (const name of ['1', '2', '3', '4', '5', '6', '7'])
    await at.schedule([Number(name) % 3 === 1 ? own : shared], { name });
  async function all(query: string, cursor?: string): Promise<string[]> {
    const from = cursor === undefined ? '' : `&cursor=${cursor}`;
    const { body } = await at.send(`GET /on-calls/now?limit=2${query}${from}`);
    const names = body.data.map(({ name }: Row) => name);
    return body.next_cursor === null ? names : [...names, ...(await all(query, body.next_cursor))];
  }
  assert.deepEqual(await all(''), ['1', '2', '3', '4', '5', '6', '7']);
  assert.deepEqual(await all(`&user_id=${at.ada}`), ['1', '4', '7']);
  assert.equal((await at.send('GET /on-calls/now?cursor=!')).status, 422);
});

test('a person sees what they are on call for, and what comes, across schedules', async () => {
  await using at = await startOnCallApi();
  await at.schedule([{ users: [at.ada, at.bob], rotation: weekly }], { name: 'weeks' });
  await at.schedule([{ users: [at.bob], rotation: weekly, ends_at: '2026-03-04T00:00:00Z' }]);
  at.pass({ hours: 30 });
  const { status, body } = await at.send(`GET /users/${at.ada}/on-call`);
  assert.equal(status, 200);
  assert.deepEqual(
    body.now.map(({ name, start, end }: Row) => [name, start, end]),
    [['weeks', '2026-03-02T00:00:00.000Z', '2026-03-09T00:00:00.000Z']],
  );
  assert.deepEqual(
    body.next.map(({ start, end }: Row) => [start?.slice(0, 10), end?.slice(0, 10)]),
    [
      ['2026-03-16', '2026-03-23'],
      ['2026-03-30', '2026-04-06'],
      ['2026-04-13', '2026-04-20'],
      ['2026-04-27', '2026-05-04'],
    ],
  );
  const bob = (await at.send(`GET /users/${at.bob}/on-call`)).body;
  assert.deepEqual([bob.now.length, bob.next[0].start], [1, '2026-03-09T00:00:00.000Z']);
  const eve = (await at.send(`GET /users/${at.eve}/on-call`)).body;
  assert.deepEqual([eve.now, eve.next], [[], []]);
  assert.equal((await at.send(`GET /users/${'f'.repeat(24)}/on-call`)).status, 404);
});

test('whether a person can be reached says nothing about who is on call', async () => {
  await using at = await startOnCallApi();
  const id = await at.schedule([{ users: [at.ada], rotation: weekly }]);
  await at.sql`update users set active = false where id = ${at.ada}`;
  assert.equal((await at.send(`GET /on-calls/${id}/now`)).body.now.user.id, at.ada);
  assert.equal((await at.send('GET /on-calls/now')).body.data[0].user.id, at.ada);
});

test('beyond the teams of a key, and in another organization, there is nothing', async () => {
  await using at = await startOnCallApi();

  const other = (await seedOrganization(at.sql)).caller();
  const confined = at.world.caller({ teamIds: [at.web], defaultTeamId: at.web });
  const id = await at.schedule([{ users: [at.ada], rotation: weekly }]);
  for (const caller of [other, confined]) {
    for (const request of ['shifts', 'now', 'coverage', 'events']) {
      const answer = await at.send(`GET /on-calls/${id}/${request}`, undefined, caller);
      assert.deepEqual([answer.status, answer.body.error], [404, 'not_found'], request);
    }
    assert.equal((await at.send(`POST /on-calls/${id}/clone`, {}, caller)).status, 404);
    const { data } = (await at.send('GET /on-calls/now', undefined, caller)).body;
    assert.deepEqual(data, []);
  }
  const ofAda = `GET /users/${at.ada}/on-call`;
  assert.deepEqual((await at.send(ofAda, undefined, confined)).body.now, []);
  assert.equal((await at.send(ofAda, undefined, other)).status, 404);
});
