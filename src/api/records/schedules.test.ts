import assert from 'node:assert/strict';
import { test } from 'node:test';
import { daily, startOnCallApi, weekly } from '../../../test/on-call-api.ts';

const NOBODY = 'f'.repeat(24);

type Problem = { path: string; message: string };

test('of two people who save the same schedule, the second is refused: it changed', async () => {
  await using at = await startOnCallApi();
  const id = await at.schedule([{ users: [at.ada], rotation: weekly }]);
  const put = (user: string, version: number) =>
    at.api.send(at.key, `PUT /on-calls/${id}`, {
      headers: { 'if-match': String(version) },
      body: { name: 'o', layers: [{ users: [user], rotation: weekly }] },
    });
  const [first, second] = await Promise.all([put(at.ada, 1), put(at.bob, 1)]);
  const statuses = [first.status, second.status].toSorted();
  assert.deepEqual(statuses, [200, 409]);
  const refused = first.status === 409 ? first : second;
  assert.equal(refused.body.error, 'stale_version');
  assert.equal((await put(at.bob, 2)).status, 200);
});

test('overrides and notification settings leave the version as it is', async () => {
  await using at = await startOnCallApi();
  const id = await at.schedule([{ users: [at.ada], rotation: weekly }]);
  const override = {
    user_id: at.bob,
    start: '2026-03-03T00:00:00Z',
    end: '2026-03-04T00:00:00Z',
  };
  const made = await at.send(`POST /on-calls/${id}/overrides`, override);
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const settings = { msteams: [{ webhook_url: 'https://chat.example.com/hook' }] };
  const set = await at.send(`PUT /on-calls/${id}/notifications`, settings);
  assert.equal(set.status, 200, JSON.stringify(set.body));
  const { version } = (await at.send(`GET /on-calls/${id}`)).body;
  assert.equal(version, 1);
  const put = await at.api.send(at.key, `PATCH /on-calls/${id}`, {
    headers: { 'if-match': '1' },
    body: { name: 'p' },
  });
  assert.equal(put.status, 200);
  const { now } = (await at.send(`GET /on-calls/${id}/now?at=2026-03-03T12:00:00Z`)).body;
  assert.deepEqual([now.user.id, now.layer], [at.bob, 'override']);
});

test('every mistake of a schedule is listed at its path', async () => {
  await using at = await startOnCallApi();
  const window = { from_day: 'monday', from_time: '24:00', to_day: 'noday', to_time: '9:00' };
  const layers = [
    { users: [at.ada, NOBODY], rotation: weekly },
    { users: [at.eve], rotation: weekly },
    { users: [null, null], rotation: { ...daily, handoff_day: 'monday' } },
  ];
  const issues = async (body: object) => {
    const answer = await at.send('POST /on-calls', { name: 'o', ...body });
    assert.equal(answer.status, 422, JSON.stringify(answer.body));
    return answer.body.issues.map(({ path }: Problem) => path);
  };
  assert.deepEqual(await issues({ layers, timezone: 'Mars/Olympus' }), [
    'timezone',
    'layers[2].rotation.handoff_day',
    'layers[2].users',
    'layers[0].users[1]',
    'layers[1].users[0]',
  ]);
  const closed = { type: 'weekly', windows: [window] };
  assert.deepEqual(
    await issues({ layers: [{ users: [at.ada], rotation: weekly, restriction: closed }] }),
    [
      'layers[0].restriction.windows[0].from_time',
      'layers[0].restriction.windows[0].to_day',
      'layers[0].restriction.windows[0].to_time',
    ],
  );
  assert.deepEqual(await issues({ layers: [{ users: [], rotation: weekly }] }), [
    'layers[0].users',
  ]);
});

test('somebody who left may stay in a schedule, with a warning', async () => {
  await using at = await startOnCallApi();
  const id = await at.schedule([{ users: [at.ada, at.bob], rotation: weekly }]);
  await at.sql`update users set active = false where id = ${at.bob}`;
  const { status, body } = await at.send(`PATCH /on-calls/${id}`, { name: 'p' });
  assert.equal(status, 200);
  assert.equal(body.warnings[0], 'layers[0].users[1] refers to a deactivated user.');
  assert.match(body.warnings[1], /layer 1 has bob Example, who is not active\.$/);
});
