import { after, before, test } from 'node:test';
import { checkShown, noBrowser, phone, type Stage, startStage } from './stage.ts';

const skip = noBrowser ?? false;
let stage: Stage;

before(async () => {
  if (!skip) stage = await startStage();
});
after(() => stage?.[Symbol.asyncDispose]());

test('every part of the pages reads well in every state', { skip }, () =>
  stage.story(phone, async ({ page, open, expectError }) => {
    expectError(/422/);
    await open('/components');
    await page.getByRole('heading', { name: 'Components' }).waitFor();
    await checkShown(page);
    await page.getByRole('button', { name: 'Two people at once' }).tap();
    await page.getByRole('alert').getByLabel('Theirs: Payments').check();
    await page.getByRole('button', { name: 'Save' }).tap();
    await page.getByRole('alert').getByText('shape:').waitFor();
    await page.getByRole('alert').getByRole('button', { name: 'Name' }).tap();
    await page.locator('[name=name]:focus').waitFor();
    await checkShown(page);
  }),
);
