// An admin connects a Slack app, and somebody whom it does not know links their account.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Route } from 'playwright-core';
import { slackManifest } from '../../src/resources/connections/slack-manifest.ts';
import { eventually } from '../system/eventually.ts';
import { type FakeSlack, startFakeSlack } from '../vendors/slack.ts';
import { checkShown, desktop, noBrowser, phone, type Stage, startStage } from './stage.ts';

const skip = noBrowser ?? false;
let slack: FakeSlack;
let stage: Stage;

before(async () => {
  if (skip) return;
  slack = await startFakeSlack();
  slack.addChannel('C0000ALERTS', { name: 'shop-alerts' });
  slack.addChannel('C0000SECRET', { name: 'shop-secret', isPrivate: true });
  stage = await startStage({ PAGER_VENDOR_URLS: `slack=${slack.url}` });
});
after(async () => {
  await stage?.[Symbol.asyncDispose]();
  await slack?.[Symbol.asyncDispose]();
});

test('an admin makes an app from the manifest, connects it, and tests it', { skip }, () =>
  stage.story(phone, async ({ page, open, expectError }) => {
    await open('/settings/channels');
    const connections = page.getByRole('region', { name: 'Connections' });
    await connections.getByRole('button', { name: 'Add connection' }).tap();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Vendor').selectOption('Slack');
    await dialog.getByRole('link', { name: 'Open your Slack apps' }).waitFor();
    const manifest = await dialog.getByLabel('App manifest').inputValue();
    assert.deepEqual(JSON.parse(manifest), slackManifest);
    assert.ok(await dialog.getByLabel('Match people by e-mail').isChecked());
    const botToken = dialog.getByLabel('Bot token');
    const appToken = dialog.getByLabel('App-level token');
    assert.equal(await botToken.getAttribute('type'), 'password');
    assert.equal(await appToken.getAttribute('type'), 'password');
    // Each in the field of the other. The refusal is in the console.
    expectError(/422/);
    await botToken.fill(slack.appToken);
    await appToken.fill(slack.botToken);
    await dialog.getByRole('button', { name: 'Add connection' }).tap();
    await botToken.and(page.locator('[aria-invalid=true]')).waitFor();
    await appToken.and(page.locator('[aria-invalid=true]')).waitFor();
    await dialog.getByText('must look like xoxb-').first().waitFor();
    await checkShown(page);
    await botToken.fill(slack.botToken);
    await appToken.fill(slack.appToken);
    await dialog.getByRole('button', { name: 'Add connection' }).tap();
    const row = connections.getByRole('link', { name: slack.team.name });
    await row.getByText('Connected').waitFor();
    await checkShown(page);

    await row.tap();
    const trial = page.getByRole('region', { name: 'Test' });
    await trial.getByRole('button', { name: 'Test' }).tap();
    await trial.getByText(`The app answers in the workspace ${slack.team.name}.`).waitFor();
    await trial.getByText('Slack sends people’s actions over a socket.').waitFor();
    assert.equal(await trial.getByText('verify a contact that uses this connection').count(), 0);
    await checkShown(page);
    slack.misbehave('apps.connections.open', {
      type: 'refuse',
      error: 'missing_scope',
      needed: 'connections:write',
    });
    await trial.getByRole('button', { name: 'Test' }).tap();
    await trial.getByText('the app lacks a scope connections:write').waitFor();
    await trial.getByText('see app_token of the connection').waitFor();
    slack.misbehave('auth.test', { type: 'refuse', error: 'token_revoked' });
    await trial.getByRole('button', { name: 'Test' }).tap();
    await trial.getByText('the token was revoked').waitFor();
    await trial.getByText('see bot_token of the connection').waitFor();
    await checkShown(page);
  }),
);

test('who is unknown in Slack links their account, once', { skip }, () =>
  stage.story(desktop, async ({ page, open, expectError }) => {
    await slack.connected();
    slack.command('U0EVE', 'link');
    await eventually('the link', () => slack.responses.length === 1);
    const [path = ''] = /\/link\/[0-9a-f]{48}/.exec(slack.responses[0]?.text ?? '') ?? [];
    await open(path);
    const question = page.getByRole('region', { name: `Is ada in ${slack.team.name} yours?` });
    await question.getByText('can then act in your name').waitFor();
    await checkShown(page);
    await question.getByRole('button', { name: 'Link account' }).click();
    const linked = page.getByRole('region', { name: 'is linked to you.' });
    await linked.getByText('Go back to the chat').waitFor();
    await checkShown(page);
    await linked.getByRole('link', { name: 'My chat accounts' }).click();
    const accounts = page.getByRole('region', { name: 'Chat accounts' });
    await accounts.getByText('linked by you').waitFor();

    // The refusal is in the console.
    expectError(/404/);
    await open(path);
    await page.getByRole('alert').waitFor();
    await checkShown(page);
    await open('/me');
    await accounts.getByRole('button', { name: 'Unlink ada' }).click();
    await accounts.getByText('No chat accounts yet').waitFor();
  }),
);

test('a schedule announces its shifts in channels that are found by name or id', { skip }, () =>
  stage.story(phone, async ({ page, open, expectError }) => {
    const { api } = stage.server;
    const [owner] = await api.list('users');
    const rotation = { length: 1, unit: 'days', handoff: '08:00' };
    const layers = [{ users: [owner.id], rotation }];
    const { id } = await api.create('on-calls', { name: 'Shop', layers });
    const path = `/on-calls/${id}/notifications`;
    const group = page.getByRole('group', { name: 'Slack', exact: true });
    const first = page.getByRole('group', { name: 'Slack channel 1' });
    const own = group.getByRole('radio', { name: 'Custom channels' });
    // Nothing can be chosen before it is known whether Slack answers.
    const untilDisabled = async (route: Route) => {
      await own.and(page.locator(':disabled')).waitFor();
      await route.continue();
    };
    await page.route('**/chat-channels?*', untilDisabled, { times: 1 });
    await open(`/on-calls/${id}?tab=notifications`);
    await own.check();
    // The refusal is in the console.
    expectError(/422/);
    await page.getByRole('button', { name: 'Save' }).tap();
    const picker = first.getByRole('combobox', { name: 'Channel' });
    await picker.and(page.locator('[aria-invalid=true]')).waitFor();
    await picker.fill('shop');
    await page.getByRole('option', { name: '#shop-secret private' }).waitFor();
    await page.getByRole('option', { name: '#shop-alerts' }).tap();
    assert.equal(await first.getByLabel('Name').inputValue(), '#shop-alerts');
    await checkShown(page);
    await page.getByRole('button', { name: 'Save' }).tap();
    await page.getByText('Saved').waitFor();
    assert.deepEqual((await api.send(`GET ${path}`)).body, {
      oncall_schedule_id: id,
      slack: [{ channel_id: 'C0000ALERTS', channel_name: '#shop-alerts' }],
    });

    slack.addChannel('C0000LATERS', { name: 'later' });
    await page.getByRole('button', { name: 'Add channel: Slack' }).tap();
    const second = page.getByRole('group', { name: 'Slack channel 2' });
    const other = second.getByRole('combobox', { name: 'Channel' });
    await other.fill('https://acme.slack.com/archives/C0000LATERS');
    await page.getByRole('option', { name: '#later' }).tap();
    await page.getByRole('button', { name: 'Add channel: Slack' }).tap();
    const third = page.getByRole('group', { name: 'Slack channel 3' });
    await third.getByRole('combobox', { name: 'Channel' }).fill('C0000HIDDEN');
    await page.getByRole('option', { name: 'C0000HIDDEN as typed' }).tap();
    await page.getByRole('button', { name: 'Save' }).tap();
    await page.getByText('Saved').waitFor();
    await page.reload();
    await third.waitFor();
    assert.equal(await other.inputValue(), '#later');
    assert.deepEqual((await api.send(`GET ${path}`)).body.slack, [
      { channel_id: 'C0000ALERTS', channel_name: '#shop-alerts' },
      { channel_id: 'C0000LATERS', channel_name: '#later' },
      { channel_id: 'C0000HIDDEN' },
    ]);
    await checkShown(page);
    await third.getByRole('radio', { name: 'Through a webhook' }).check();
    await third.getByLabel('Incoming webhook URL').waitFor();
  }),
);
