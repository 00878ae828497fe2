// A whole evening in the browser: from an empty organization to people, a schedule with nights and
// weekends, a policy over phone, Slack and schedule, a tool, a rule and a webhook. What is not pressed
// is what others send: the tool its events, vendors their codes.
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { exportTerraform } from '../../src/commands/export.ts';
import { postJson } from '../system/api-client.ts';
import { inProcessKey } from '../system/in-process.ts';
import { type MailServer, startMailServer } from '../system/notice-servers.ts';
import { noTerraform, Workspace } from '../terraform/terraform.ts';
import { type FakeSlack, startFakeSlack } from '../vendors/slack.ts';
import { type FakeTwilio, startFakeTwilio } from '../vendors/twilio.ts';
import { startWebhookServer } from '../webhook-server.ts';
import { takePicture } from './pictures.ts';
import { desktop, noBrowser, phone, type Stage, signIn, startStage } from './stage.ts';

const skip = noBrowser ?? false;
const number = '+4915112345678';
let stage: Stage;
let mail: MailServer;
let slack: FakeSlack;
let twilio: FakeTwilio;

before(async () => {
  if (skip) return;
  mail = await startMailServer();
  slack = await startFakeSlack();
  slack.addChannel('C0000ALERTS', { name: 'shop-alerts' });
  twilio = await startFakeTwilio();
  stage = await startStage({
    PAGER_SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
    PAGER_MAIL_FROM: 'pager@example.test',
    PAGER_VENDOR_URLS: `slack=${slack.url},twilio=${twilio.url}`,
    PAGER_ALLOW_NETWORKS: '127.0.0.0/8',
  });
});
after(async () => {
  await stage?.[Symbol.asyncDispose]();
  await twilio?.[Symbol.asyncDispose]();
  await slack?.[Symbol.asyncDispose]();
  await mail?.[Symbol.asyncDispose]();
});

test('an evening leads from an empty organization to a team that is paged', {
  skip,
}, async () => {
  let invitation = '';
  await stage.story({ ...desktop, timezoneId: 'Europe/Berlin' }, async ({ page }) => {
    await page.goto('/');
    await signIn(page);
    await connectTwilio(page);
    await connectSlack(page);
    await invite(page, 'Lin', 'Okafor');
    invitation = await invite(page, 'Ada', 'Byron');
  });
  await stage.story(phone, ({ page }) => joinByPhone(page, invitation));
  await stage.story({ ...desktop, timezoneId: 'Europe/Berlin' }, async ({ page, open }) => {
    await open('/on-calls');
    await makeSchedule(page);
    await takePicture(page, 'evening-schedule');
    await makePolicy(page);
    await takePicture(page, 'evening-policy');
    await makeService(page);
    await takePicture(page, 'evening-service');
    const hook = await connectAlertmanager(page);
    twilio.setHabit(number, { type: 'presses', keys: ['4'] });
    await postJson(hook, alertOf('CheckoutDown', 'critical'));
    await followFirstEvent(page);
    await takePicture(page, 'evening-integration');
    await makeRule(page);
    await takePicture(page, 'evening-rule');
    await postJson(hook, alertOf('CheckoutSlow', 'critical'));
    await seePriority(page);
    await takePicture(page, 'evening-incidents');
    await makeWebhook(page);
    await archiveAndRestore(page);
  });
});

/** By the menu at the left. */
const goTo = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name }).click();

async function pick(at: Page | Locator, label: string, text: string): Promise<void> {
  await at.getByRole('combobox', { name: label }).fill(text);
  await pageOf(at).getByRole('option', { name: text }).first().click();
}

const pageOf = (at: Page | Locator): Page => ('goto' in at ? at : at.page());

async function addConnection(page: Page, vendor: string): Promise<Locator> {
  await goTo(page, 'Settings');
  await page.getByRole('link', { name: 'Channels' }).click();
  const connections = page.getByRole('region', { name: 'Connections' });
  await connections.getByRole('button', { name: 'Add connection' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Vendor').selectOption(vendor);
  return dialog;
}

async function saveConnection(page: Page, vendor: string): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: 'Add connection' }).click();
  const connections = page.getByRole('region', { name: 'Connections' });
  const row = connections.getByRole('link', { name: new RegExp(`^${vendor} `) });
  await row.getByText('Connected').waitFor();
}

async function connectTwilio(page: Page): Promise<void> {
  const dialog = await addConnection(page, 'Twilio');
  await dialog.getByLabel('Account SID').fill(twilio.account.sid);
  await dialog.getByLabel('Caller number').fill(twilio.number);
  await dialog.getByLabel('Allowed prefixes').fill('+49');
  await dialog.getByLabel('Auth token').fill(twilio.authToken);
  await saveConnection(page, 'Twilio');
}

async function connectSlack(page: Page): Promise<void> {
  const dialog = await addConnection(page, 'Slack');
  await dialog.getByLabel('Bot token').fill(slack.botToken);
  await dialog.getByLabel('App-level token').fill(slack.appToken);
  await saveConnection(page, 'Slack');
}

/** Answers the link in the mail. */
async function invite(page: Page, first: string, last: string): Promise<string> {
  const address = `${first.toLowerCase()}@example.test`;
  await goTo(page, 'People');
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('E-mail').fill(address);
  await dialog.getByLabel('First name').fill(first);
  await dialog.getByLabel('Last name').fill(last);
  await dialog.getByRole('button', { name: 'Invite' }).click();
  await dialog.getByText(`${first} ${last} was invited`).waitFor();
  await dialog.getByRole('button', { name: 'Done' }).click();
  const { text } = await mail.arrival('the invitation', ({ to }) => to === address);
  return /^Set password: (\S+)$/m.exec(text)?.[1] ?? '';
}

async function joinByPhone(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.getByLabel('New password').fill('a password of her own');
  await page.getByRole('button', { name: 'Set password' }).tap();
  await page.waitForURL('**/incidents');
  await page.goto('/me');
  await page.getByRole('button', { name: 'Add contact' }).tap();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Channel').selectOption('Phone call');
  await dialog.getByLabel(/number/i).fill('+49 151 12345678');
  // They listen to the code, and hang up.
  twilio.setHabit(number, { type: 'voicemail' });
  await dialog.getByRole('button', { name: /^Add and/ }).tap();
  await dialog.getByText(`Pager is calling ${number}.`).waitFor();
  const [, spoken = ''] = /Your code is: ([\d, ]+)/.exec(twilio.calls.at(-1)?.twiml ?? '') ?? [];
  await dialog.getByLabel('Code').fill(spoken.replace(/\D/g, ''));
  await dialog.waitFor({ state: 'detached' });
  const contact = page.getByRole('listitem').filter({ hasText: number });
  await contact.getByText(/^Confirmed on /).waitFor();
}

async function makeSchedule(page: Page): Promise<void> {
  const layer = (at: number) => page.getByRole('region', { name: `Layer ${at}`, exact: true });
  await page.getByRole('link', { name: 'New schedule' }).first().click();
  await page.getByRole('button', { name: /^Office hours and nights/ }).click();
  await page.getByLabel('Name', { exact: true }).fill('Shop');
  for (const person of ['Ada Byron', 'Lin Okafor']) {
    await pick(layer(2), 'Add person', person);
    await pick(layer(1), 'Add person', person);
  }
  await page.getByRole('button', { name: 'Add layer' }).click();
  await pick(layer(3), 'Add person', 'Ada Byron');
  await layer(3).getByText('Limit to certain hours of the week').click();
  await layer(3).getByRole('button', { name: 'Add weekend' }).click();
  await page.getByText('Someone is on call at all times in these two weeks.').waitFor();
  await page.getByRole('button', { name: 'Create schedule' }).click();
  await page.getByText('No gaps', { exact: true }).waitFor();
}

async function makePolicy(page: Page): Promise<void> {
  const step = (at: number) => page.getByRole('group', { name: `Step ${at}`, exact: true });
  await page.getByRole('link', { name: 'Add to a new policy' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Shop');
  await page.getByRole('button', { name: 'Add step' }).click();
  await pick(step(2), 'Add target', 'Slack channel');
  await pick(step(2), 'Channel', '#shop-alerts');
  await page.getByRole('button', { name: 'Add step' }).click();
  await pick(step(3), 'Add target', 'owner');
  const channel = step(3).getByLabel('Channel for owner');
  assert.equal(await channel.inputValue(), 'email', 'they have no phone number');
  await page.locator('input[name="steps[0].escalate_after_minutes"]').fill('5');
  await page.locator('input[name="steps[1].escalate_after_minutes"]').fill('10');
  const would = page.getByRole('region', { name: 'Who would be paged' });
  await would.getByText('Step 3, after 15 minutes', { exact: true }).waitFor();
  assert.equal(await would.getByText('reaches nobody').count(), 0);
  await page.getByRole('button', { name: 'Create escalation policy' }).click();
  await page.getByRole('heading', { name: 'Shop', level: 1 }).waitFor();
}

async function makeService(page: Page): Promise<void> {
  await goTo(page, 'Services');
  await page.getByRole('link', { name: 'Create service' }).first().click();
  await page.getByLabel('Name', { exact: true }).fill('Checkout');
  await page.getByRole('button', { name: 'Create service' }).click();
  await page.getByRole('heading', { name: 'Checkout', level: 1 }).waitFor();
}

/** From the page of the service; answers the address that Alertmanager is given. */
async function connectAlertmanager(page: Page): Promise<string> {
  await page.getByRole('link', { name: 'Create integration' }).click();
  await page.getByRole('link', { name: 'Prometheus Alertmanager' }).click();
  const service = page.getByRole('combobox', { name: 'Service' });
  await service.and(page.locator('[value=Checkout]')).waitFor();
  await pick(page, 'Escalation policy', 'Shop');
  await page.getByRole('button', { name: 'Create integration' }).click();
  await page.getByText('Waiting for the first event').waitFor();
  await page.getByRole('button', { name: 'Show token' }).click();
  const address = page.getByRole('figure', { name: 'Event URL' });
  const shown = address.getByText(/\/hooks\/[0-9a-f]{40}\//);
  await shown.waitFor();
  return /http\S+/.exec(await shown.innerText())?.[0] ?? '';
}

const alertOf = (alertname: string, severity: string) => ({
  version: '4',
  groupKey: `{}:{alertname="${alertname}"}`,
  status: 'firing',
  groupLabels: { alertname },
  commonLabels: { alertname, severity },
  commonAnnotations: {},
  externalURL: 'http://alertmanager.test',
  truncatedAlerts: 0,
  alerts: [
    {
      status: 'firing',
      labels: { alertname, severity, instance: 'shop-1' },
      annotations: { summary: `${alertname} on shop-1` },
      startsAt: '2026-11-30T06:00:00Z',
      endsAt: '0001-01-01T00:00:00Z',
      generatorURL: 'http://prometheus.test/graph',
      fingerprint: Buffer.from(alertname).toString('hex').slice(-16),
    },
  ],
});

/** Ada is called, and presses the key that acknowledges. */
async function followFirstEvent(page: Page): Promise<void> {
  await page.getByRole('link', { name: /^INC-1 CheckoutDown on shop-1$/ }).click();
  const timeline = page.getByRole('region', { name: 'Timeline' });
  await timeline.getByText('Ada Byron acknowledged, so nobody else is paged').waitFor();
  await page.goBack();
}

async function makeRule(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Events', exact: true }).click();
  await page.getByRole('link', { name: 'Make a rule' }).first().click();
  await page.getByLabel('Name', { exact: true }).fill('Critical is P1');
  await page.getByLabel('Type').first().selectOption('Alert detail');
  await page.getByLabel('Key').fill('labels.severity');
  await page.getByLabel('Text', { exact: true }).fill('critical');
  const action = page.getByRole('group', { name: 'Action 1' });
  await action.getByLabel('Type').selectOption('Set priority');
  await action.getByLabel('Priority').selectOption('P1');
  const trial = page.getByRole('region', { name: 'Try this rule' });
  await trial.getByRole('button', { name: 'Try rule' }).click();
  await trial.getByText('Changes the priority from none to P1.').waitFor();
  const replay = page.getByRole('region', { name: 'Replay past events' });
  await replay.getByRole('button', { name: 'Replay' }).click();
  await replay.getByText('Changed: 1').first().waitFor();
  await page.getByRole('button', { name: 'Create rule' }).click();
  await page.getByRole('heading', { name: 'Critical is P1', level: 1 }).waitFor();
}

async function seePriority(page: Page): Promise<void> {
  await goTo(page, 'Incidents');
  const row = page.getByRole('link', { name: /INC-2/ });
  await row.getByText('p1', { exact: true }).waitFor();
  await row.getByText('CheckoutSlow on shop-1').waitFor();
}

async function makeWebhook(page: Page): Promise<void> {
  await using tickets = await startWebhookServer((_request, answer) => answer.end('ok'));
  await goTo(page, 'Outbound webhooks');
  await page.getByRole('link', { name: 'Create outbound webhook' }).first().click();
  await page.getByLabel('Name', { exact: true }).fill('Tickets');
  await page.getByLabel('URL', { exact: true }).fill(`${tickets.url}/new`);
  await page.getByRole('button', { name: 'Create outbound webhook' }).click();
  await page.getByRole('button', { name: 'Send test call' }).click();
  await page.getByText('The last call was delivered.').waitFor();
  assert.equal(tickets.received.length, 1);
}

async function archiveAndRestore(page: Page): Promise<void> {
  await goTo(page, 'Services');
  await page.getByRole('link', { name: /^Checkout/ }).click();
  await page.getByRole('button', { name: 'Archive' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/^The integration "alertmanager integration 2" still uses it/).waitFor();
  await dialog.getByRole('button', { name: 'Archive' }).click();
  await page.getByText('This service is archived.').waitFor();
  await page.getByRole('button', { name: 'Restore' }).click();
  await dialog.getByRole('button', { name: 'Restore' }).click();
  await page.getByRole('link', { name: 'Edit' }).waitFor();
}

test('the export of that evening changes nothing', {
  skip: skip || (noTerraform ?? false),
}, async () => {
  const settings = { PAGER_API_KEY: inProcessKey, PAGER_BASE_URL: `${stage.server.url}/api/v1` };
  await using workspace = await Workspace.open(dirname(process.execPath), settings);
  const { folder } = workspace;
  // The export says itself which provider it needs.
  await rm(join(folder, 'versions.tf'));
  const exported = await exportTerraform(['terraform', '--dir', folder], settings);
  assert.equal(exported.code, 0, exported.text);
  const applied = await workspace.run('apply', '-auto-approve', '-input=false');
  assert.match(applied.output, /\d+ imported, 0 added, 0 changed, 0 destroyed/, applied.errors);
  assert.match((await workspace.run('plan', '-input=false')).output, /No changes/);
});
