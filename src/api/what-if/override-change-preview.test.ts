import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startOnCallApi, weekly } from '../../../test/on-call-api.ts';

const day = (number: number) => `2026-03-${String(number).padStart(2, '0')}T00:00:00Z`;

/** Ada is on call in each week; the clock stands on Monday, the 2nd. */
async function startWithWeek() {
  const at = await startOnCallApi();
  const id = await at.schedule([{ users: [at.ada], rotation: weekly }], { name: 'Web' });
  const fields = { oncall_schedule_id: id, user_id: at.bob, start: day(5), end: day(6) };
  const preview = (record: object, more: object = {}) =>
    at.send('POST /preview', { kind: 'override', record, ...more });
  return {
    ...at,
    id,
    fields,
    preview,
    async messages(record: object, more: object = {}): Promise<readonly string[]> {
      const { status, body } = await preview(record, more);
      assert.equal(status, 200, JSON.stringify(body));
      return body.data.warnings.map(({ message }: { message: string }) => message);
    },
    async make(more: object = {}): Promise<string> {
      const { oncall_schedule_id: _, ...body } = { ...fields, ...more };
      const made = await at.send(`POST /on-calls/${id}/overrides`, body);
      assert.equal(made.status, 201, JSON.stringify(made.body));
      return made.body.id;
    },
    [Symbol.asyncDispose]: () => at[Symbol.asyncDispose](),
  };
}

const notified = 'ada Example and bob Example will be notified.';
const moved =
  'On call from 2026-03-05T00:00+00:00 to 2026-03-06T00:00+00:00, bob Example instead of ada Example.';

test('a new override tells who is on call instead of whom, and who is notified, as its own preview', async () => {
  await using at = await startWithWeek();
  const { body } = await at.preview(at.fields);
  assert.deepEqual(await at.messages(at.fields), [moved, notified]);
  const { oncall_schedule_id: _, ...own } = at.fields;
  const other = await at.send(`POST /on-calls/${at.id}/overrides/preview`, own);
  assert.deepEqual(body.data.notices, other.body.notices);
  assert.equal(body.data.moved_shifts_count, other.body.changes_count);
  assert.deepEqual(await at.messages({ ...at.fields, user_id: at.ada }), []);
  const now = await at.messages({ ...at.fields, start: day(1) });
  assert.equal(now[0], 'On call now: ada Example. After this change: bob Example.');
  const nobody = await at.messages({ ...at.fields, user_id: null, replaces_user_id: at.ada });
  assert.equal(
    nobody[0],
    'On call from 2026-03-05T00:00+00:00 to 2026-03-06T00:00+00:00, nobody instead of ada Example.',
  );
});

test('an override that is changed or removed gives back what it no longer covers', async () => {
  await using at = await startWithWeek();
  const id = await at.make({ end: day(7) });
  const own = { ...at.fields, id };
  assert.deepEqual(await at.messages({ ...own, end: day(7), comment: 'x' }), []);
  const back =
    'On call from 2026-03-06T00:00+00:00 to 2026-03-07T00:00+00:00, ada Example instead of bob Example.';
  assert.deepEqual((await at.messages(own))[0], back);
  assert.deepEqual((await at.messages({ id, archived: true }))[0], back.replace('06T', '05T'));
  const other = await at.schedule([{ users: [at.ada], rotation: weekly }], { name: 'Other' });
  const both = await at.messages({ ...own, oncall_schedule_id: other });
  assert.deepEqual(both.slice(0, 2), [moved, back.replace('06T', '05T')]);
  at.pass({ hours: 24 * 10 });
  assert.deepEqual(await at.messages({ id, archived: true }), [], 'it is over');
});

test('what the same run does to the schedule before counts', async () => {
  await using at = await startWithWeek();
  const kind = 'oncall_schedule';
  const record = { id: at.id, name: 'Web', layers: [{ users: [at.bob], rotation: weekly }] };
  assert.deepEqual(await at.messages(at.fields, { planned: [{ kind, record }] }), []);
  const archived = [{ kind, record: { id: at.id, archived: true } }];
  assert.deepEqual(await at.messages(at.fields, { planned: archived }), []);
  const open = [{ kind, record: { ...record, layers: null }, unknown: ['layers'] }];
  assert.deepEqual(await at.messages(at.fields, { planned: open }), []);
  const unknown = { unknown: ['oncall_schedule_id'] };
  assert.deepEqual(await at.messages({ ...at.fields, oncall_schedule_id: null }, unknown), []);
});

test('a preview of an override is held to the rules of one, at its place', async () => {
  await using at = await startWithWeek();
  const pathsOf = async (record: object) => {
    const { status, body } = await at.preview(record);
    assert.equal(status, 422, JSON.stringify(body));
    return body.issues.map(({ path }: { path: string }) => path);
  };
  const none = 'f'.repeat(24);
  assert.deepEqual(await pathsOf({ ...at.fields, user_id: at.eve }), ['record.user_id']);
  assert.deepEqual(await pathsOf({ ...at.fields, end: day(4) }), ['record.end']);
  assert.deepEqual(await pathsOf({ ...at.fields, oncall_schedule_id: none }), [
    'record.oncall_schedule_id',
  ]);
  assert.deepEqual(await pathsOf({ id: none, archived: true }), ['record.id']);
  const stranger = at.world.caller({ teamIds: [at.web] });
  const body = { kind: 'override', record: at.fields };
  assert.equal((await at.send('POST /preview', body, stranger)).status, 422);
});
