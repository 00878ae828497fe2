import assert from 'node:assert/strict';
import { test } from 'node:test';
import { databases, testDatabase } from '../../../test/database.ts';
import { later, noon } from '../../../test/incident-life.ts';
import { seedOrganization } from '../../../test/world.ts';
import { removeOldTextAnswers, type TextAnswer, takeTextAnswer } from './text-answers.ts';

const [server] = await databases();

test('the same answer goes to the same address once an hour', async () => {
  assert.ok(server);
  await using database = await testDatabase({ server });
  const { sql } = database;
  const [first, second] = [await seedOrganization(sql), await seedOrganization(sql)];
  const take = (
    answer: TextAnswer,
    now = noon,
    { address = 1, organizationId = first.organizationId } = {},
  ) => takeTextAnswer(sql, { organizationId, digest: Uint8Array.of(address), answer, now });
  assert.deepEqual(await Promise.all([take('help'), take('help')]).then((all) => all.sort()), [
    false,
    true,
  ]);
  assert.equal(await take('which'), true);
  assert.equal(await take('help', noon, { address: 2 }), true);
  assert.equal(await take('help', noon, { organizationId: second.organizationId }), true);
  assert.equal(await take('help', later(59)), false);
  assert.equal(await take('help', later(60)), true);
  assert.equal(await take('help', later(61)), false);
  assert.equal(await removeOldTextAnswers(sql, later(60)), 3);
  assert.equal(await take('help', later(62)), false);
});
