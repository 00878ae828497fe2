import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startOnCallApi, weekly } from '../../../test/on-call-api.ts';

type Api = Awaited<ReturnType<typeof startOnCallApi>>;

/** A clock that stands on a Monday at midnight. */
async function setting(at: Api) {
  const layerOf = (user: string) => ({ users: [user], rotation: weekly });
  const alone = await at.schedule([layerOf(at.ada)], { name: 'Alone' });
  const covered = await at.schedule([layerOf(at.bob), layerOf(at.ada)], { name: 'Covered' });
  const other = await at.schedule([layerOf(at.bob)], { name: 'Other' });
  const cover = await at.send(`POST /on-calls/${other}/overrides`, {
    user_id: at.ada,
    start: '2026-03-03T00:00:00Z',
    end: '2026-03-04T00:00:00Z',
  });
  assert.equal(cover.status, 201);
  const preview = (record: object, more: object = {}) =>
    at.send('POST /preview', { kind: 'user', record, ...more });
  return { alone, covered, other, cover: cover.body.id as string, preview };
}

const messages = ({ data }: { data: { warnings: readonly { message: string }[] } }) =>
  data.warnings.map(({ message }) => message);

test('a deactivation is previewed by schedule, and is then what was previewed', async () => {
  await using at = await startOnCallApi();
  const { alone, covered, other, cover, preview } = await setting(at);
  const [ada, bob] = [
    { id: at.ada, name: 'ada Example' },
    { id: at.bob, name: 'bob Example' },
  ];
  const { status, body } = await preview({ id: at.ada, active: false });
  assert.equal(status, 200, JSON.stringify(body));
  const rows = body.data.schedules.map(
    (one: { oncall_schedule_id: string; on_call: object; gaps_count: number }) => [
      one.oncall_schedule_id,
      one.on_call,
      one.gaps_count,
    ],
  );
  const onCall = { at: '2026-03-02T00:00:00.000Z', before: [ada] };
  assert.deepEqual(rows, [
    [alone, { ...onCall, after: [] }, 1],
    [covered, { ...onCall, after: [bob] }, 0],
    [other, { ...onCall, before: [bob], after: [bob] }, 0],
  ]);
  assert.deepEqual(messages(body), [
    'On-call schedule "Alone": On call now: ada Example. After this change: nobody.',
    'On-call schedule "Alone": Nobody is on call from 2026-03-02T00:00+00:00 on: layer 1 has ada Example, who is not active.',
    'On-call schedule "Alone": One shift moves in the next 60 days: from 2026-03-02T00:00+00:00 on, nobody instead of ada Example.',
    'On-call schedule "Covered": On call now: ada Example. After this change: bob Example.',
    'On-call schedule "Covered": One shift moves in the next 60 days: from 2026-03-02T00:00+00:00 on, bob Example instead of ada Example.',
    'On-call schedule "Other": One shift moves in the next 60 days: from 2026-03-03T00:00+00:00 to 2026-03-04T00:00+00:00, bob Example instead of ada Example.',
    'bob Example will be notified.',
    `The on-call schedule "Alone" (${alone}) still uses this person.`,
    `The on-call schedule "Covered" (${covered}) still uses this person.`,
    `The override "Other" (${cover}) still uses this person.`,
  ]);
  assert.deepEqual(messages((await preview({ id: at.ada, archived: true })).body), messages(body));
  await at.setActive(at.ada, false);
  at.pass({ minutes: 1 });
  const now = async (id: string) => (await at.send(`GET /on-calls/${id}/now`)).body.now?.user.id;
  assert.deepEqual(await Promise.all([alone, covered, other].map(now)), [
    undefined,
    at.bob,
    at.bob,
  ]);
  assert.deepEqual(messages((await preview({ id: at.ada, active: false })).body), []);
});

test('what the same run changes before leaves out what it settles', async () => {
  await using at = await startOnCallApi();
  const { alone, preview } = await setting(at);
  const layers = [{ users: [at.bob], rotation: weekly }];
  const planned = [{ kind: 'oncall_schedule', record: { id: alone, name: 'Alone', layers } }];
  const { body } = await preview({ id: at.ada, active: false }, { planned });
  assert.equal(
    messages(body).some((message) => message.includes('"Alone"')),
    false,
  );
});

test('a schedule that Terraform writes before keeps what Terraform cannot express', async () => {
  await using at = await startOnCallApi();
  const [ofAda, ofBob] = [
    { users: [at.ada], rotation: weekly },
    { users: [at.bob], rotation: weekly },
  ];
  const layers = [ofAda, ofBob];
  const ends_at = '2026-03-09T00:00:00Z';
  const id = await at.schedule([ofAda, { ...ofBob, ends_at }], { name: 'Ends' });
  const planned = [{ kind: 'oncall_schedule', record: { id, name: 'Ends', layers } }];
  const record = { id: at.ada, active: false };
  const gapsFor = async (managed: object) => {
    const { body } = await at.send('POST /preview', { kind: 'user', record, planned, ...managed });
    return body.data.schedules.map((one: { gaps_count: number }) => one.gaps_count);
  };
  const managed_by = { tool: 'terraform', workspace: 'prod' };
  assert.deepEqual(await gapsFor({ managed_by }), [1], 'Bob still ends');
  assert.deepEqual(await gapsFor({}), [], 'Bob goes on');
});

test('two people who leave in one run do not stand in for each other', async () => {
  await using at = await startOnCallApi();
  const { covered, preview } = await setting(at);
  const planned = [{ kind: 'user', record: { id: at.ada, archived: true } }];
  const { body } = await preview({ id: at.bob, active: false }, { planned });
  const own = body.data.schedules.find(
    (one: { oncall_schedule_id: string }) => one.oncall_schedule_id === covered,
  );
  assert.deepEqual([own.on_call.after, own.gaps_count], [[], 1]);
});

test('a person who stays active, or is unknown, or has no id', async () => {
  await using at = await startOnCallApi();
  const { preview } = await setting(at);
  assert.deepEqual(messages((await preview({ id: at.ada, first_name: 'A' })).body), []);
  for (const record of [{ id: 'f'.repeat(24), active: false }, { active: false }]) {
    const { status, body } = await preview(record);
    assert.deepEqual([status, body.issues[0].path], [422, 'record.id']);
  }
});

test('by the rules of the previous release only its uses are named', async () => {
  await using at = await startOnCallApi();
  const { preview } = await setting(at);
  await at.sql`update schedule_rules set in_force_from = null`;
  const { body } = await preview({ id: at.ada, active: false });
  assert.deepEqual(body.data.schedules, []);
  assert.equal(messages(body).length, 3);
});
