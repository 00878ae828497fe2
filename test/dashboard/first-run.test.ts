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
  stage.story(phone, async ({ page }) => {
    await page.goto('/');
    await signIn(page);
    const steps = page.getByRole('region', { name: 'Get Pager ready' });
    await steps.getByText('1 of 5 done').or(steps.getByText('0 of 5 done')).waitFor();
    const attention = page.getByRole('list', { name: 'What needs your attention' });
    await attention.getByText('E-mail is not set up').waitFor();
    await checkShown(page);
    const how = await steps.getByRole('link', { name: 'Read how' }).last().getAttribute('href');
    const guide = await page.request.get(new URL(how ?? '', page.url()).href);
    assert.match(await guide.text(), /^# From the dashboard to code/);
    await steps.getByRole('button', { name: 'Send test event' }).tap();
    const row = page.getByRole('link', { name: 'Triggered INC-1' });
    await row.getByText(/Test event \w+: nothing is wrong/).waitFor();
    await steps.getByRole('button', { name: 'Send test event' }).waitFor({ state: 'detached' });
    await row.tap();
    await page.getByRole('button', { name: 'Acknowledge' }).tap();
    await page
      .getByText(/acknowledged/i)
      .first()
      .waitFor();
    const { body } = await stage.server.api.send('GET /incidents/1');
    assert.equal(body.status, 'acknowledged');
    await page.goBack();
    await page.getByRole('button', { name: 'Hide these steps' }).tap();
    await steps.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('link', { name: 'Acknowledged INC-1' }).waitFor();
    assert.equal(await steps.count(), 0);
  }),
);

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
    await page.getByLabel('What is wrong').and(page.locator('[aria-invalid=true]')).waitFor();
    await page.getByLabel('What is wrong').fill('Checkout is slow');
    await page.getByLabel('Service', { exact: true }).selectOption(service.id);
    await page.getByLabel('Priority').selectOption('p2');
    await page.getByRole('button', { name: 'Add a detail' }).click();
    await page.getByLabel('Name of detail 1').fill('region');
    await page.getByLabel('Value of detail 1').fill('eu-west');
    await page.getByRole('button', { name: 'Open an incident' }).click();
    const refused = page.getByLabel('Who is paged').and(page.locator('[aria-invalid=true]'));
    await refused.waitFor();
    await checkShown(page);
    await page.getByLabel('Who is paged').selectOption({ label: 'Mail the owner' });
    await page.getByRole('button', { name: 'Open an incident' }).click();
    await page.getByRole('heading', { name: 'Checkout is slow' }).waitFor();
    await page.getByText('eu-west').waitFor();
    await page.getByText(/Opened by owner/).waitFor();
    await checkShown(page);
  }),
);
