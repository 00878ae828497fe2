// A server is killed while a mail server keeps it waiting for the answer.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { testDatabase } from '../database.ts';
import { skipped } from '../skipped.ts';
import { postJson } from './api-client.ts';
import { eventually } from './eventually.ts';
import { startMailServer } from './notice-servers.ts';
import { createInstallation, mailTo, type Settings } from './server-process.ts';
import { systemPostgres } from './system-postgres.ts';

const postgres = await systemPostgres();
const skip =
  process.platform !== 'linux' && skipped('a killed sender', 'only Linux tells its boot');
/** Longer than anything here takes. */
const ANSWER_MILLISECONDS = 25_000;

describe('what a killed server was sending arrives again once it is back', { skip }, () => {
  test('on the bundled database', () => arrivesAgain({}));

  test('on a given database', async () => {
    await using database = await testDatabase({ server: postgres, migrations: 'none' });
    await arrivesAgain({ PAGER_DATABASE_URL: database.url });
  });
});

/** Under the same key, and without waiting as long as a lease takes. */
async function arrivesAgain(settings: Settings): Promise<void> {
  await using mail = await startMailServer(0, ANSWER_MILLISECONDS);
  await using installation = await createInstallation({ ...mailTo(mail), ...settings });
  const server = await installation.start();
  const [{ webhook_url }] = await server.api.list('integrations');
  const { status } = await postJson(webhook_url, { title: 'disk full' });
  assert.equal(status, 202);
  const page = await mail.arrival('the page', ({ subject }) => subject.includes('disk full'));
  await server.kill();
  const again = await installation.start();
  await eventually('the page arrives again', () => {
    return mail.mails.filter(({ notice }) => notice === page.notice).length > 1;
  });
  assert.match(again.output(), /due at once/);
  const { code, output } = await installation.audit();
  assert.equal(code, 0, output);
}
