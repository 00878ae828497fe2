// The settings of the organization, page after page.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { checkShown, desktop, noBrowser, type Stage, startStage } from './stage.ts';

const skip = noBrowser ?? false;
let stage: Stage;
before(async () => {
  if (!skip) stage = await startStage();
});
after(() => stage?.[Symbol.asyncDispose]());

test('settings list what a save changes, and of two who save the second sees both', { skip }, () =>
  stage.story({ ...desktop, timezoneId: 'Europe/Berlin' }, async ({ page, open, expectError }) => {
    const { api, sql } = stage.server;
    await open('/incidents');
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.waitForURL('**/settings/organization');
    await page.getByRole('button', { name: 'Use Europe/Berlin' }).click();
    const changes = page.getByRole('region', { name: 'What changes' });
    await changes.getByText('Europe/Berlin').waitFor();
    const zone = page.getByRole('combobox', { name: 'Time zone' });
    await zone.click();
    await page.keyboard.type('Nowhere');
    await page.getByText('No matches.').waitFor();
    await zone.press('Enter');
    assert.equal(await zone.inputValue(), 'Nowhere', 'what is typed stays, and nothing is saved');
    await zone.blur();
    await zone.click();
    await page.keyboard.type('Berlin');
    await page.getByRole('option', { name: 'Europe/Berlin' }).waitFor();
    await zone.press('Enter');
    assert.equal(await zone.inputValue(), 'Europe/Berlin');
    const limit = page.getByLabel('Monthly alert limit');
    await limit.fill('many');
    await page.getByLabel('Name', { exact: true }).focus();
    await limit.and(page.locator('[aria-invalid=true]')).waitFor();
    await limit.fill('500');
    await page.getByRole('button', { name: 'Add shift notifications' }).click();
    await page.getByRole('button', { name: 'Add channel: Discord' }).click();
    const channel = page.getByRole('group', { name: 'Discord channel 1' });
    await channel.getByLabel('Incoming webhook URL').fill('https://discord.test/very-secret');
    await channel.getByLabel('Name').fill('#on-call');
    await changes.getByText('Webhook URL: ••••••, Channel name: #on-call').waitFor();
    await checkShown(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved').waitFor();
    await changes.waitFor({ state: 'detached' });
    const saved = (await api.send('GET /organization')).body;
    assert.deepEqual(
      [saved.timezone, saved.monthly_alert_limit, saved.shift_notifications.discord],
      [
        'Europe/Berlin',
        500,
        [{ webhook_url: 'https://discord.test/very-secret', channel_name: '#on-call' }],
      ],
    );

    await page.getByLabel('Name', { exact: true }).first().fill('Acme by me');
    await api.send('PATCH /organization', { name: 'Acme by them', monthly_alert_limit: 400 });
    expectError(/409/);
    await page.getByRole('button', { name: 'Save' }).click();
    const alert = page.getByRole('alert');
    await alert.getByText('Someone else changed this while you were editing.').waitFor();
    await alert.getByLabel('Theirs: Acme by them').waitFor();
    assert.equal(await limit.inputValue(), '400');
    await checkShown(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved').waitFor();
    assert.equal((await api.send('GET /organization')).body.name, 'Acme by me');

    await sql`update users set role = 'viewer'`;
    await page.reload();
    await page.getByText('Only admins can change these settings.').waitFor();
    await page.getByText('400', { exact: true }).waitFor();
    assert.equal(await page.getByText('very-secret').count(), 0);
    assert.equal(await page.getByRole('link', { name: 'API keys' }).count(), 0, 'not allowed');
    await checkShown(page);
    await sql`update users set role = 'owner'`;
  }),
);

test('an admin makes a key for Terraform, edits it and revokes it', { skip }, () =>
  stage.story(desktop, async ({ page, open, expectError }) => {
    const { api, sql } = stage.server;
    await open('/settings/api-keys');
    const keys = page.getByRole('list', { name: 'API keys' });
    await keys.getByRole('listitem').first().waitFor();
    const create = page.getByRole('button', { name: 'Create API key' });
    await create.click();
    const dialog = page.getByRole('dialog');
    const name = dialog.getByLabel('Name', { exact: true });
    await dialog.getByLabel('Only these teams').check();
    expectError(/422/);
    await dialog.getByRole('button', { name: 'Create API key' }).click();
    await name.and(page.locator('[aria-invalid=true]')).waitFor();
    await checkShown(page);
    await name.fill('Terraform');
    await dialog.getByLabel('Default', { exact: true }).check();
    await dialog.getByRole('button', { name: 'In 30 days' }).click();
    await dialog.getByRole('button', { name: 'Create API key' }).click();
    await dialog.getByText('Terraform was created').waitFor();
    const text = await dialog.getByLabel('API key', { exact: true }).inputValue();
    await dialog.getByText(`export PAGER_API_KEY=${text}`).waitFor();
    await dialog.getByText(`base_url = "${stage.server.url}/api/v1"`).waitFor();
    await checkShown(page);
    await dialog.getByRole('button', { name: 'Done' }).click();

    const headers = { 'x-api-key': text, 'content-type': 'application/json' };
    const body = JSON.stringify({ name: 'Of a job', role: 'viewer' });
    const byKey = await fetch(`${stage.server.url}/api/v1/services`, { headers });
    assert.equal(byKey.status, 200, 'the key is accepted');
    assert.equal(await page.getByText(text).count(), 0, 'and shown no more');
    const [made] = (await api.list('api-keys')).filter((one) => one.name === 'Terraform');
    assert.equal(made?.role, 'manager');
    // A key of an admin can make keys.
    await sql`update api_keys set role = 'admin', team_ids = null where id = ${made?.id}`;
    const job = await fetch(`${stage.server.url}/api/v1/api-keys`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ ...JSON.parse(body), expires_at: made?.expires_at }),
    });
    assert.equal(job.status, 201, await job.text());
    await sql`update api_keys set expires_at = now() - interval '1 day' where name = 'Of a job'`;
    await page.reload();
    const row = (of: string) => keys.getByRole('listitem').filter({ hasText: of });
    await row('Of a job')
      .getByText(/^Expired/)
      .waitFor();
    await checkShown(page);
    await page.getByRole('button', { name: 'Edit Terraform' }).click();
    await name.fill('Terraform of production');
    await dialog.getByRole('button', { name: 'Never' }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await row('Terraform of production').getByText('Does not expire').waitFor();
    await page.getByRole('button', { name: 'Revoke Terraform of production' }).click();
    await dialog.getByText('Of a job').waitFor();
    await checkShown(page);
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('Terraform of production was revoked.').waitFor();
    await row('Of a job').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Revoked' }).click();
    await row('Of a job').waitFor();
    assert.equal(await page.getByRole('button', { name: /^Revoke / }).count(), 0);
  }),
);

test(
  'the audit log is narrowed by who, what and when, and shows each field before and after',
  { skip },
  () =>
    stage.story(desktop, async ({ page, open }) => {
      const { api } = stage.server;
      const { id } = await api.create('services', { name: 'Checkout' });
      await api.send(`PATCH /services/${id}`, { name: 'Checkout of the shop' });
      await open('/settings/audit-log');
      const log = page.getByRole('list', { name: 'Audit log' });
      const entry = log.getByRole('listitem').filter({ hasText: 'Updated Service' });
      await entry.getByText('Before: Checkout → After: Checkout of the shop').waitFor();
      await checkShown(page);
      await page.getByLabel('Record').selectOption('Service');
      await page.getByLabel('Action').selectOption('Created');
      await page.waitForURL(/type=service&action=create/);
      await entry.waitFor({ state: 'detached' });
      const created = log.getByRole('listitem').filter({ hasText: 'Checkout' });
      await created.getByText(/^Show \d+ fields$/).click();
      await created.getByText('Before: not set → After: Checkout').waitFor();
      await page.getByLabel('To', { exact: true }).fill('2020-01-01');
      await page.getByRole('heading', { name: 'No matches' }).waitFor();
      await checkShown(page);
      await page.getByRole('button', { name: 'Clear filters' }).first().click();
      await entry.getByRole('link', { name: 'Only this record' }).click();
      await page.waitForURL(`**/settings/audit-log?type=service&record=${id}`);
      await entry.getByRole('link', { name: 'Checkout of the shop' }).click();
      await page.waitForURL(`**/services/${id}`);
    }),
);

test('the quota shows what is used and expected, and what happens at the limit', { skip }, () =>
  stage.story(desktop, async ({ page, open }) => {
    const { api, sql } = stage.server;
    await open('/settings/quota');
    await page.getByText('Shift notifications to people and channels stop').waitFor();
    const { body } = await api.send('GET /quota');
    await sql`
      insert into alert_usage (organization_id, month, channel, used)
      select id, ${body.month}, 'sms', 450 from organizations where name <> 'canary'
      on conflict (organization_id, month, channel) do update set used = 450`;
    await api.send('PATCH /organization', { monthly_alert_limit: 500 });
    await page.reload();
    await page.getByText(/^45\d of 500 notifications sent$/).waitFor();
    await page.getByText('At least 80% of the limit is used.').waitFor();
    const byChannel = page.getByRole('list', { name: 'By channel' });
    await byChannel.getByText('450', { exact: true }).waitFor();
    await checkShown(page);
    await api.send('PATCH /organization', { monthly_alert_limit: 100 });
    await open('/incidents');
    const attention = page.getByRole('list', { name: 'Needs your attention' });
    await attention.getByRole('link', { name: 'Alert quota' }).click();
    await page.getByText('The limit is reached.').waitFor();
    await checkShown(page);
    await page.getByRole('link', { name: 'Change the limit' }).click();
    await page.waitForURL('**/settings/organization');
  }),
);
