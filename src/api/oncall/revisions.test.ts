import assert from 'node:assert/strict';
import { test } from 'node:test';
import { daily, startOnCallApi, weekly } from '../../../test/on-call-api.ts';

/** A schedule that is edited day by day. */
async function setting() {
  const at = await startOnCallApi();
  const layers = [{ users: [at.ada], rotation: daily }];
  const id = await at.schedule(layers);
  return {
    ...at,
    id,
    layers,
    async save(fields: object) {
      at.pass({ hours: 24 });
      const saved = await at.send(`PATCH /on-calls/${id}`, fields);
      assert.equal(saved.status, 200, JSON.stringify(saved.body));
    },
    async revisions(query = '') {
      const { body } = await at.send(`GET /on-calls/${id}/revisions${query}`);
      return body;
    },
    [Symbol.asyncDispose]: () => at[Symbol.asyncDispose](),
  };
}

test('every edit of the layers or the zone leaves a revision, the newest first', async () => {
  await using at = await setting();
  await at.save({ layers: [{ users: [at.bob], rotation: daily }] });
  await at.save({ timezone: 'Europe/Berlin' });
  const { data, next_cursor } = await at.revisions();
  const shown = data.map(
    (one: { number: number; from: string; timezone: string; layers: { users: string[] }[] }) =>
      `${one.number} ${one.from.slice(0, 10)} ${one.timezone} ${one.layers[0]?.users}`,
  );
  assert.deepEqual(shown, [
    `3 2026-03-04 Europe/Berlin ${at.bob}`,
    `2 2026-03-03 Etc/UTC ${at.bob}`,
    `1 2026-03-02 Etc/UTC ${at.ada}`,
  ]);
  assert.equal(next_cursor, null);
});

test('a write that moves nobody leaves no revision', async () => {
  await using at = await setting();
  await at.save({ name: 'other' });
  await at.save({ layers: at.layers, timezone: 'Etc/UTC' });
  assert.equal((await at.revisions()).data.length, 1);
});

test('a revision says who made it, and which tool said that it manages the schedule', async () => {
  await using at = await setting();
  const layers = [{ users: [at.bob], rotation: daily }];
  const headers = { 'x-managed-by': 'terraform/prod' };
  await at.api.send(at.key, `PATCH /on-calls/${at.id}`, { body: { layers }, headers });
  const owner = at.world.caller({ kind: 'session', role: 'owner' });
  await at.send(`PATCH /on-calls/${at.id}`, { layers: at.layers }, owner);
  await at.sql`update schedule_revisions set actor = null where number = 1`;
  const { data } = await at.revisions();
  assert.deepEqual(
    data.map(({ actor, managed_by }: Made) => [actor?.type, actor?.id, managed_by]),
    [
      ['user', owner.id, undefined],
      ['key', at.key.id, { tool: 'terraform', workspace: 'prod' }],
      [undefined, undefined, undefined],
    ],
  );
});

type Made = { readonly actor?: { type: string; id: string }; readonly managed_by?: object };

test('revisions show their layers as /config does', async () => {
  await using at = await setting();
  await at.save({ layers: [...at.layers, { users: [at.bob, null], rotation: weekly }] });
  const config = await at.send(`GET /on-calls/${at.id}/config`);
  const [newest] = (await at.revisions()).data;
  assert.deepEqual(newest.layers, config.body.layers);
  assert.deepEqual(Object.keys(newest.layers[0]).sort(), ['anchor', 'id', 'rotation', 'users']);
  assert.deepEqual(Object.keys(newest.layers[0].anchor), ['at', 'turn']);
});

test('an archived schedule has nobody until it is restored, and then goes on as before', async () => {
  await using at = await setting();
  const layers = [{ users: [at.ada, at.bob], rotation: daily }];
  await at.save({ layers });
  const before = await at.send(`GET /on-calls/${at.id}/config`);
  at.pass({ hours: 24 });
  await at.send(`DELETE /on-calls/${at.id}`);
  at.pass({ hours: 24 });
  const owner = at.world.caller({ kind: 'session', role: 'owner' });
  assert.equal((await at.send(`POST /on-calls/${at.id}/restore`, undefined, owner)).status, 200);
  const { data } = await at.revisions();
  assert.deepEqual(
    data.map(({ archived }: { archived: boolean }) => archived),
    [false, true, false, false],
  );
  const after = await at.send(`GET /on-calls/${at.id}/config`);
  assert.deepEqual(after.body.layers, before.body.layers);
  const nowAt = async (time: string) =>
    (await at.send(`GET /on-calls/${at.id}/now?at=${time}`)).body.now?.user.id ?? null;
  const days = ['03', '04', '05', '06'].map((day) => nowAt(`2026-03-${day}T12:00Z`));
  assert.deepEqual(await Promise.all(days), [at.ada, null, at.ada, at.bob]);
});

test('revisions come in pages', async () => {
  await using at = await setting();
  await at.save({ timezone: 'Europe/Berlin' });
  await at.save({ timezone: 'Europe/Paris' });
  const numbers = (page: { data: { number: number }[] }) => page.data.map(({ number }) => number);
  const first = await at.revisions('?limit=2');
  assert.deepEqual(numbers(first), [3, 2]);
  const second = await at.revisions(`?limit=2&cursor=${first.next_cursor}`);
  assert.deepEqual([numbers(second), second.next_cursor], [[1], null]);
  const wrong = await at.send(`GET /on-calls/${at.id}/revisions?cursor=x`);
  assert.equal(wrong.status, 422);
});

test('strangers see no revisions', async () => {
  await using at = await setting();
  for (const fields of [{ organizationId: 'f'.repeat(24) }, { teamIds: [at.web] }]) {
    const line = `GET /on-calls/${at.id}/revisions`;
    assert.equal((await at.send(line, undefined, at.world.caller(fields))).status, 404);
  }
});
