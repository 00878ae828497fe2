import assert from 'node:assert/strict';
import { test } from 'node:test';
import { databases, testDatabase } from '../../../test/database.ts';
import { later, noon } from '../../../test/incident-life.ts';
import { seedOrganization } from '../../../test/world.ts';
import { accessLimits } from '../../limits/access.ts';
import {
  answeredAt,
  noteAnswer,
  removeOldTextAnswers,
  takeAnswer,
  takeStrangersAnswer,
} from './text-answers.ts';

const [server] = await databases();
const days = 24 * 60;

test('a stranger is answered once an hour', async () => {
  assert.ok(server);
  await using database = await testDatabase({ server });
  const { sql } = database;
  const [first, second] = [await seedOrganization(sql), await seedOrganization(sql)];
  const take = (now = noon, { address = 1, organizationId = first.organizationId } = {}) =>
    takeStrangersAnswer(sql, { organizationId, digest: Uint8Array.of(address), now });
  assert.deepEqual((await Promise.all([take(), take()])).sort(), [false, true]);
  assert.equal(await take(noon, { address: 2 }), true);
  assert.equal(await take(noon, { organizationId: second.organizationId }), true);
  assert.equal(await take(later(59)), false);
  assert.equal(await take(later(60)), true);
  assert.equal(await take(later(61)), false);
  assert.equal(await removeOldTextAnswers(sql, later(8 * days)), 2);
  assert.equal(await removeOldTextAnswers(sql, later(8 * days + 60)), 1);
});

test('somebody known is answered so many times an hour, and as many after each page', async () => {
  assert.ok(server);
  await using database = await testDatabase({ server });
  const { sql } = database;
  const { organizationId } = await seedOrganization(sql);
  const at = { organizationId, digest: Uint8Array.of(1) };
  const take = (minutes: number, pagedAt: number | null = null) =>
    takeAnswer(sql, {
      ...at,
      now: later(minutes),
      pagedAt: pagedAt === null ? null : later(pagedAt),
    });
  const taken = async (minutes: number, pagedAt: number | null = null) => {
    let count = 0;
    while (count < 100 && (await take(minutes, pagedAt))) count += 1;
    return count;
  };
  assert.equal(await answeredAt(sql, at), null);
  assert.equal(await taken(0), accessLimits.textAnswers);
  assert.equal(await take(59, -5), false, 'the page came before the first answer');
  assert.equal(await taken(30, 20), accessLimits.textAnswers);
  assert.equal(await taken(31, 20), 0);
  assert.equal(await taken(90), accessLimits.textAnswers);
  assert.deepEqual(await answeredAt(sql, at), later(90));
  await noteAnswer(sql, { ...at, now: later(91) });
  await noteAnswer(sql, { ...at, now: later(92) });
  assert.deepEqual(await answeredAt(sql, at), later(92));
  assert.equal(await answeredAt(sql, { ...at, digest: Uint8Array.of(2) }), null);
});
