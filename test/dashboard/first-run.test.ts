import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { withoutMailServer } from '../system/mail-sink.ts';
import { type MailServer, startMailServer } from '../system/notice-servers.ts';
import {
  checkShown,
  desktop,
  noBrowser,
  person,
  phone,
  type Stage,
  signIn,
  startStage,
} from './stage.ts';

const skip = noBrowser ?? false;
let stage: Stage;
let mail: MailServer;

before(async () => {
  if (skip) return;
  mail = await startMailServer();
  stage = await startStage({ ...withoutMailServer, PAGER_ALLOW_NETWORKS: '127.0.0.0/8' });
});
after(async () => {
  await stage?.[Symbol.asyncDispose]();
  await mail?.[Symbol.asyncDispose]();
});

test('from a fresh server to a first page that is acknowledged', { skip }, () =>
  stage.story({ ...phone, timezoneId: 'Europe/Berlin' }, async ({ page }) => {
    await page.goto('/');
    await signIn(page);
    const steps = page.getByRole('region', { name: 'Set up Pager' });
    await steps.getByText('0 of 7 done').waitFor();
    await steps.getByText('or set PAGER_SMTP_URL. Push works in this browser').waitFor();
    await steps.getByRole('link', { name: 'Turn on push' }).waitFor();
    const attention = page.getByRole('list', { name: 'Needs your attention' });
    await attention.getByText('E-mail is not set up').waitFor();
    await checkShown(page);
    await steps.getByRole('link', { name: 'Learn how' }).last().tap();
    await page.getByRole('heading', { name: 'Export to Terraform', level: 1 }).waitFor();
    await checkShown(page);
    await page.getByRole('link', { name: 'All documents' }).tap();
    await page.getByRole('link', { name: 'The nine channels' }).tap();
    await page.getByRole('group', { name: 'Table' }).first().waitFor();
    await checkShown(page);
    await page.getByRole('link', { name: 'All documents' }).tap();
    await page.getByLabel('Search documents').fill('mail server sender');
    await page.getByRole('button', { name: 'Search' }).tap();
    await page.getByText(/^\d+ results?/).waitFor();
    await checkShown(page);
    await page.goto('/');
    await steps.getByRole('button', { name: 'Send test event' }).tap();
    const row = page.getByRole('link', { name: /^(Triggered|Nobody paged) INC-1/ });
    await row.getByText(/Test event \w+: nothing is wrong/).waitFor();
    await row.getByText('Nobody was reached').waitFor();
    assert.match((await row.textContent()) ?? '', /nothing is wrong Test.*Nobody was reached/);
    // The page is a file, which reached nobody: the step stays open.
    await page.reload();
    await attention.getByText('Nobody was reached for INC-1.').waitFor();
    await steps.getByRole('button', { name: 'Send test event' }).waitFor();
    await checkShown(page);
    await steps.getByRole('button', { name: 'Use Europe/Berlin' }).tap();
    await steps.getByText('1 of 7 done').waitFor();
    await steps.getByRole('combobox', { name: 'Time zone' }).waitFor({ state: 'detached' });
    const { body: organization } = await stage.server.api.send('GET /organization');
    assert.equal(organization.timezone, 'Europe/Berlin');
    await row.tap();
    await page.getByText('Test, left out of reports').waitFor();
    await page
      .getByText(/Step 1 of 1 can page nobody/)
      .first()
      .waitFor();
    await page.getByRole('link', { name: 'Set up channels' }).first().waitFor();
    await page.getByRole('button', { name: 'Acknowledge' }).tap();
    await page
      .getByText(/acknowledged/i)
      .first()
      .waitFor();
    const { body } = await stage.server.api.send('GET /incidents/1');
    assert.equal(body.status, 'acknowledged');
    await page.goBack();
    await page.getByRole('button', { name: 'Hide steps' }).tap();
    await steps.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('link', { name: 'Acknowledged INC-1' }).waitFor();
    assert.equal(await steps.count(), 0);
  }),
);

test('with a mail server the first page reaches the owner, and that step is done', {
  skip,
}, async () => {
  await using mailing = await startStage();
  await mailing.story(desktop, async ({ page, open }) => {
    await open('/');
    const steps = page.getByRole('region', { name: 'Set up Pager' });
    await steps.getByText('1 of 7 done').waitFor();
    await steps.getByRole('button', { name: 'Send test event' }).click();
    const row = page.getByRole('link', { name: 'Triggered INC-1' });
    await row.getByText(/^Paged/).waitFor();
    await page.reload();
    await steps.getByText('2 of 7 done').waitFor();
    assert.equal(await steps.getByRole('button', { name: 'Send test event' }).count(), 0);
  });
});

test('a person opens an incident, and is told at its field what is missing', { skip }, () =>
  stage.story(desktop, async ({ page, open, expectError }) => {
    const { create } = stage.server.api;
    const service = await create('services', { name: 'Checkout & payments <b>' });
    await open('/incidents');
    await page.getByRole('button', { name: 'Open an incident' }).click();
    await page.getByRole('heading', { name: 'Open an incident' }).waitFor();
    await checkShown(page);
    // The refusals are in the console.
    expectError(/422/);
    await page.getByRole('button', { name: 'Open an incident' }).click();
    await page.getByLabel('What is wrong?').and(page.locator('[aria-invalid=true]')).waitFor();
    await page.getByLabel('What is wrong?').fill('Checkout is slow');
    await page.getByLabel('Service', { exact: true }).selectOption(service.id);
    await page.getByLabel('Priority').selectOption('p2');
    await page.getByRole('button', { name: 'Add detail' }).click();
    await page.getByLabel('Detail 1 name').fill('region');
    await page.getByLabel('Detail 1 value').fill('eu-west');
    await page.getByRole('button', { name: 'Open an incident' }).click();
    const refused = page.getByLabel('Who to page').and(page.locator('[aria-invalid=true]'));
    await refused.waitFor();
    await checkShown(page);
    await page.getByLabel('Who to page').selectOption({ label: 'Page the owner' });
    await page.getByRole('button', { name: 'Open an incident' }).click();
    await page.getByRole('heading', { name: 'Checkout is slow' }).waitFor();
    await page.getByText('eu-west').waitFor();
    await page.getByText(/Opened by owner/).waitFor();
    await checkShown(page);
  }),
);

test('an admin adds a mail server, tests it, and the next invitation arrives', { skip }, () =>
  stage.story(phone, async ({ page, open, expectError }) => {
    await open('/users');
    await page.getByText('E-mail is not set up').first().waitFor();
    await checkShown(page);
    await open('/incidents');
    const attention = page.getByRole('list', { name: 'Needs your attention' });
    await attention.getByRole('link', { name: 'Add mail server' }).tap();
    const dialog = page.getByRole('dialog', { name: 'Add connection' });
    const vendor = dialog.getByLabel('Vendor');
    assert.equal(await vendor.locator('option:checked').textContent(), 'Mail server');
    assert.equal(await dialog.getByLabel('Name', { exact: true }).inputValue(), 'Mail server');
    await dialog.getByLabel('Host').fill('127.0.0.1');
    await dialog.getByLabel('Port (optional)').fill(String(mail.port));
    await dialog.getByLabel('Sender').fill('Pager');
    // The refusal is in the console.
    expectError(/422/);
    await dialog.getByRole('button', { name: 'Add connection' }).tap();
    await dialog.getByLabel('Sender').and(page.locator('[aria-invalid=true]')).waitFor();
    await checkShown(page);
    await dialog.getByLabel('Sender').fill('Pager <pager@example.test>');
    await dialog.getByRole('button', { name: 'Add connection' }).tap();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('list', { name: 'Connections' }).getByRole('link').tap();
    const testing = page.getByRole('region', { name: 'Test', exact: true });
    await testing.getByLabel(`Also send a message to my address ${person.email}`).waitFor();
    await testing.getByRole('button', { name: 'Test' }).tap();
    await testing.getByText(/refused STARTTLS with 5\d\d: set security to tls/).waitFor();
    await checkShown(page);
    const settings = page.getByRole('region', { name: 'Settings' });
    await settings.getByLabel('Security').selectOption({ label: 'none' });
    await settings.getByRole('button', { name: 'Save' }).tap();
    await settings.getByText('Saved').waitFor();
    await testing.getByRole('button', { name: 'Test' }).tap();
    await testing.getByText(`The mail server accepted a message to ${person.email}.`).waitFor();
    await checkShown(page);
    const isTest = ({ subject }: { subject: string }) => subject === 'Test message from Pager';
    assert.equal((await mail.arrival('the message', isTest)).to, person.email);

    await open('/users');
    await page.getByRole('button', { name: 'Invite', exact: true }).tap();
    const invite = page.getByRole('dialog');
    await invite.getByLabel('First name').fill('Grace');
    await invite.getByLabel('Last name').fill('Hopper');
    await invite.getByLabel('E-mail').fill('grace@example.test');
    await invite.getByRole('button', { name: 'Invite' }).tap();
    await invite.getByText('The link was sent to grace@example.test.').waitFor();
    await mail.arrival('the invitation', ({ to }) => to === 'grace@example.test');
    await invite.getByText('The e-mailed link then stops working.').waitFor();
    await invite.getByRole('button', { name: 'Create link to copy' }).tap();
    assert.match(await invite.getByLabel('Invitation link').inputValue(), /\/set-password\//);
    await checkShown(page);
    await invite.getByRole('button', { name: 'Done' }).tap();
    await page.getByRole('link', { name: /^Grace Hopper.*Invited by owner now/ }).waitFor();
    await checkShown(page);
    assert.equal(await page.getByText('E-mail is not set up').count(), 0);
  }),
);
