import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { announcing, textOf } from '../../../test/announced-shifts.ts';
import { daily, startOnCallApi } from '../../../test/on-call-api.ts';
import { queryLimits } from '../../limits/queries.ts';

// The clock stands on the 2nd at 00:00.
const day = (number: number) => `2026-03-${String(number).padStart(2, '0')}T00:00:00.000Z`;

type Made = { readonly id: string; readonly user_id: string; readonly start: string };
type Issue = { readonly path: string; readonly message: string };

/** A schedule that has ada, day by day, and bob to stand in. */
async function setting() {
  const at = await startOnCallApi();
  const id = await at.schedule([{ users: [at.ada], rotation: daily }]);
  const path = `/on-calls/${id}/overrides`;
  const one = (number: number, fields: object = {}) => ({
    user_id: at.bob,
    replaces_user_id: at.ada,
    start: day(number),
    end: day(number + 1),
    ...fields,
  });
  return {
    ...at,
    id,
    path,
    one,
    announce: announcing(at),
    create: (overrides: unknown, caller = at.key) =>
      at.send(`POST ${path}/batch`, { overrides } as object, caller),
    preview: (overrides: unknown) => at.send(`POST ${path}/batch/preview`, { overrides } as object),
    async listed(): Promise<readonly Made[]> {
      return (await at.send(`GET ${path}?all=true&limit=200`)).body.data;
    },
    [Symbol.asyncDispose]: () => at[Symbol.asyncDispose](),
  };
}

test('several overrides are created at once, answered in their order', async () => {
  await using at = await setting();
  const sent = [at.one(5), at.one(4, { comment: 'Holiday' }), at.one(6, { user_id: null })];
  const { status, body } = await at.create(sent);
  assert.equal(status, 201, JSON.stringify(body));
  const own = ({
    id,
    version,
    oncall_schedule_id,
    created_at,
    updated_at,
    ...fields
  }: Made & {
    readonly version: number;
    readonly oncall_schedule_id: string;
    readonly created_at: string;
    readonly updated_at: string;
  }) => fields;
  assert.deepEqual(body.data.map(own), sent);
  assert.deepEqual(await at.listed(), body.data);
  assert.equal(at.pokes(), 1);
});

test('of several that overlap the last one applies', async () => {
  await using at = await setting();
  const own = { replaces_user_id: undefined };
  await at.create([at.one(5, own), at.one(5, { ...own, user_id: at.ada }), at.one(5, own)]);
  const { body } = await at.send(`GET /on-calls/${at.id}/now?at=${day(5)}`);
  assert.equal(body.now.user.id, at.bob);
});

describe('one that is wrong stops all, and is named by its place', () => {
  const cases = [
    { title: 'who is unknown', fields: { user_id: 'e'.repeat(24) }, paths: ['user_id'] },
    {
      title: 'that has ended',
      fields: { start: '2026-03-01T00:00Z', end: day(2) },
      paths: ['end'],
    },
    {
      title: 'with several mistakes',
      fields: { user_id: 'eve', end: 'later', colour: 'red' },
      paths: ['user_id', 'end', 'colour'],
    },
    {
      title: 'with nobody for nobody',
      fields: { user_id: null, replaces_user_id: undefined },
      paths: ['replaces_user_id'],
    },
  ];
  for (const { title, fields, paths } of cases)
    test(title, async () => {
      await using at = await setting();
      const sent = [at.one(4), at.one(5), at.one(6, fields), at.one(7)];
      for (const answer of [await at.create(sent), await at.preview(sent)]) {
        assert.equal(answer.status, 422, JSON.stringify(answer.body));
        const rejected = answer.body.issues.map(({ path }: Issue) => path);
        assert.deepEqual(rejected.sort(), paths.map((path) => `overrides[2].${path}`).sort());
      }
      assert.deepEqual(await at.listed(), []);
      assert.equal(at.pokes(), 0);
    });
});

test('mistakes of several are named together, also of people who left', async () => {
  await using at = await setting();
  const { body } = await at.create([
    at.one(4, { user_id: at.eve }),
    at.one(5),
    at.one(6, { end: day(6) }),
  ]);
  assert.deepEqual(
    body.issues.map(({ path, message }: Issue) => `${path} ${message}`),
    ['overrides[0].user_id refers to a deactivated user', 'overrides[2].end must be after start'],
  );
});

test('what is no override is named by its place', async () => {
  await using at = await setting();
  const { body } = await at.create([at.one(4), 5, null, at.one(6, { user_id: at.eve })]);
  assert.deepEqual(
    body.issues.map(({ path }: Issue) => path),
    ['overrides[1]', 'overrides[2]', 'overrides[3].user_id'],
  );
});

test('a request has one override at least, and a hundred at most', async () => {
  await using at = await setting();
  const most = queryLimits.overridesAtOnce;
  const hours = (count: number) =>
    Array.from({ length: count }, (_, hour) => {
      const start = Temporal.Instant.from(day(4)).add({ hours: hour });
      return at.one(4, { start: `${start}`, end: `${start.add({ hours: 1 })}` });
    });
  for (const wrong of [[], hours(most + 1), 'all', undefined]) {
    const { status, body } = await at.create(wrong);
    assert.deepEqual([status, body.issues[0].path], [422, 'overrides']);
  }
  const { status, body } = await at.create(hours(most));
  assert.equal(status, 201, JSON.stringify(body));
  assert.equal((await at.listed()).length, most);
});

test('the limit of a schedule holds for all of them together', async () => {
  await using at = await setting();
  await at.create([at.one(4)]);
  await at.sql`
    insert into oncall_overrides
    select organization_id, oncall_schedule_id, lpad(to_hex(n), 24, '0'), 1, user_id, null,
      start_at, end_at, null, edit, in_force_from, null, null, created_at, actor
    from oncall_overrides, generate_series(1, ${queryLimits.overrides - 3}) as n`;
  const full = await at.create([at.one(5), at.one(6), at.one(7)]);
  assert.equal(`${full.status} ${full.body.error}`, '409 conflict');
  assert.match(full.body.message, /would have more than 1000 current and future overrides/);
  assert.equal((await at.create([at.one(5), at.one(6)])).status, 201);
});

test('a request that is repeated by its key creates nothing more', async () => {
  await using at = await setting();
  const repeated = (overrides: readonly object[]) =>
    at.api.send(at.key, `POST ${at.path}/batch`, {
      body: { overrides },
      headers: { 'idempotency-key': 'once' },
    });
  const comment = 'x'.repeat(1_000);
  const sent = Array.from({ length: queryLimits.overridesAtOnce }, (_, index) =>
    at.one(4 + (index % 20), { comment }),
  );
  await at.create([at.one(3)]);
  const first = await repeated(sent);
  assert.equal(first.status, 201, JSON.stringify(first.body));
  await at.create([at.one(3)]);
  const again = await repeated(sent);
  assert.deepEqual([again.status, again.body], [201, first.body]);
  const other = await repeated(sent.slice(1));
  assert.deepEqual([other.status, other.body.error], [409, 'idempotency_mismatch']);
  const [removed, ...rest] = first.body.data;
  await at.send(`DELETE ${at.path}/${removed.id}`);
  assert.deepEqual((await repeated(sent)).body.data, rest);
  assert.equal((await at.listed()).length, 2 + rest.length);
});

test('each person is notified once, as the preview says, and each override is in the audit log', async () => {
  await using at = await setting();
  await at.announce();
  const sent = [at.one(4), at.one(6), at.one(8)];
  const { body: preview } = await at.preview(sent);
  const [before, after] = [at.ada, at.bob];
  assert.deepEqual(
    preview.changes,
    [4, 6, 8].map((number) => ({ start: day(number), end: day(number + 1), before, after })),
  );
  assert.equal(preview.changes_count, 3);
  assert.deepEqual(await at.listed(), [], 'a preview saves nothing');
  const { data } = (await at.create(sent)).body;
  const announced = await at.announce();
  const changeOf = (user: string) => `shift_change email ${user}`;
  assert.deepEqual(announced.toSorted(), [changeOf(at.ada), changeOf(at.bob)].sort());
  assert.deepEqual(preview.notices.map(textOf).sort(), announced.toSorted());
  const { body: notices } = await at.send(`GET /on-calls/${at.id}/change-notices`);
  for (const { changes } of notices.data) assert.equal(changes.length, 3);
  const audited = await at.sql`
    select action, record_id from audit_log where kind = 'oncall_override' order by sequence`;
  assert.deepEqual(
    audited.map(({ action, record_id }) => [action, record_id]),
    data.map(({ id }: Made) => ['create', id]),
  );
});

test('an archived schedule takes none; viewers create none, strangers see none', async () => {
  await using at = await setting();
  const { world } = at;
  const overrides = [at.one(4)];
  const refused = async (fields: Parameters<typeof world.caller>[0]) =>
    (await at.create(overrides, world.caller(fields))).status;
  assert.equal(await refused({ role: 'viewer' }), 403);
  assert.equal(await refused({ organizationId: 'f'.repeat(24) }), 404);
  assert.equal(await refused({ teamIds: [at.web] }), 404);
  assert.equal(await refused({ role: 'responder' }), 201);
  await at.send(`DELETE /on-calls/${at.id}`);
  for (const answer of [await at.create(overrides), await at.preview(overrides)])
    assert.equal(`${answer.status} ${answer.body.error}`, '409 archived');
  assert.equal((await at.listed()).length, 1);
});
