import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Relay, startRelay } from '../relay.ts';
import { checkShown, desktop, noBrowser, phone, type Stage, startStage } from './stage.ts';

const skip = noBrowser ?? false;
let stage: Stage;
let relay: Relay;

before(async () => {
  if (skip) return;
  stage = await startStage();
  relay = await startRelay(stage.server.url);
});
after(async () => {
  await relay?.[Symbol.asyncDispose]();
  await stage?.[Symbol.asyncDispose]();
});

test(
  'without a connection what is shown is dated and nothing is sent, and then it catches up',
  {
    skip,
  },
  () =>
    stage.story(phone, async ({ page, context, open, expectError }) => {
      expectError(/ERR_|503/);
      const { api } = stage.server;
      const number = await stage.alert('Kept while the phone is offline');
      await open(`${relay.url}/incidents/${number}`);
      const acknowledge = page.getByRole('button', { name: 'Acknowledge' });
      await acknowledge.waitFor();
      await page.evaluate('navigator.serviceWorker.ready.then(() => {})');

      await context.setOffline(true);
      const banner = page.getByText('You are offline. Last updated');
      await banner.waitFor();
      assert.equal(await acknowledge.getAttribute('aria-disabled'), 'true');
      await page.getByLabel('Add note').fill('Typed in the lift');
      await page.keyboard.press('Control+Enter');
      await page.getByText('this device is offline').waitFor();
      await checkShown(page);
      await api.send(`POST /incidents/${number}/acknowledge`, {});
      await context.setOffline(false);
      await banner.waitFor({ state: 'detached' });
      await page.getByText(/^Acknowledged (now|\d)/).waitFor();
      await page.getByRole('button', { name: 'Save note' }).tap();
      await page.getByText('Typed in the lift').and(page.locator(':not(textarea)')).waitFor();

      await relay.stop();
      const unheard = page.getByText('Pager is not responding. Last updated');
      await unheard.waitFor();
      await relay.start();
      await unheard.waitFor({ state: 'detached' });

      await relay.stop();
      await page.reload();
      await page.getByRole('heading', { name: 'No connection to Pager' }).waitFor();
      await page.getByText('Tried at').waitFor();
      await checkShown(page);
      await relay.start();
      await page.getByRole('heading', { name: 'Kept while the phone is offline' }).waitFor();
    }),
);

test('a page of another build is loaded anew once, and never over what is typed', { skip }, () =>
  stage.story(desktop, async ({ page, open, expectError }) => {
    expectError(/ERR_FAILED|dynamically imported|a part of the page could not be loaded/);
    const number = await stage.alert('Open over a deployment');
    await open(`/incidents/${number}`);
    const note = page.getByLabel('Add note');
    await note.fill('Half a thought');
    await page.route('**/assets/me-page-*.js', (route) => route.abort());
    let loads = 0;
    page.on('load', () => {
      loads += 1;
    });
    const me = page.getByRole('link', { name: 'Me', exact: true });
    await me.click();
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await question.getByRole('button', { name: 'Leave', exact: true }).click();
    await page.getByText('A new version of Pager is available.').waitFor();
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByText('Save or discard your changes').waitFor();
    assert.equal(await note.inputValue(), 'Half a thought');
    await checkShown(page);
    await page.getByRole('button', { name: 'Save note' }).click();
    await page.getByText('Half a thought').and(page.locator(':not(textarea)')).waitFor();
    assert.equal(loads, 0);
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByRole('heading', { name: 'Something went wrong' }).waitFor();
    assert.equal(loads, 2);
    await page.unroute('**/assets/me-page-*.js');
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByRole('heading', { name: 'Me', exact: true }).waitFor();
    await page.route('**/auth/session', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), build: 'another' } });
    });
    await stage.server.api.send('PATCH /organization', { name: 'Acme' });
    await page.getByText('A new version of Pager is available.').waitFor();
    await page.route('**/auth/sign-out', (route) => route.abort());
    await page.getByRole('button', { name: 'owner', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByText('You are still signed in').waitFor();
    // An answer that is read when the browser is closed fails.
    await page.unrouteAll({ behavior: 'wait' });
  }),
);
