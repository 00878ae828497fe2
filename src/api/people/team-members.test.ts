import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { peopleWorld } from '../../../test/people-world.ts';
import { teamMembersMax } from '../../resources/team.ts';

// Ends before the database server does, whose own hook comes with the first database.
after(() => world[Symbol.asyncDispose]());
const world = await peopleWorld();
beforeEach(() => world.pass({ minutes: 6 }));

const { call, made, person } = world;
const { key } = world.first;
const users = async (team: string) => (await call(`GET /teams/${team}`)).body.user_ids;

test('people join a team at its end and leave it, and others and the version stay', async () => {
  const [one, two] = [await person(), await person()];
  const team = await made('/teams', { name: 'Ops', user_ids: [two.id] });
  const at = `/teams/${team.id}/members`;
  const body = { user_id: one.id };
  const joined = await call(`POST ${at}`, { key, body });
  const membership = { id: one.id, team_id: team.id, user_id: one.id };
  assert.deepEqual([joined.status, joined.body], [201, membership]);
  assert.deepEqual((await call(`POST ${at}`, { key, body })).body, membership);
  assert.deepEqual(await users(team.id), [two.id, one.id]);
  assert.deepEqual((await call(`GET ${at}/${one.id}`)).body, membership);
  assert.equal((await call(`GET /teams/${team.id}`)).body.version, team.version);
  assert.deepEqual((await call(`GET /users/${one.id}`)).body.team_ids, [team.id]);

  assert.deepEqual((await call(`DELETE ${at}/${one.id}`)).body, { id: one.id });
  assert.deepEqual(await users(team.id), [two.id]);
  for (const line of [`GET ${at}/${one.id}`, `DELETE ${at}/${one.id}`])
    assert.equal((await call(line)).status, 404);
  const { data } = (await call(`GET /audit-log?record_type=team&record_id=${team.id}`)).body;
  assert.deepEqual(
    data.map(({ action }: { readonly action: string }) => action),
    ['update', 'update', 'create'],
  );
});

test('members are listed by the id of the person, page by page', async () => {
  const people = [await person(), await person(), await person()].map(({ id }) => id);
  const team = await made('/teams', { name: 'Listed', user_ids: people.toReversed() });
  const first = (await call(`GET /teams/${team.id}/members?limit=2`)).body;
  const rest = (await call(`GET /teams/${team.id}/members?limit=2&cursor=${first.next_cursor}`))
    .body;
  const all = [...first.data, ...rest.data].map(({ user_id }) => user_id);
  assert.deepEqual([all, rest.next_cursor], [people.toSorted(), null]);
});

test('a repeated request is answered once, and as it was', async () => {
  const { id } = await person();
  const team = await made('/teams', { name: 'Repeated' });
  const request = { key, body: { user_id: id }, headers: { 'idempotency-key': 'join-1' } };
  const line = `POST /teams/${team.id}/members`;
  const [one, two] = [await call(line, request), await call(line, request)];
  assert.deepEqual([one.status, two.status, two.body], [201, 201, one.body]);
});

test('strangers, full teams, archived teams and other fields are refused', async () => {
  const { id } = await person();
  const team = await made('/teams', { name: 'Strict' });
  const join = (body: object, of = team.id) => call(`POST /teams/${of}/members`, { key, body });
  const unknown = await join({ user_id: 'e'.repeat(24) });
  assert.deepEqual(unknown.body.issues, [{ path: 'user_id', message: 'does not match any user' }]);
  assert.equal((await join({ user_id: id, role: 'admin' })).status, 422);
  assert.equal((await join({})).status, 422);
  assert.equal((await join({ user_id: id }, 'e'.repeat(24))).status, 404);

  const { organizationId } = world.first;
  await world.sql`
    insert into users (organization_id, id, first_name, last_name, email, role, timezone, active,
      version, created_at, updated_at)
    select organization_id, lpad(n::text, 24, '0'), 'a', 'b', n || '@many.test', role, timezone,
      active, 1, created_at, updated_at
    from users, generate_series(1, ${teamMembersMax}) as n where id = ${id}`;
  await world.sql`
    insert into team_members (organization_id, team_id, user_id, position)
    select ${organizationId}, ${team.id}, lpad(n::text, 24, '0'), n
    from generate_series(1, ${teamMembersMax}) as n`;
  const full = await join({ user_id: id });
  assert.deepEqual([full.status, full.body.error], [409, 'conflict']);
  await world.sql`delete from team_members where team_id = ${team.id}`;

  await call(`DELETE /teams/${team.id}`);
  assert.equal((await join({ user_id: id })).body.error, 'archived');
  assert.equal((await call(`GET /teams/${team.id}/members`)).status, 404);
});

test('admins change members, in the teams of their key alone, and others read them', async () => {
  const { id } = await person();
  const [mine, other] = [
    await made('/teams', { name: 'Mine' }),
    await made('/teams', { name: 'Other' }),
  ];
  const keyOf = async (fields: object) =>
    (await made('/api-keys', { name: 'k', role: 'admin', ...fields })).key;
  const body = { user_id: id };
  const manager = await keyOf({ role: 'manager' });
  const lines = (team: string) => [
    `POST /teams/${team}/members`,
    `DELETE /teams/${team}/members/${id}`,
  ];
  for (const line of lines(mine.id))
    assert.equal((await call(line, { key: manager, body })).status, 403, line);
  assert.equal((await call(`GET /teams/${mine.id}/members`, { key: manager })).status, 200);
  const confined = await keyOf({ team_ids: [mine.id] });
  for (const line of [...lines(other.id), `GET /teams/${other.id}/members`])
    assert.equal((await call(line, { key: confined, body })).status, 404, line);
  const [join = '', leave = ''] = lines(mine.id);
  assert.equal((await call(join, { key: confined, body })).status, 201);
  assert.equal((await call(leave, { key: confined })).status, 200);
});
