import assert from 'node:assert/strict';
import { test } from 'node:test';
import { daily, startOnCallApi, weekly } from '../../../test/on-call-api.ts';

const day = (number: number) => `2026-03-${String(number).padStart(2, '0')}T00:00:00.000Z`;

type Notice = { kind: string; channel: string; user_id: string; reason?: string };
const noticesOf = (notices: readonly Notice[]) =>
  notices.map(({ kind, channel, user_id, reason }) => [kind, channel, user_id, reason]);

/** Ada is on call in each week. */
async function startWithWeek() {
  const at = await startOnCallApi();
  const id = await at.schedule([{ users: [at.ada], rotation: weekly }]);
  const preview = async (fields: object) => {
    const body = { user_id: at.bob, start: day(5), end: day(6), ...fields };
    return at.send(`POST /on-calls/${id}/overrides/preview`, body);
  };
  return { ...at, id, preview };
}

test('an override ahead moves shifts: who loses and who gains them is notified', async () => {
  await using at = await startWithWeek();
  const { status, body } = await at.preview({ replaces_user_id: at.ada });
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual(body.changes, [{ start: day(5), end: day(6), before: at.ada, after: at.bob }]);
  assert.equal(body.changes_count, 1);
  assert.deepEqual(noticesOf(body.notices).toSorted(), [
    ['shift_change', 'email', at.ada, undefined],
    ['shift_change', 'email', at.bob, undefined],
  ]);
  assert.deepEqual(body.names, { [at.ada]: 'ada Example', [at.bob]: 'bob Example' });
  assert.deepEqual((await at.send(`GET /on-calls/${at.id}/overrides`)).body.data, []);
});

test('an override that runs at once starts a shift, and takes somebody off call', async () => {
  await using at = await startWithWeek();
  at.pass({ hours: 24 });
  const { body } = await at.preview({ start: day(2) });
  assert.deepEqual(body.changes[0], { start: day(3), end: day(6), before: at.ada, after: at.bob });
  assert.deepEqual(noticesOf(body.notices).toSorted(), [
    ['shift_change', 'email', at.ada, undefined],
    ['shift_start', 'email', at.bob, undefined],
  ]);
});

test('who does not want to be notified is not, and nobody is of what is far ahead or changes nothing', async () => {
  await using at = await startWithWeek();
  await at.sql`
    insert into user_notifications (organization_id, user_id, settings, updated_at)
    select organization_id, id, '{ "shift_change": [] }', now() from users where id = ${at.bob}`;
  assert.deepEqual(noticesOf((await at.preview({})).body.notices), [
    ['shift_change', 'email', at.ada, undefined],
  ]);
  const far = { start: '2026-12-24T08:00:00Z', end: '2026-12-25T08:00:00Z' };
  const ahead = (await at.preview(far)).body;
  assert.deepEqual([ahead.changes_count, ahead.notices], [1, []]);
  const same = (await at.preview({ user_id: at.ada })).body;
  assert.deepEqual([same.changes, same.notices], [[], []]);
});

test('a preview of an override is held to the rules of one', async () => {
  await using at = await startWithWeek();
  const wrong = await at.preview({ end: day(5), user_id: at.eve });
  assert.equal(wrong.status, 422);
  assert.deepEqual(wrong.body.issues.map(({ path }: { path: string }) => path).toSorted(), [
    'end',
    'user_id',
  ]);
  await at.send(`DELETE /on-calls/${at.id}`);
  assert.equal((await at.preview({})).body.error, 'archived');
});

test('of a schedule that changes very often it is compared as far as one request may', async () => {
  await using at = await startWithWeek();
  const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
  const windows = days.map((day) => ({
    from_day: day,
    from_time: '08:00',
    to_day: day,
    to_time: '09:00',
  }));
  const layer = { users: [at.ada], rotation: daily, restriction: { type: 'weekly', windows } };
  const busy = await at.schedule(Array.from({ length: 100 }, () => layer));
  const body = { user_id: at.bob, start: day(5), end: '2030-03-05T00:00:00Z' };
  const made = await at.send(`POST /on-calls/${busy}/overrides`, body);
  assert.equal(made.status, 201, JSON.stringify(made.body));
  await at.send(`DELETE /on-calls/${busy}/overrides/${made.body.id}`);
  const { status, body: preview } = await at.send(`POST /on-calls/${busy}/overrides/preview`, body);
  assert.equal(status, 200, JSON.stringify(preview));
  assert.match(preview.compared_until, /^2027-/);
  assert.equal((await at.preview({})).body.compared_until, undefined);
});
