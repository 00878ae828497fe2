import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { eventually } from '../system/eventually.ts';
import { type FakeNtfy, startFakeNtfy } from '../vendors/ntfy.ts';
import { checkShown, noBrowser, phone, type Stage, startStage } from './stage.ts';

const skip = noBrowser ?? false;
let ntfy: FakeNtfy;
let stage: Stage;

before(async () => {
  if (skip) return;
  ntfy = await startFakeNtfy();
  stage = await startStage({
    PAGER_ALLOW_NETWORKS: '127.0.0.0/8',
    PAGER_VENDOR_URLS: `ntfy=${ntfy.url}`,
  });
  await stage.server.api.create('channel-connections', { name: 'ntfy', vendor: 'ntfy' });
});
after(async () => {
  await stage?.[Symbol.asyncDispose]();
  await ntfy?.[Symbol.asyncDispose]();
});

test(
  'a person adds the topic that is offered, and types the code that is published there',
  {
    skip,
  },
  () =>
    stage.story(phone, async ({ page, open }) => {
      await open('/me');
      const contacts = page.getByRole('region', { name: 'Contacts' });
      await contacts.getByRole('button', { name: 'Add contact' }).tap();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Channel').selectOption({ label: 'ntfy (phone app)' });
      const topic = await dialog.getByLabel('Topic').inputValue();
      await checkShown(page);
      await dialog.getByRole('button', { name: 'Add and send code' }).tap();
      const message = await eventually('the code', () => ntfy.shown(topic)[0]);
      const [code = assert.fail('no code')] = /\d{6}/.exec(message.message) ?? [];
      await page.getByRole('dialog').getByLabel('Code').fill(code);
      const row = contacts.getByRole('listitem').filter({ hasText: 'ntfy ·' });
      await row.getByText(/^Confirmed on /).waitFor();
      assert.equal(await page.getByText(topic).count(), 0, 'it is secret');
    }),
);
