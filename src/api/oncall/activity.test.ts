// What the API says of schedules whose people are inactive, or taken off.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { daily, startOnCallApi, weekly } from '../../../test/on-call-api.ts';

type Api = Awaited<ReturnType<typeof startOnCallApi>>;
type Row = Record<string, unknown>;

const day = (date: number) => `2026-03-0${date}T00:00:00.000Z`;
const span = { start: day(2), end: day(8) };

const namesIn = (at: Api, rows: readonly Row[]) =>
  rows.map(({ user_id }) => (user_id === at.ada ? 'ada' : user_id === at.bob ? 'bob' : 'eve'));

/** Who is on call now, by every answer that says so. */
async function everyAnswer(at: Api, id: string) {
  const get = async (path: string) => (await at.send(`GET ${path}`)).body;
  const window = `from=${at.clock.now()}&to=${day(8)}`;
  const one = (await get(`/on-calls/${id}/now`)).now;
  const [all] = (await get('/on-calls/now')).data;
  const [shift] = (await get(`/on-calls/${id}/shifts?${window}`)).data;
  const timeline = await get(`/on-calls/${id}/timeline?${window}`);
  const [many] = (await get(`/on-calls/timeline?${window}`)).data;
  const own = await Promise.all(
    [at.ada, at.bob].map(async (user) => {
      const { now, next } = await get(`/users/${user}/on-call`);
      return now.length > 0 ? user : next.length > 0 ? 'later' : null;
    }),
  );
  return {
    now: one?.user.id ?? null,
    listed: all.user?.id ?? null,
    shift: shift?.user_id ?? null,
    timeline: timeline.shifts[0]?.user_id ?? null,
    timelines: many.shifts[0]?.user_id ?? null,
    own,
    lanes: timeline.layers.map((lane: { shifts: Row[] }) => namesIn(at, lane.shifts)),
  };
}

test('who is inactive is on call in no answer, and the layer below is in all', async () => {
  await using at = await startOnCallApi();
  const below = { users: [at.bob], rotation: weekly };
  const id = await at.schedule([below, { users: [at.ada], rotation: weekly }]);
  await at.setActive(at.ada, false);
  at.pass({ minutes: 1 });
  const { bob } = at;
  assert.deepEqual(await everyAnswer(at, id), {
    now: bob,
    listed: bob,
    shift: bob,
    timeline: bob,
    timelines: bob,
    own: [null, bob],
    lanes: [['bob'], []],
  });
  const { body } = await at.send(`GET /on-calls/${id}/coverage`);
  assert.deepEqual([body.covered, body.missing_users], [true, []]);
  const past = await at.send(`GET /on-calls/${id}/shifts?from=${day(1)}&to=${day(8)}`);
  assert.deepEqual(namesIn(at, past.body.data), ['bob']);
  const revisions = await at.send(`GET /on-calls/${id}/revisions`);
  assert.equal(revisions.body.data.length, 1);
  assert.equal((await at.send(`GET /on-calls/${id}`)).body.version, 1);
});

test('the past stays as it was, and whoever comes back takes their turn again', async () => {
  await using at = await startOnCallApi();
  const layers = [at.bob, at.ada].map((user) => ({ users: [user], rotation: weekly }));
  const id = await at.schedule(layers);
  at.pass({ hours: 24 });
  await at.setActive(at.ada, false);
  at.pass({ hours: 24 });
  await at.setActive(at.ada, true);
  const { body } = await at.send(`GET /on-calls/${id}/timeline?from=${day(1)}&to=${day(5)}`);
  assert.deepEqual(
    body.shifts.map(({ start, end }: Row) => [start, end]),
    [
      [day(2), day(3)],
      [day(3), day(4)],
      [day(4), day(5)],
    ],
  );
  assert.deepEqual(namesIn(at, body.shifts), ['ada', 'bob', 'ada']);
});

test('where nobody shows through, the gap names who is inactive', async () => {
  await using at = await startOnCallApi();
  const id = await at.schedule([{ users: [at.ada, at.bob], rotation: weekly }]);
  await at.setActive(at.ada, false);
  const { body } = await at.send(`GET /on-calls/${id}/coverage`);
  assert.deepEqual(
    [body.gaps[0].reason, body.gaps[0].message],
    ['missing', 'Layer 1 has ada Example, who is not active.'],
  );
  assert.deepEqual(body.missing_users, [{ user_id: at.ada, reason: 'is not active' }]);
  assert.equal((await at.send(`GET /on-calls/${id}/now`)).body.now, null);
});

test('a save that names somebody inactive leaves the layer below on call', async () => {
  await using at = await startOnCallApi();
  const id = await at.schedule([{ users: [at.ada], rotation: weekly }]);
  await at.setActive(at.ada, false);
  const layers = [at.bob, at.ada].map((user) => ({ users: [user], rotation: weekly }));
  const proposed = { layers, from: day(2), to: day(8) };
  const preview = await at.send('POST /on-calls/preview', proposed);
  assert.deepEqual(namesIn(at, preview.body.data), ['bob']);
  const saved = await at.send(`PATCH /on-calls/${id}`, { layers });
  assert.equal(saved.status, 200, JSON.stringify(saved.body));
  at.pass({ minutes: 1 });
  assert.equal((await at.send(`GET /on-calls/${id}/now`)).body.now.user.id, at.bob);
});

test('an override with nobody takes a person off, and its gap says why and by whom', async () => {
  await using at = await startOnCallApi();
  const id = await at.schedule([{ users: [at.ada], rotation: daily }]);
  const body = { user_id: null, replaces_user_id: at.ada, ...span, comment: 'Office closed' };
  const path = `/on-calls/${id}/overrides`;
  const preview = await at.send(`POST ${path}/preview`, body);
  assert.deepEqual(
    preview.body.changes.map(({ before, after }: Row) => [before, after]),
    [[at.ada, null]],
  );
  const made = await at.send(`POST ${path}`, body);
  assert.equal(made.status, 201, JSON.stringify(made.body));
  assert.deepEqual([made.body.user_id, made.body.replaces_user_id], [null, at.ada]);
  assert.equal((await at.send(`GET ${path}/${made.body.id}`)).body.user_id, null);
  at.pass({ minutes: 1 });
  const [gap] = (await at.send(`GET /on-calls/${id}/coverage`)).body.gaps;
  assert.deepEqual([gap.reason, gap.start, gap.end], ['taken_off', day(2), day(8)]);
  assert.equal(
    gap.message,
    `An override by ${at.key.name} takes ada Example off layer 1 (“Office closed”).`,
  );
  assert.deepEqual(await everyAnswer(at, id), {
    now: null,
    listed: null,
    shift: null,
    timeline: null,
    timelines: null,
    own: ['later', null],
    lanes: [Array.from({ length: 6 }, () => 'ada')],
  });
  const timeline = await at.send(`GET /on-calls/${id}/timeline?from=${day(2)}&to=${day(8)}`);
  const { override_id, ...rest } = timeline.body.overrides[0];
  assert.deepEqual(rest, { user_id: null, replaces_user_id: at.ada, ...span });
  assert.equal(override_id, made.body.id);
});

test('nobody is written, and not left away, and replaces somebody', async () => {
  await using at = await startOnCallApi();
  const id = await at.schedule([{ users: [at.ada], rotation: daily }]);
  const path = `/on-calls/${id}/overrides`;
  const paths = (answer: { body: { issues: Row[] } }) =>
    answer.body.issues.map((one) => one['path']);
  const left = await at.send(`POST ${path}`, { replaces_user_id: at.ada, ...span });
  assert.deepEqual([left.status, paths(left)], [422, ['user_id']]);
  const everyone = await at.send(`POST ${path}`, { user_id: null, ...span });
  assert.deepEqual([everyone.status, paths(everyone)], [422, ['replaces_user_id']]);
  const cover = await at.send(`POST ${path}`, {
    user_id: at.bob,
    replaces_user_id: at.ada,
    ...span,
  });
  const patched = await at.send(`PATCH ${path}/${cover.body.id}`, { user_id: null });
  assert.deepEqual([patched.status, patched.body.user_id], [200, null]);
  const back = await at.send(`PATCH ${path}/${cover.body.id}`, { user_id: at.bob, comment: 'c' });
  assert.deepEqual([back.status, back.body.user_id], [200, at.bob]);
  const unchanged = await at.send(`PATCH ${path}/${cover.body.id}`, { comment: null });
  assert.deepEqual([unchanged.status, unchanged.body.user_id], [200, at.bob]);
});

test('while a server of the previous release may be connected, nobody is refused', async () => {
  await using at = await startOnCallApi();
  const id = await at.schedule([{ users: [at.ada], rotation: daily }]);
  await at.sql`update schedule_rules set in_force_from = null`;
  const body = { user_id: null, replaces_user_id: at.ada, ...span };
  const path = `/on-calls/${id}/overrides`;
  const layers = [{ users: [at.ada], rotation: daily }];
  const requests: readonly (readonly [string, object, string])[] = [
    [`POST ${path}`, body, 'user_id'],
    [`POST ${path}/preview`, body, 'user_id'],
    [
      'POST /on-calls/preview',
      { layers, overrides: [body], from: day(2), to: day(8) },
      'overrides[0].user_id',
    ],
  ];
  for (const [request, sent, field] of requests) {
    const { status, body: refused } = await at.send(request, sent);
    assert.equal(status, 422, request);
    assert.equal(refused.issues[0].path, field);
    assert.match(refused.issues[0].message, /upgrade of Pager has not finished/);
  }
  await at.setActive(at.ada, false);
  assert.equal((await at.send(`GET /on-calls/${id}/now`)).body.now.user.id, at.ada);
});
