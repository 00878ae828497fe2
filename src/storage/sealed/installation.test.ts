import assert from 'node:assert/strict';
import { test } from 'node:test';
import { databases, testDatabase } from '../../../test/database.ts';
import { claimInstallation, readInstallation } from './installation.ts';
import { createSealer, createSecrets, derivedKeys } from './secrets.ts';

const secretKey = 'the key that this database begins with';

for (const server of await databases()) {
  test(`a database is bound to the first secret key that opens it, on ${server.name}`, async () => {
    await using database = await testDatabase({ server });
    const { sql } = database;
    const starts = Array.from({ length: 5 }, () => claimInstallation(sql, secretKey));
    const [first, ...others] = await Promise.all(starts);
    assert.ok(first);
    for (const other of [...others, await readInstallation(sql, secretKey)]) {
      assert.deepEqual(other.digest('token'), first.digest('token'));
      assert.equal(other.mac('entry'), first.mac('entry'));
    }
    const another = 'another key of more than 32 letters';
    await assert.rejects(claimInstallation(sql, another), /another secret key/);
    await assert.rejects(readInstallation(sql, another), /another secret key/);
    const derived = createSecrets(createSealer(secretKey), derivedKeys(secretKey));
    assert.notDeepEqual(first.digest('token'), derived.digest('token'));
  });

  test(`what an older version made with its secret key stays, on ${server.name}`, async () => {
    await using database = await testDatabase({ server });
    const { sql } = database;
    const sealer = createSealer(secretKey);
    await sql`
      insert into installation (key, value)
      values ('secret_key_fingerprint', ${sealer.fingerprint})`;
    await assert.rejects(readInstallation(sql, secretKey), /older version/);
    const { digest, mac } = await claimInstallation(sql, secretKey);
    const before = createSecrets(sealer, derivedKeys(secretKey));
    assert.deepEqual([digest('a'), mac('a')], [before.digest('a'), before.mac('a')]);
  });
}
