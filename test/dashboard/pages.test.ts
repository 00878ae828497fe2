import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { eventually } from '../system/eventually.ts';
import { startMailServer } from '../system/notice-servers.ts';
import { mailTo } from '../system/server-process.ts';
import { checkShown, desktop, noBrowser, person, phone, type Stage, startStage } from './stage.ts';

const skip = noBrowser ?? false;
let stage: Stage;
const world = new AsyncDisposableStack();

before(async () => {
  if (skip) return;
  const mail = world.use(await startMailServer());
  stage = world.use(await startStage(mailTo(mail)));
});
after(() => world.disposeAsync());

test('whoever asks whether they were paged finds by what, when, and whether it arrived', {
  skip,
}, async () => {
  const { api, sql } = stage.server;
  const owner = (await api.list('users')).find(({ email }) => email === person.email);
  await stage.story(desktop, async ({ page, open }) => {
    await open('/incidents');
    await page.keyboard.press('g');
    await page.keyboard.press('a');
    await page.getByRole('heading', { name: 'No pages yet' }).waitFor();
    await checkShown(page);

    await stage.alert('Primary lost on db-12');
    await stage.alert('Checkout errors');
    await eventually('both pages arrived', async () => {
      const { body } = await api.send('GET /pages?state=sent');
      return body.data.length === 2;
    });
    // As a page that a contact did not take, the day before.
    await sql`
      update outbox set state = 'failed', reason = 'The mailbox does not exist.',
        created_at = created_at - interval '1 day'
      where incident_id = (select id from incidents where number = 2) and kind = 'page'`;
    await sql`
      update attempts set outcome = 'failed'
      where key in (select key from outbox where state = 'failed')`;
    await open('/pages');
    const list = page.getByRole('list', { name: 'Pages', exact: true });
    await list.getByRole('link', { name: 'INC-1 Primary lost on db-12' }).waitFor();
    await list.getByText('to o…@example.test').first().waitFor();
    await list.getByText('The mailbox does not exist.').waitFor();
    assert.equal(await list.getByRole('listitem').filter({ hasText: 'Step 1' }).count(), 2);
    await page.getByText(/2 pages$/).waitFor();
    await checkShown(page);

    // The bar of a day leads to its pages, and back.
    const bars = page.getByRole('region', { name: 'Pages by day' });
    await bars.getByRole('link', { name: /: 1 page, 1 failed$/ }).click();
    await list.getByRole('link', { name: /INC-1/ }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /^Remove From: / }).waitFor();
    await checkShown(page);
    await bars.getByRole('link', { name: /: 1 page, 1 failed$/ }).click();
    await list.getByRole('link', { name: /INC-1/ }).waitFor();

    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByLabel('State', { exact: true }).selectOption('failed');
    await list.getByRole('link', { name: /INC-1/ }).waitFor({ state: 'detached' });
    await checkShown(page);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download CSV' }).click(),
    ]);
    assert.equal(download.suggestedFilename(), 'pages.csv');
    const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
    assert.equal(lines.length, 2);
    assert.match(lines[1] ?? '', /Checkout errors.*o…@example\.test.*failed/);
    await page.getByRole('button', { name: 'Remove State: Failed' }).click();
    await list.getByRole('link', { name: /INC-1/ }).waitFor();

    await page.getByLabel('Incident number').fill('INC-2');
    await list.getByRole('link', { name: /INC-1/ }).waitFor({ state: 'detached' });
    await page.getByLabel('Incident number').fill('disk');
    await page.getByRole('heading', { name: 'Incident not found' }).waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await list.getByRole('link', { name: /INC-1/ }).waitFor();
  });
  await stage.story(phone, async ({ page, open }) => {
    await open(`/users/${owner?.id}`);
    await page.getByRole('link', { name: /^Pages to / }).tap();
    await page.getByRole('button', { name: /^Remove Person: / }).waitFor();
    const list = page.getByRole('list', { name: 'Pages', exact: true });
    await list.getByRole('link', { name: 'INC-1 Primary lost on db-12' }).waitFor();
    await checkShown(page);
    await list.getByRole('link', { name: 'INC-1 Primary lost on db-12' }).tap();
    await page.getByRole('heading', { name: 'Primary lost on db-12' }).waitFor();
  });
});
