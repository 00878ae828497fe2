// The database's host is gone without a word: nothing closes, nothing answers, as when packets are
// dropped.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testDatabase } from '../database.ts';
import { postJson, request } from './api-client.ts';
import { startLossyHost } from './database-relay.ts';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';
import { startMailServer } from './notice-servers.ts';
import { createInstallation, mailTo, type ServerProcess } from './server-process.ts';
import { systemPostgres } from './system-postgres.ts';

const postgres = await systemPostgres();

test('servers whose database host is lost in silence say so, and page once there is another', async () => {
  await using database = await testDatabase({ server: postgres, migrations: 'none' });
  await using host = await startLossyHost(database.url);
  await using mail = await startMailServer();
  const settings = { ...mailTo(mail), PAGER_DATABASE_URL: host.url };
  await using installation = await createInstallation(settings);
  const first = await installation.start();
  const second = await installation.start({
    PAGER_LISTEN: `127.0.0.1:${await freePort()}`,
    PAGER_EMAIL_LISTEN: `127.0.0.1:${await freePort()}`,
  });
  const servers = [first, second];
  const hooks = await Promise.all(servers.map(hookOf));
  const trigger = (server: number, title: string) => postJson(hooks[server] ?? '', { title });
  for (const index of servers.keys())
    assert.equal((await trigger(index, `before ${index}`)).status, 202);
  await mail.arrival('a page of before', ({ subject }) => subject.includes('before 1'));

  host.lose();
  const meanwhile = servers.map((_, index) => trigger(index, 'meanwhile'));
  for (const server of servers) {
    await eventually('it says that it is not ready', () => isReady(server, 503));
    await eventually('its metrics show it', () => hasMetric(server, 'pager_database_up 0'));
  }
  for (const { status, body } of await Promise.all(meanwhile))
    assert.deepEqual([status, body.error], [503, 'unavailable']);

  host.replace();
  for (const [index, server] of servers.entries()) {
    await eventually('it is ready again', () => isReady(server, 200));
    await eventually('an event is taken', async () => {
      const { status } = await trigger(index, `after ${index}`);
      return status === 202;
    });
    await mail.arrival('a page', ({ subject }) => subject.includes(`after ${index}`));
    await eventually('its metrics show it', () => hasMetric(server, 'pager_database_up 1'));
    await eventually('nothing waits', () => hasMetric(server, 'pager_oldest_due_notice_seconds 0'));
    const lines = server.output().match(/"level":50[^\n]*the database is unavailable/g) ?? [];
    assert.equal(lines.length, 1, server.output());
  }
  for (const server of servers) assert.equal(await server.stop(), 0);
  const { code, output } = await installation.audit();
  assert.equal(code, 0, output);
});

async function hookOf({ api, url }: ServerProcess): Promise<string> {
  const [integration] = await api.list('integrations');
  return `${url}${new URL(integration.webhook_url).pathname}`;
}

const isReady = async ({ url }: ServerProcess, wanted: 200 | 503) =>
  (await request(`${url}/readyz`)).status === wanted;

const hasMetric = async ({ url }: ServerProcess, line: string) =>
  String((await request(`${url}/metrics`)).body)
    .split('\n')
    .includes(line);
