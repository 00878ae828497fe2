// The connection is lost between the commit of a claim and its answer, as when PostgreSQL is restarted at
// once: the page is claimed, and the server that lives does not know it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testDatabase } from '../database.ts';
import { postJson } from './api-client.ts';
import { startDatabaseRelay } from './database-relay.ts';
import { startMailServer } from './notice-servers.ts';
import { createInstallation, mailTo } from './server-process.ts';
import { systemPostgres } from './system-postgres.ts';

const postgres = await systemPostgres();
/** Of the lease, for which the page waited. */
const LEASE_MILLISECONDS = 60_000;

test('a page whose claim was committed without an answer is sent once, and at once', async () => {
  await using database = await testDatabase({ server: postgres, migrations: 'none' });
  let isArmed = false;
  let broken = 0;
  const statements = new Map<number, Statements>();
  await using relay = await startDatabaseRelay(database.url, (sent, connection) => {
    const own = statements.get(connection) ?? new Statements();
    statements.set(connection, own);
    const executed = own.executedIn(sent);
    if (executed.some((text) => /insert into attempts/.test(text))) own.isClaiming = isArmed;
    if (!own.isClaiming || !executed.some((text) => /^commit/.test(text))) return false;
    isArmed = false;
    broken += 1;
    return 'once sent';
  });
  await using mail = await startMailServer();
  await using installation = await createInstallation({
    ...mailTo(mail),
    PAGER_DATABASE_URL: relay.url,
  });
  const server = await installation.start();
  const [integration] = await server.api.list('integrations');
  const trigger = (title: string) => postJson(integration.webhook_url, { title });
  await trigger('before');
  await mail.arrival('a page', ({ subject }) => subject.includes('before'));
  isArmed = true;
  const began = performance.now();
  assert.equal((await trigger('claimed')).status, 202);
  await mail.arrival('the page', ({ subject }) => subject.includes('claimed'));
  assert.equal(broken, 1);
  assert.ok(performance.now() - began < LEASE_MILLISECONDS / 2);
  assert.equal(await server.stop(), 0);
  const pages = mail.mails.filter(({ subject }) => subject.includes('claimed'));
  assert.equal(pages.length, 1);
  const { code, output } = await installation.audit();
  assert.equal(code, 0, output);
});

/** What a connection has prepared, by name. */
class Statements {
  isClaiming = false;
  readonly #texts = new Map<string, string>();

  /** Parse and Bind of PostgreSQL's protocol, found by what surrounds their names. */
  executedIn(sent: string): readonly string[] {
    for (const [, name = '', text = ''] of sent.matchAll(/P.{4}(\w+)\0([^\0]+)\0/gs))
      this.#texts.set(name, text.trim());
    return [...sent.matchAll(/B.{4}\0(\w+)\0/gs)].map(
      ([, name = '']) => this.#texts.get(name) ?? '',
    );
  }
}
