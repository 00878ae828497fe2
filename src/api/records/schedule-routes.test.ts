import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startOnCallApi, weekly } from '../../../test/on-call-api.ts';

test('a clone has the layers, the zone and the team, and a name and a number of its own', async () => {
  await using at = await startOnCallApi();
  const layers = [{ users: [at.ada, null], rotation: weekly, starts_at: '2026-01-01T00:00:00Z' }];
  const timezone = 'Asia/Tokyo';
  const id = await at.schedule(layers, { name: 'Nights', timezone, team_id: at.web });
  const { status, body } = await at.send(`POST /on-calls/${id}/clone`);
  assert.equal(status, 201);
  const { name, counter, version, team_id } = body;
  assert.deepEqual([name, counter, version, team_id], ['Nights (copy)', 2, 1, at.web]);
  assert.deepEqual([body.layers, body.timezone], [layers, timezone]);
  assert.notEqual(body.id, id);
  const named = await at.send(`POST /on-calls/1/clone`, { name: 'Days', team_id: at.ops });
  assert.deepEqual([named.body.name, named.body.team_id], ['Days', at.ops]);
  const actions = await at.sql`select action from audit_log where record_id = ${body.id}`;
  assert.deepEqual([...actions], [{ action: 'create' }]);
});

test('the layers of a clone begin anew, and its save warns like any other', async () => {
  await using at = await startOnCallApi();
  const id = await at.schedule([{ users: [at.ada, null], rotation: weekly }]);
  at.pass({ hours: 200 });
  const { body } = await at.send(`POST /on-calls/${id}/clone`);
  assert.match(body.warnings[0], /^Nobody is on call from 2026-03-16T00:00Z/);
  const ids = async (schedule: string) =>
    (await at.send(`GET /on-calls/${schedule}/config`)).body.layers[0].id;
  assert.notEqual(await ids(body.id), await ids(id));
  const { now } = (await at.send(`GET /on-calls/${body.id}/now`)).body;
  assert.deepEqual([now.user.id, now.start], [at.ada, '2026-03-10T08:00:00.000Z']);
});

test('a clone of a long name fits, counted in whole characters', async () => {
  await using at = await startOnCallApi();
  const id = await at.schedule([{ users: [at.ada], rotation: weekly }], { name: '🦉'.repeat(255) });
  const { body } = await at.send(`POST /on-calls/${id}/clone`);
  assert.equal(body.name, `${'🦉'.repeat(248)} (copy)`);
});

test('a clone is refused where making the schedule would be', async () => {
  await using at = await startOnCallApi();
  const id = await at.schedule([{ users: [at.ada], rotation: weekly }]);
  const clone = (body: object, caller = at.key) =>
    at.send(`POST /on-calls/${id}/clone`, body, caller);
  assert.equal((await clone({}, at.world.caller({ role: 'responder' }))).status, 403);
  assert.equal((await clone({ team_id: 'f'.repeat(24) })).status, 404);
  const confined = at.world.caller({ teamIds: [at.ops] });
  assert.equal((await clone({ team_id: at.web }, confined)).status, 404);
  const wrong = await clone({ name: '', layers: [] });
  assert.deepEqual(
    [wrong.status, wrong.body.issues.map(({ path }: { path: string }) => path)],
    [422, ['name', 'layers']],
  );
  await at.sql`update users set active = false where id = ${at.ada}`;
  const left = await clone({});
  assert.deepEqual(
    [left.status, left.body.issues[0].path],
    [422, 'layers[0].users[0]'],
    'somebody who has left is not put on call anew',
  );
});
