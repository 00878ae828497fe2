import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startRecordsApi } from '../../../test/records-api.ts';

/** Three integrations, of which the second cannot be read. */
async function setting() {
  const at = await startRecordsApi();
  const [service, policy] = [await at.make('services', { name: 's' }), await at.policy()];
  const ids = [];
  for (let count = 0; count < 3; count += 1) ids.push(await at.integration(service, policy));
  const [, broken = ''] = ids;
  await at.sql`update integrations set token_encrypted = 'AAAA' where id = ${broken}`;
  const reason = `The integration 2 (${broken}) is stored in a form that cannot be read: `;
  return { at, ids, broken, reason };
}

test('a record that cannot be read is named in its list, beside the others', async () => {
  const { at, ids, broken, reason } = await setting();
  await using _ = at;
  const { status, body } = await at.api.send(at.key, 'GET /integrations?limit=2');
  assert.equal(status, 200);
  assert.deepEqual(
    body.data.map(({ id }: { id: string }) => id),
    ids.slice(0, 1),
  );
  assert.equal(body.unreadable.length, 1);
  assert.equal(body.unreadable[0].id, broken);
  assert.ok(body.unreadable[0].reason.startsWith(reason));
  assert.deepEqual(
    at.faults.map(({ of, id }) => [of, id]),
    [['record', `integration ${broken}`]],
  );
  const next = await at.api.send(at.key, `GET /integrations?cursor=${body.next_cursor}`);
  assert.deepEqual([next.body.data.length, next.body.unreadable], [1, undefined]);
});

test('one that cannot be read is refused with the reason, read or written', async () => {
  const { at, broken, reason } = await setting();
  await using _ = at;
  for (const method of ['GET', 'PATCH', 'DELETE']) {
    const body = { body: { name: 'n' } };
    const answer = await at.api.send(at.key, `${method} /integrations/${broken}`, body);
    assert.deepEqual([answer.status, answer.body.error], [500, 'internal'], method);
    assert.ok(answer.body.message.startsWith(reason), method);
  }
});
