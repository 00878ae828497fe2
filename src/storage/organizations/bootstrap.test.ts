import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { anyDatabase, testDatabase } from '../../../test/database.ts';
import { systemClock } from '../../engine/clock.ts';
import { createIds } from '../../engine/ids.ts';
import { bootstrap } from './bootstrap.ts';

const server = await anyDatabase();
const ids = createIds(systemClock);
const means = {
  ids,
  now: systemClock.now(),
  random: randomBytes,
  digest: (text: string) => createHash('sha256').update(text).digest(),
  hashPassword: async (password: string) => `hashed ${password}`,
};
const wanted = { organization: 'Example', email: 'ada@example.com' };

test('what the operator does not choose is made up and told', async () => {
  await using database = await testDatabase({ server });
  const made = await bootstrap(database.sql, wanted, means);
  assert.match(made?.apiKey ?? '', /^pgr_[0-9a-f]{40}$/);
  assert.ok((made?.password?.length ?? 0) >= 20);
  const [account] = await database.sql`select password from auth_accounts`;
  assert.equal(account?.['password'], `hashed ${made?.password}`);
});

test('what the operator chooses is taken and not told again', async () => {
  await using database = await testDatabase({ server });
  const apiKey = `pgr_${'x'.repeat(40)}`;
  const made = await bootstrap(
    database.sql,
    { ...wanted, apiKey, password: 'chosen by them' },
    means,
  );
  assert.deepEqual([made?.apiKey, made?.password], [null, null]);
  const [key] = await database.sql`select role, digest from api_keys`;
  assert.equal(key?.['role'], 'owner');
  assert.deepEqual(key?.['digest'], means.digest(apiKey));
});

test('two servers that start at once make one organisation', async () => {
  await using database = await testDatabase({ server });
  const both = [1, 2, 3].map(() => bootstrap(database.sql, wanted, means));
  const made = (await Promise.all(both)).filter((each) => each !== null);
  assert.equal(made.length, 1);
  const rows = await database.sql`select id from organizations`;
  assert.equal(rows.length, 1);
  assert.equal(await bootstrap(database.sql, wanted, means), null);
});

test('what cannot be used later is refused, with every reason', async () => {
  await using database = await testDatabase({ server });
  const wrong = { organization: '', email: 'ada', password: 'short', apiKey: 'secret' };
  await assert.rejects(bootstrap(database.sql, wrong, means), ({ message }: Error) =>
    ['organization', 'email', 'password', 'apiKey'].every((path) => message.includes(path)),
  );
  assert.equal((await database.sql`select id from organizations`).length, 0);
});
