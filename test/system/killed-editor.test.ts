// A server is killed after an acknowledgement and before the messages outside show it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testDatabase } from '../database.ts';
import { startFakeTelegram } from '../vendors/telegram.ts';
import { postJson } from './api-client.ts';
import { eventually } from './eventually.ts';
import { createInstallation } from './server-process.ts';
import { systemPostgres } from './system-postgres.ts';

const chat = '4711';

test('what a killed server did not show yet is shown by the next', async () => {
  await using telegram = await startFakeTelegram();
  await using database = await testDatabase({
    server: await systemPostgres(),
    migrations: 'none',
  });
  await using installation = await createInstallation({
    PAGER_DATABASE_URL: database.url,
    PAGER_VENDOR_URLS: `telegram=${telegram.url}`,
  });
  const server = await installation.start();
  const { api } = server;
  await api.create('channel-connections', {
    name: 'Bot',
    vendor: 'telegram',
    secrets: { bot_token: telegram.token },
  });
  telegram.start(chat);
  const [user] = await api.list('users');
  await database.sql`
    insert into contacts (organization_id, id, user_id, channel, address, verified_at, created_at)
    select organization_id, ${'b'.repeat(24)}, id, 'telegram', ${chat}, now(), now()
    from users where id = ${user.id}`;
  const [policy] = await api.list('escalation-policies');
  const steps = [{ targets: [{ via: 'telegram', user_id: user.id }] }];
  const { status } = await api.send(`PATCH /escalation-policies/${policy.id}`, { steps });
  assert.equal(status, 200);
  const [{ webhook_url }] = await api.list('integrations');
  await postJson(webhook_url, { title: 'disk full' });
  const message = () => telegram.messages.find(({ text }) => text.includes('disk full'));
  await eventually('the page', async () => {
    const rows =
      await database.sql`select key from posted where wake_at > now() + interval '1 minute'`;
    return message() !== undefined && rows.length === 1;
  });
  const [incident] = await api.list('incidents');
  const acknowledged = await api.send(`POST /incidents/${incident.id}/acknowledge`, {});
  assert.equal(acknowledged.status, 200);
  await server.kill();
  await installation.start();
  await eventually('the edit', () => message()?.edits === 1);
  assert.match(message()?.text ?? '', /^Acknowledged by /);
  const { code, output } = await installation.audit();
  assert.equal(code, 0, output);
});
