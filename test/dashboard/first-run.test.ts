import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { withoutMailServer } from '../system/mail-sink.ts';
import { checkShown, desktop, noBrowser, phone, type Stage, signIn, startStage } from './stage.ts';

const skip = noBrowser ?? false;
let stage: Stage;

before(async () => {
  if (!skip) stage = await startStage(withoutMailServer);
});
after(() => stage?.[Symbol.asyncDispose]());

test('from a fresh server to a first page that is acknowledged', { skip }, () =>
  stage.story({ ...phone, timezoneId: 'Europe/Berlin' }, async ({ page }) => {
    await page.goto('/');
    await signIn(page);
    const steps = page.getByRole('region', { name: 'Set up Pager' });
    await steps.getByText('0 of 7 done').waitFor();
    await steps.getByText('Set PAGER_SMTP_URL. Push works in this browser').waitFor();
    await steps.getByRole('link', { name: 'Turn on push' }).waitFor();
    const attention = page.getByRole('list', { name: 'Needs your attention' });
    await attention.getByText('E-mail is not set up').waitFor();
    await checkShown(page);
    const how = await steps.getByRole('link', { name: 'Learn how' }).last().getAttribute('href');
    const guide = await page.request.get(new URL(how ?? '', page.url()).href);
    assert.match(await guide.text(), /^# Export to Terraform/);
    await steps.getByRole('button', { name: 'Send test event' }).tap();
    const row = page.getByRole('link', { name: /^(Triggered|Nobody paged) INC-1/ });
    await row.getByText(/Test event \w+: nothing is wrong/).waitFor();
    await row.getByText('Nobody was reached').waitFor();
    assert.match((await row.textContent()) ?? '', /nothing is wrong.*Nobody was reached/);
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
