import assert from 'node:assert/strict';
import { test } from 'node:test';
import { daily, startOnCallApi, weekly } from '../../../test/on-call-api.ts';

const officeHours = {
  type: 'weekly',
  windows: [{ from_day: 'monday', from_time: '09:00', to_day: 'friday', to_time: '17:00' }],
};

test('a schedule with somebody at every instant is proved covered', async () => {
  await using at = await startOnCallApi();
  const id = await at.schedule([{ users: [at.ada, at.bob], rotation: weekly }]);
  const { status, body } = await at.send(`GET /on-calls/${id}/coverage`);
  assert.equal(status, 200);
  assert.deepEqual(body, {
    from: '2026-03-02T00:00:00.000Z',
    to: '2036-03-02T00:00:00.000Z',
    covered: true,
    uncovered_seconds: 0,
    gap_count: 0,
    gaps: [],
    missing_users: [],
  });
});

test('gaps are told exactly, with where they come from', async () => {
  await using at = await startOnCallApi();
  const layer = { users: [at.ada], rotation: daily, restriction: officeHours };
  const id = await at.schedule([layer], { timezone: 'Europe/Berlin' });
  const { body } = await at.send(`GET /on-calls/${id}/coverage?years=1&from=2026-03-23T08:00:00Z`);
  assert.equal(body.to, '2027-03-23T08:00:00.000Z');
  // Over the weekend the clocks go forward.
  assert.deepEqual(body.gaps[0], {
    start: '2026-03-27T16:00:00.000Z',
    end: '2026-03-30T07:00:00.000Z',
    layer: 0,
    reason: 'outside_windows',
    message: 'Layer 1 is outside its hours.',
  });
  assert.deepEqual([body.covered, body.gap_count], [false, 52]);
  assert.equal(body.uncovered_seconds, 52 * 64 * 3_600);
});

test('no more than the first 100 gaps are told singly', async () => {
  await using at = await startOnCallApi();
  const layer = { users: [at.ada], rotation: daily, restriction: officeHours };
  const id = await at.schedule([layer]);
  const { body } = await at.send(`GET /on-calls/${id}/coverage`);
  assert.ok(body.gap_count > 500);
  assert.equal(body.gaps.length, 100);
});

test('people who are not active count as nobody here, and are named', async () => {
  await using at = await startOnCallApi();
  const id = await at.schedule([{ users: [at.ada, at.bob], rotation: weekly }]);
  await at.sql`update users set active = false where id = ${at.ada}`;
  await at.sql`delete from contacts where user_id = ${at.bob}`;
  const { body } = await at.send(`GET /on-calls/${id}/coverage`);
  assert.deepEqual(
    [body.covered, body.gaps[0].reason, body.gaps[0].message],
    [false, 'missing', 'Layer 1 has ada Example, who is not active.'],
  );
  // Bob is paged at the address that he signs in with.
  assert.deepEqual(body.missing_users, [{ user_id: at.ada, reason: 'is not active' }]);
});

test('how far the proof goes is bounded', async () => {
  await using at = await startOnCallApi();
  const id = await at.schedule([{ users: [at.ada], rotation: weekly }]);
  for (const years of ['0', '31', 'ten', '1.5']) {
    const answer = await at.send(`GET /on-calls/${id}/coverage?years=${years}`);
    assert.deepEqual([answer.status, answer.body.issues[0].path], [422, 'years'], years);
  }
  const far = await at.send(`GET /on-calls/${id}/coverage?years=30`);
  assert.equal(far.body.to, '2056-03-02T00:00:00.000Z');
});

test('an archived schedule covers nothing', async () => {
  await using at = await startOnCallApi();
  const id = await at.schedule([{ users: [at.ada], rotation: weekly }]);
  await at.send(`DELETE /on-calls/${id}`);
  const { body } = await at.send(`GET /on-calls/${id}/coverage`);
  assert.deepEqual([body.gap_count, body.gaps[0].reason], [1, 'not_in_force']);
});

test('a save warns of gaps, each cause with its first', async () => {
  await using at = await startOnCallApi();
  const layers = [{ users: [at.ada], rotation: weekly, restriction: officeHours }];
  const made = await at.send('POST /on-calls', { name: 'o', layers });
  assert.deepEqual(made.body.warnings, [
    'Nobody is on call from 2026-03-02T00:00Z to 2026-03-02T09:00Z, and 522 more times in ' +
      '10 years: layer 1 is outside its hours.',
  ]);
  const until = { users: [at.ada], rotation: weekly, ends_at: '2026-04-01T12:00:30Z' };
  const put = await at.send(`PUT /on-calls/${made.body.id}`, { name: 'o', layers: [until] });
  assert.deepEqual(put.body.warnings, [
    'Nobody is on call from 2026-04-01T12:00:30Z on: layer 1 has ended.',
  ]);
  const covered = await at.send(`PATCH /on-calls/${made.body.id}`, {
    layers: [{ users: [at.ada], rotation: weekly }],
  });
  assert.equal('warnings' in covered.body, false);
  assert.equal('warnings' in (await at.send(`GET /on-calls/${made.body.id}`)).body, false);
});

test('a save names the people who never have a shift', async () => {
  await using at = await startOnCallApi();
  const weekend = {
    ...officeHours,
    windows: [{ from_day: 'saturday', from_time: '09:00', to_day: 'saturday', to_time: '18:00' }],
  };
  const users = [at.ada, at.bob, null, null, null, null, null];
  const layers = [
    { users, rotation: daily, restriction: weekend },
    { users: [at.ada], rotation: weekly },
  ];
  const made = await at.send('POST /on-calls', { name: 'o', layers });
  assert.deepEqual(made.body.warnings, [
    'bob Example has no shift in 10 years: their turns fall outside the hours of the layer, or a higher layer is on call.',
  ]);
});

test('a save warns of people who are not active', async () => {
  await using at = await startOnCallApi();
  const id = await at.schedule([{ users: [at.ada, at.bob], rotation: weekly }]);
  await at.sql`update users set active = false where id = ${at.bob}`;
  const saved = await at.send(`PATCH /on-calls/${id}`, { name: 'p' });
  assert.equal(saved.status, 200);
  assert.match(
    saved.body.warnings.at(-1),
    /^Nobody .* 2026-03-09T00:00Z to .* bob Example, who is not active\.$/,
  );
});

test('a key that is confined to teams sees nothing of the schedules of others', async () => {
  await using at = await startOnCallApi();
  const theirs = await at.schedule([{ users: [at.ada], rotation: weekly }]);
  const confined = at.world.caller({ teamIds: [at.web], defaultTeamId: at.web });
  for (const part of ['coverage', 'shifts', 'now', 'config', 'revisions', 'events']) {
    const answer = await at.send(`GET /on-calls/${theirs}/${part}`, undefined, confined);
    assert.deepEqual([answer.status, answer.body.error], [404, 'not_found'], part);
  }
  const { body } = await at.send('GET /on-calls/now', undefined, confined);
  assert.ok(!JSON.stringify(body).includes(theirs));
});

test('a save never warns of more than ten causes', async () => {
  await using at = await startOnCallApi();
  const layers = Array.from({ length: 14 }, (_, index) => ({
    users: [at.ada],
    rotation: daily,
    starts_at: `2026-03-${String(index + 2).padStart(2, '0')}T00:00:00Z`,
    ends_at: `2026-03-${String(index + 2).padStart(2, '0')}T12:00:00Z`,
  }));
  const { body } = await at.send('POST /on-calls', { name: 'o', layers });
  assert.equal(body.warnings.length, 10);
  assert.match(body.warnings[9], /^There are 5 more causes/);
});

test('a schedule that changes very often is proved for fewer years, and saves stay quick', async () => {
  await using at = await startOnCallApi();
  const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
  const windows = Array.from({ length: 98 }, (_, index) => {
    const [from_day, hour] = [days[index % 7], String(Math.floor(index / 7)).padStart(2, '0')];
    return { from_day, from_time: `${hour}:00`, to_day: from_day, to_time: `${hour}:30` };
  });
  const busy = { users: [at.ada], rotation: daily, restriction: { type: 'weekly', windows } };
  const some = await at.send('POST /on-calls', { name: 'o', layers: [busy] });
  assert.match(some.body.warnings[0], / more times in 5 years: layer 1 is outside its hours\.$/);
  const { body } = await at.send('POST /on-calls', { name: 'o', layers: Array(40).fill(busy) });
  assert.deepEqual(body.warnings, [
    'The schedule was not checked for gaps because it changes too often.',
  ]);
  const { status, body: refused } = await at.send(`GET /on-calls/${body.id}/coverage?years=10`);
  assert.deepEqual([status, refused.issues[0].path], [422, 'years']);
  const [most] = /\d+/.exec(refused.issues[0].message) ?? [];
  const answer = await at.send(`GET /on-calls/${body.id}/coverage?years=${most}`);
  assert.equal(answer.status, 200);
});
