import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { checkShown, desktop, noBrowser, phone, type Stage, startStage } from './stage.ts';

const skip = noBrowser ?? false;
let stage: Stage;

before(async () => {
  if (!skip) stage = await startStage();
});
after(() => stage?.[Symbol.asyncDispose]());

test('pages, incidents and people are a few keys away', { skip }, () =>
  stage.story(desktop, async ({ page, open, expectError }) => {
    const number = await stage.alert('Certificate of the shop expires');
    await open('/incidents');
    await page.getByRole('link', { name: `INC-${number}` }).waitFor();
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog', { name: 'Search or jump' });
    await palette.getByRole('option', { name: 'On call' }).waitFor();
    await palette.getByRole('option', { name: 'Open an incident' }).waitFor();
    await checkShown(page);
    await page.keyboard.type('of the shop');
    await palette.getByRole('option', { name: 'Certificate of the shop' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/incidents/${number}`);
    await page.getByRole('button', { name: 'Search or jump' }).click();
    await page.keyboard.type('no such thing');
    await palette.getByText('No matches.').waitFor();
    const documents = palette.getByRole('link', { name: 'Search documents for “no such thing”' });
    assert.equal(await documents.getAttribute('href'), '/docs?q=no%20such%20thing');
    await checkShown(page);
    await page.keyboard.press('Escape');
    await palette.waitFor({ state: 'hidden' });
    expectError(/404/);
    await page.goto('/no-such-page');
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await page.getByRole('navigation', { name: 'Main menu' }).waitFor();
    await checkShown(page);
    await page.getByRole('link', { name: 'View incidents' }).click();
    await page.waitForURL('**/incidents');
  }),
);

test('on a phone the search is behind More', { skip }, () =>
  stage.story(phone, async ({ page, open }) => {
    await open('/incidents');
    await page.getByRole('button', { name: 'More' }).tap();
    await page.getByRole('menuitem', { name: 'Search or jump' }).tap();
    await page.getByRole('dialog').getByRole('option', { name: 'Me' }).tap();
    await page.waitForURL('**/me');
  }),
);
