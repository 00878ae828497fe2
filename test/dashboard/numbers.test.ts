// What an admin sets of an account that calls and texts, and what people see of it at their contacts.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { eventually } from '../system/eventually.ts';
import { type FakeTwilio, startFakeTwilio } from '../vendors/twilio.ts';
import { checkShown, desktop, noBrowser, phone, type Stage, startStage } from './stage.ts';

const skip = noBrowser ?? false;
let twilio: FakeTwilio;
let stage: Stage;

before(async () => {
  if (skip) return;
  twilio = await startFakeTwilio();
  stage = await startStage({ PAGER_VENDOR_URLS: `twilio=${twilio.url}` });
});
after(async () => {
  await stage?.[Symbol.asyncDispose]();
  await twilio?.[Symbol.asyncDispose]();
});

/** Of an account that is never called. */
const sid = `AC${'0123456789fedcba'.repeat(2)}`;
const token = 'fedcba9876543210'.repeat(2);

test('an admin adds a Twilio account, sees what is wrong, and changes it', { skip }, () =>
  stage.story(phone, async ({ page, open, expectError }) => {
    await open('/settings/channels');
    const connections = page.getByRole('region', { name: 'Connections' });
    await connections.getByRole('button', { name: 'Add connection' }).tap();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Vendor').selectOption('Twilio');
    await dialog.getByRole('link', { name: 'Open the Twilio console' }).waitFor();
    assert.equal(await dialog.getByLabel('Auth token').getAttribute('type'), 'password');
    await dialog.getByLabel('Account SID').fill(sid);
    await dialog.getByLabel('Caller number').fill('+4930123456');
    await dialog.getByLabel('Allowed prefixes').fill('+49 +881');
    await dialog.getByLabel('Auth token').fill(token);
    await checkShown(page);
    // The refusal is in the console.
    expectError(/422/);
    await dialog.getByRole('button', { name: 'Add connection' }).tap();
    const prefixes = dialog.getByLabel('Allowed prefixes');
    await prefixes.and(page.locator('[aria-invalid=true]')).waitFor();
    await dialog.getByText('must look like +49').first().waitFor();
    await checkShown(page);
    await prefixes.fill('+49, +1');
    await dialog.getByRole('button', { name: 'Add connection' }).tap();
    const row = connections.getByRole('link', { name: 'Twilio' });
    await row.tap();
    const settings = page.getByRole('region', { name: 'Settings' });
    assert.equal(await settings.getByLabel('Allowed prefixes').inputValue(), '+49 +1');
    assert.equal(await settings.getByLabel('Calls per second').inputValue(), '1');
    await settings.getByLabel('SMS sender number or name').fill('Example');
    await settings.getByRole('button', { name: 'Save' }).tap();
    await settings.getByText('Saved').waitFor();
    await checkShown(page);
    const { body } = await stage.server.api.send('GET /channel-connections');
    assert.deepEqual(body.data[0].settings, {
      account_sid: sid,
      from_phone: '+4930123456',
      from_sms: 'Example',
      allowed_prefixes: ['+49', '+1'],
      calls_per_second: 1,
      messages_per_second: 1,
      sms_actions: 'all',
    });
    assert.deepEqual(body.data[0].channels, ['phone', 'sms']);
    const secrets = page.getByRole('region', { name: 'Secrets' });
    await secrets.getByText(`…${token.slice(-4)}, set on`).waitFor();
    await secrets.getByRole('button', { name: 'Replace secrets' }).tap();
    const key = 'a'.repeat(32);
    await secrets.getByLabel('API key SID').fill(`SK${key}`);
    await secrets.getByRole('button', { name: 'Replace secrets' }).tap();
    await secrets.getByText('is required with').first().waitFor();
    await secrets.getByLabel('API key secret').fill(key);
    await secrets.getByRole('button', { name: 'Replace secrets' }).tap();
    await secrets
      .getByText(`…${key.slice(-4)}, set on`)
      .first()
      .waitFor();
    await checkShown(page);
  }),
);

test('a number is added on a phone, and proved by an SMS and by a call', { skip }, () =>
  stage.story(phone, async ({ page, open, expectError }) => {
    const { api } = stage.server;
    await api.create('channel-connections', {
      name: 'Fake',
      vendor: 'twilio',
      secrets: { auth_token: twilio.authToken },
      settings: {
        account_sid: twilio.account.sid,
        from_phone: twilio.number,
        from_sms: twilio.number,
        allowed_prefixes: ['+49'],
        calls_per_second: 10,
        messages_per_second: 10,
      },
    });
    await open('/me');
    const contacts = page.getByRole('region', { name: 'Contacts' });
    const dialog = page.getByRole('dialog');
    const number = '+4915112345678';
    await contacts.getByRole('button', { name: 'Add contact' }).tap();
    await dialog.getByLabel('Channel').selectOption('SMS');
    expectError(/422/);
    await dialog.getByLabel('Phone number').fill('+33612345678');
    await dialog.getByRole('button', { name: 'Add and send code' }).tap();
    await dialog.getByText('begins with no prefix').first().waitFor();
    await checkShown(page);
    await dialog.getByLabel('Phone number').fill(number);
    await dialog.getByRole('button', { name: 'Add and send code' }).tap();
    await dialog.getByText(`A six-digit code was sent to ${number}.`).waitFor();
    const [texted = ''] = /[0-9]{6}/.exec(twilio.messages[0]?.body ?? '') ?? [];
    await dialog.getByLabel('Code').fill(texted);
    await dialog.waitFor({ state: 'detached' });
    const rows = contacts.getByRole('listitem').filter({ hasText: number });
    await rows
      .filter({ hasText: 'SMS' })
      .getByText(/^Confirmed on /)
      .waitFor();

    await contacts.getByRole('button', { name: 'Add contact' }).tap();
    await dialog.getByLabel('Channel').selectOption('Phone call');
    await dialog.getByLabel('Phone number').fill(number);
    await dialog.getByRole('button', { name: 'Add and call with code' }).tap();
    await dialog.getByText(`Pager is calling ${number}`).waitFor();
    await checkShown(page);
    await eventually('the call', () => twilio.calls.length === 1);
    const [call] = twilio.calls;
    await twilio.ring(call?.sid ?? '');
    const line = await twilio.answer(call?.sid ?? '');
    await line.listen();
    const digits = line.heard.join(' ').match(/\b[0-9]\b/g) ?? [];
    assert.deepEqual(digits.slice(0, 6), digits.slice(6, 12), 'it is read out twice');
    await dialog.getByLabel('Code').fill(digits.slice(0, 6).join(''));
    await dialog.waitFor({ state: 'detached' });
    await rows
      .filter({ hasText: 'Phone call' })
      .getByText(/^Confirmed on /)
      .waitFor();
    await rows
      .filter({ hasText: 'SMS' })
      .getByRole('button', { name: `Edit ${number}` })
      .tap();
    await dialog.getByRole('button', { name: 'Send test page' }).tap();
    await dialog.getByText('The vendor accepted the test page').waitFor();
    assert.match(twilio.messages[0]?.body ?? '', /Test page/);
    await checkShown(page);
  }),
);

test('contacts have labels and an order, which their person changes', { skip }, () =>
  stage.story(desktop, async ({ page, open }) => {
    const { server } = stage;
    const [owner] = await server.api.list('users');
    const path = `/users/${owner.id}/contacts`;
    const address = 'night@home.test';
    const { body } = await server.api.send(`POST ${path}`, { channel: 'email', address });
    await server.sql`update contacts set verified_at = now() where id = ${body.id}`;
    await open('/me');
    const contacts = page.getByRole('region', { name: 'Contacts' });
    const row = contacts.getByRole('listitem').filter({ hasText: address });
    const signIn = contacts.getByRole('listitem').filter({ hasText: 'your sign-in address' });
    await signIn.getByText('used first').waitFor();
    await row.getByRole('button', { name: `Edit ${address}` }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Label').fill('Night');
    await dialog.getByLabel('Order').selectOption('1, used first');
    await checkShown(page);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await row.getByText('used first').waitFor();
    await row.getByText('Night', { exact: true }).waitFor();
    assert.equal(await signIn.getByText('used first').count(), 0);
    await row.getByRole('button', { name: `Edit ${address}` }).click();
    await dialog.getByRole('button', { name: 'Send test page' }).click();
    await dialog.getByText('The test page was delivered.').waitFor();
    await checkShown(page);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await checkShown(page);
  }),
);
