import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anyDatabase, type TestDatabase, testDatabase } from '../../../test/database.ts';
import { eventually } from '../../../test/system/eventually.ts';
import { silentLog } from '../../engine/log.ts';
import { noWake, type Wake } from '../../engine/wake.ts';
import { openWakeUps, type WakeUps } from './wake-ups.ts';

const wakes = { incidents: { ...noWake, incidents: true }, shifts: { ...noWake, shifts: true } };
const everything = { incidents: true, notices: true, backlog: true, shifts: true, posts: true };

type Server = AsyncDisposable & { readonly wakeUps: WakeUps; readonly heard: Wake[] };

/** One that listens, and has been heard of everything once. */
async function startServer({ url }: TestDatabase, server: string): Promise<Server> {
  const heard: Wake[] = [];
  const failed = () => assert.fail('a wake-up failed');
  const wakeUps = await openWakeUps({ url, log: silentLog, server, failed });
  await wakeUps.listen({ onWake: (wake) => heard.push(wake) });
  assert.deepEqual(heard.splice(0), [everything]);
  return { wakeUps, heard, [Symbol.asyncDispose]: () => wakeUps[Symbol.asyncDispose]() };
}

test('what one server tells, the others hear, and it does not', async () => {
  await using database = await testDatabase({ server: await anyDatabase(), migrations: 'none' });
  await using one = await startServer(database, 'one');
  await using two = await startServer(database, 'two');
  one.wakeUps.notify(noWake);
  one.wakeUps.notify(wakes.incidents);
  await eventually('the other hears', () => two.heard.length === 1);
  two.wakeUps.notify(wakes.shifts);
  await eventually('it is heard back', () => one.heard.length === 1);
  assert.deepEqual([one.heard, two.heard], [[wakes.shifts], [wakes.incidents]]);
});

test('a thousand commits of a moment are few notifications, and nothing of them is lost', async () => {
  await using database = await testDatabase({ server: await anyDatabase(), migrations: 'none' });
  await using one = await startServer(database, 'one');
  await using two = await startServer(database, 'two');
  one.wakeUps.notify(wakes.incidents);
  for (let each = 0; each < 1_000; each += 1) one.wakeUps.notify(wakes.shifts);
  await eventually('all is heard', () => two.heard.some(({ shifts }) => shifts));
  assert.deepEqual(
    two.heard.filter(({ incidents }) => incidents).length,
    1,
    'what was told is told once',
  );
  assert.ok(two.heard.length <= 2, `${two.heard.length}`);
});

test('after a lost connection everything may have something to do', async () => {
  await using database = await testDatabase({ server: await anyDatabase(), migrations: 'none' });
  await using one = await startServer(database, 'one');
  await using two = await startServer(database, 'two');
  await database.sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'pager wake-ups'`;
  await eventually('it listens again', () => two.heard.length > 0);
  assert.deepEqual(two.heard[0], everything);
  await eventually('the next notification arrives', () => {
    one.wakeUps.notify(wakes.shifts);
    return two.heard.some(({ shifts, incidents }) => shifts && !incidents);
  });
});
