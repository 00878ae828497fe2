import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { eventually } from '../system/eventually.ts';
import { type FakeTelegram, startFakeTelegram } from '../vendors/telegram.ts';
import { checkShown, noBrowser, phone, type Stage, startStage } from './stage.ts';

const skip = noBrowser ?? false;
let telegram: FakeTelegram;
let stage: Stage;

before(async () => {
  if (skip) return;
  telegram = await startFakeTelegram();
  stage = await startStage({ PAGER_VENDOR_URLS: `telegram=${telegram.url}` });
});
after(async () => {
  await stage?.[Symbol.asyncDispose]();
  await telegram?.[Symbol.asyncDispose]();
});

async function chatOf({ server: { api } }: Stage) {
  const [owner] = await api.list('users');
  const { body } = await api.send(`GET /users/${owner.id}/contacts`);
  return body.data.find(({ channel }: { channel: string }) => channel === 'telegram');
}

test(
  'an admin adds a bot on a phone, links a chat, tests, archives and restores it',
  { skip },
  () =>
    stage.story(phone, async ({ page, open, expectError }) => {
      await open('/me');
      const contacts = page.getByRole('region', { name: 'Contacts' });
      await contacts.getByText(/^Telegram cannot be linked: No channel connection/).waitFor();
      const telegramText = contacts.getByRole('paragraph').filter({ hasText: /^Telegram/ });
      await telegramText.getByRole('link', { name: 'Channels' }).tap();
      const connections = page.getByRole('region', { name: 'Connections' });
      await connections.getByText('No connections yet.').waitFor();
      const byChannel = page.getByRole('list', { name: 'Channel health' }).getByRole('listitem');
      const channel = byChannel.filter({ hasText: 'Telegram' });
      await channel.getByText('No channel connection').waitFor();

      await connections.getByRole('button', { name: 'Add connection' }).tap();
      const dialog = page.getByRole('dialog');
      const vendor = dialog.getByLabel('Vendor');
      await vendor.selectOption({ label: 'Mail server' });
      await dialog.getByText('The mail server in PAGER_SMTP_URL is used instead.').waitFor();
      await checkShown(page);
      await vendor.selectOption({ label: 'Twilio' });
      await dialog.getByText(/^Twilio cannot call Pager, because http:.* Calls are only/).waitFor();
      const labels = (await dialog.locator('form label').allTextContents()).slice(2);
      const isOptional = (label: string) => label.endsWith('(optional)');
      assert.ok(labels.indexOf('Auth token') < labels.findIndex(isOptional), `${labels}`);
      await vendor.selectOption({ label: 'Telegram' });
      assert.equal(await dialog.getByText(/cannot call Pager/).count(), 0);
      assert.equal(await dialog.getByLabel('Bot token').getAttribute('type'), 'password');
      // The refusal is in the console.
      expectError(/422/);
      await dialog.getByLabel('Bot token').fill('hunter2');
      await dialog.getByRole('button', { name: 'Add connection' }).tap();
      await dialog.getByLabel('Bot token').and(page.locator('[aria-invalid=true]')).waitFor();
      await dialog.getByText('must be a token such as').first().waitFor();
      await checkShown(page);
      await dialog.getByLabel('Bot token').fill(` ${telegram.token} `);
      await dialog.getByRole('button', { name: 'Add connection' }).tap();
      const row = connections.getByRole('link', { name: `@${telegram.bot.username}` });
      await row.getByText('Connected').waitFor();
      await channel.getByText('Ready').waitFor();
      await checkShown(page);

      await open('/me');
      await contacts.getByRole('button', { name: 'Link Telegram' }).tap();
      const paste = dialog.getByLabel(`Or send this message to @${telegram.bot.username}`);
      const [, code = ''] = /^\/start (.+)$/.exec(await paste.inputValue()) ?? [];
      const link = dialog.getByRole('link', { name: `Open @${telegram.bot.username}` });
      const url = `https://t.me/${telegram.bot.username}?start=${code}`;
      assert.equal(await link.getAttribute('href'), url);
      await dialog.getByRole('img', { name: 'QR code' }).waitFor();
      await checkShown(page);
      telegram.start('4711', code);
      await dialog.getByText('Chat 4711 is linked.').waitFor();
      await dialog.getByRole('button', { name: 'Done' }).tap();
      const chat = contacts.getByRole('listitem').filter({ hasText: '4711' });
      await chat.getByText(/^Confirmed on /).waitFor();

      await open('/settings/channels');
      await row.tap();
      await page.getByText(`…${telegram.token.slice(-4)}, set on`).waitFor();
      const trial = page.getByRole('region', { name: 'Test' });
      await trial.getByLabel('Also send a message to my chat 4711').waitFor();
      await trial.getByRole('button', { name: 'Test' }).tap();
      await trial.getByText('A message was sent to the chat.').waitFor();
      assert.match(telegram.messages.at(-1)?.text ?? '', /test message/);
      const settings = page.getByRole('region', { name: 'Settings' });
      await settings.getByLabel('Name').fill('Bot of operations');
      await settings.getByRole('button', { name: 'Save' }).tap();
      await settings.getByText('Saved').waitFor();
      await checkShown(page);

      telegram.block('4711');
      await eventually('the chat is lost', async () => !(await chatOf(stage)).verified);
      await open('/me');
      await chat.getByText('The person has blocked the bot.').waitFor();
      await chat.getByRole('button', { name: 'Link again' }).waitFor();

      await open('/settings/channels');
      await row.tap();
      await page.getByRole('button', { name: 'Archive' }).tap();
      // That it is gone is known before its answer is there.
      const gone = page.getByText('Connection not found');
      await page.route('**/api/v1/channel-connections/*', async (route) => {
        const response = await route.fetch();
        await gone.waitFor();
        await route.fulfill({ response });
      });
      await dialog.getByRole('button', { name: 'Archive' }).tap();
      await connections.getByText('No connections yet.').waitFor();
      await page.getByRole('button', { name: 'Restore Bot of operations' }).tap();
      await row.waitFor();
    }),
);

test('who relies on a connection is shown before it is switched off or archived', { skip }, () =>
  stage.story(phone, async ({ page, open }) => {
    const { api, sql } = stage.server;
    const [owner] = await api.list('users');
    const bot = {
      name: 'Relied on',
      vendor: 'telegram',
      secrets: { bot_token: '7:relied-on-token-0' },
    };
    const { body } = await api.send('GET /channel-connections');
    const id = body.data[0]?.id ?? (await api.create('channel-connections', bot)).id;
    await sql`
      insert into contacts (organization_id, id, user_id, channel, address, verified_at, created_at)
      select organization_id, reverse(id), id, 'telegram', '4712', now(), now()
      from users where id = ${owner.id}`;
    await open(`/settings/channels/${id}`);
    const settings = page.getByRole('region', { name: 'Settings' });
    await settings.getByLabel('Enabled').uncheck();
    await settings.getByRole('button', { name: 'Save' }).tap();
    const dialog = page.getByRole('dialog');
    const warning = dialog.getByText('No connection serves the channel telegram anymore');
    await dialog.getByText('It is no longer used for Telegram.').waitFor();
    await warning.waitFor();
    await checkShown(page);
    await dialog.getByRole('button', { name: 'Cancel' }).tap();
    await settings.getByRole('button', { name: 'Save' }).tap();
    await warning.waitFor();
    await dialog.getByRole('button', { name: 'Save' }).tap();
    await settings.getByText('Saved').waitFor();
    await settings.getByLabel('Enabled').check();
    await settings.getByRole('button', { name: 'Save' }).tap();
    await settings.getByText('Saved').waitFor();

    await page.getByRole('button', { name: 'Archive' }).tap();
    await warning.waitFor();
    await dialog.getByRole('button', { name: 'Archive' }).tap();
    // It was told before.
    await page.getByRole('heading', { name: 'Channels', exact: true }).waitFor();
  }),
);

test('above the incidents stands a connection that fails', { skip }, () =>
  stage.story(phone, async ({ page, open }) => {
    const { sql } = stage.server;
    // It is never checked here: what is known of it stays.
    const id = '0'.repeat(24);
    await sql`
      insert into channel_connections (organization_id, id, version, name, vendor, account_id,
        position, enabled, secrets, created_at, updated_at)
      select id, ${id}, 1, 'Old bot', 'telegram', '1', 1, true, '{}', now(), now() from organizations`;
    await sql`
      insert into connection_health (organization_id, connection_id, state, reason, checked_at,
        failing_since)
      select id, ${id}, 'failing', 'Telegram: the bot token is not valid', now(),
        now() - interval '5 minutes' from organizations`;
    await open('/');
    const attention = page.getByRole('list', { name: 'Needs your attention' });
    const fact = attention
      .getByRole('listitem')
      .filter({ hasText: 'Old bot has been failing since' });
    await fact.getByText('Telegram: ').waitFor();
    await checkShown(page);
    await fact.getByRole('link', { name: 'Connection' }).tap();
    await page.getByRole('heading', { name: 'Old bot' }).waitFor();
  }),
);

test('a channel that fails is on the page of channels and above the incidents', { skip }, () =>
  stage.story(phone, async ({ page, open }) => {
    const { sql } = stage.server;
    await sql`
      insert into channel_health (organization_id, channel, service, state, reason, checked_at,
        failing_since)
      select id, 'push-notification', 'push.example', 'failing',
        'push.example refuses pushes from this server (403)', now(), now() - interval '5 minutes'
      from organizations where name <> 'canary'`;
    await open('/');
    const attention = page.getByRole('list', { name: 'Needs your attention' });
    const fact = attention
      .getByRole('listitem')
      .filter({ hasText: 'Push notification has been failing since' });
    await fact.getByText('push.example refuses pushes').waitFor();
    await checkShown(page);
    await fact.getByRole('link', { name: 'Channels' }).tap();
    const byChannel = page.getByRole('list', { name: 'Channel health' }).getByRole('listitem');
    const channel = byChannel.filter({ hasText: 'Push notification' });
    await channel.getByText(/^Failing since .*: push\.example refuses pushes/).waitFor();
    await checkShown(page);
    await sql`update channel_health set state = 'ok', reason = null, failing_since = null`;
    await page.reload();
    await channel.getByText('Ready').waitFor();
  }),
);
