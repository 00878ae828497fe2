import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { intervalAt, totpCode } from '../../src/api/sign-in/second-factor/totp.ts';
import { fromBase32 } from '../base32.ts';
import { postJson } from '../system/api-client.ts';
import { eventually } from '../system/eventually.ts';
import { freePort } from '../system/free-port.ts';
import { type MailServer, startMailServer } from '../system/notice-servers.ts';
import { mailTo } from '../system/server-process.ts';
import { checkShown, desktop, noBrowser, person, phone, type Stage, startStage } from './stage.ts';

const skip = noBrowser ?? false;
let stage: Stage;
let mail: MailServer;
/** Where browsers take passkeys: at an address of numbers they take none. */
let local = '';

before(async () => {
  const port = await freePort();
  local = `http://localhost:${port}`;
  const at = { PAGER_LISTEN: `127.0.0.1:${port}`, PAGER_PUBLIC_URL: local };
  mail = await startMailServer();
  if (!skip) stage = await startStage({ ...at, ...mailTo(mail) });
});
after(async () => {
  await stage?.[Symbol.asyncDispose]();
  await mail?.[Symbol.asyncDispose]();
});

async function codeTo(address: string): Promise<string> {
  const { text } = await mail.arrival('the mail is there', ({ to }) => to === address);
  return /^Code: ([0-9]{6})/m.exec(text)?.[1] ?? '';
}

test('whoever never chose a time zone is offered that of the browser', { skip }, () =>
  stage.story({ ...desktop, timezoneId: 'Europe/Berlin' }, async ({ page, open }) => {
    const own = async () => (await stage.server.api.list('users'))[0].timezone;
    assert.equal(await own(), undefined);
    await open('/me');
    const account = page.getByRole('region', { name: 'Name, time zone and language' });
    await account.getByText('Your browser uses Europe/Berlin.').waitFor();
    await checkShown(page);
    const use = account.getByRole('button', { name: 'Use Europe/Berlin' });
    await use.click();
    await use.waitFor({ state: 'detached' });
    assert.equal(await account.getByLabel('Time zone').inputValue(), 'Europe/Berlin');
    assert.equal(await own(), 'Europe/Berlin');
  }),
);

test('a contact is added on a phone, and verified by a code that is pasted', { skip }, () =>
  stage.story(phone, async ({ page, open, expectError }) => {
    await open('/me');
    const contacts = page.getByRole('region', { name: 'Contacts' });
    await contacts.getByRole('button', { name: 'Add contact' }).tap();
    const dialog = page.getByRole('dialog');
    const kinds = dialog.getByLabel('Channel');
    assert.ok(await kinds.getByRole('option', { name: 'SMS (not set up)' }).isDisabled());
    const ntfy = 'ntfy (phone app) (not set up)';
    assert.ok(await kinds.getByRole('option', { name: ntfy }).isDisabled());
    await dialog.getByRole('list', { name: 'Not set up' }).waitFor();
    await dialog.getByLabel('E-mail address').fill('night@home.test');
    await checkShown(page);
    await dialog.getByRole('button', { name: 'Add and send code' }).tap();
    await dialog.getByText('was sent to night@home.test').waitFor();
    const code = await codeTo('night@home.test');
    assert.ok(await dialog.getByRole('button', { name: 'Send again in' }).isDisabled());
    expectError(/422/);
    await dialog.getByLabel('Code').fill(code === '000000' ? '000001' : '000000');
    await dialog.getByText('is wrong or has expired').first().waitFor();
    await checkShown(page);
    await dialog.getByLabel('Code').fill(` ${code.slice(0, 3)} ${code.slice(3)}`);
    await dialog.waitFor({ state: 'detached' });
    const row = contacts.getByRole('listitem').filter({ hasText: 'night@home.test' });
    await row.getByText(/^Confirmed on /).waitFor();
    await row.getByRole('button', { name: 'Remove' }).tap();
    await dialog.getByRole('button', { name: 'Remove', exact: true }).tap();
    await row.waitFor({ state: 'detached' });
  }),
);

test('the latest pages to oneself show their results', { skip }, () =>
  stage.story(phone, async ({ page, open }) => {
    const { api } = stage.server;
    const [owner] = await api.list('users');
    const [integration] = await api.list('integrations');
    await postJson(integration.webhook_url, { title: 'Disk full' });
    await eventually('the page', async () => {
      const { body } = await api.send(`GET /users/${owner.id}/pages`);
      return body.data[0]?.state === 'sent';
    });
    await open('/me');
    const pages = page.getByRole('region', { name: 'My pages' });
    await pages
      .getByRole('link', { name: /^INC-\d+ Disk full$/ })
      .first()
      .waitFor();
    await checkShown(page);
  }),
);

test('one schedule has its own choice of shift notices', { skip }, () =>
  stage.story(desktop, async ({ page, open }) => {
    const { api } = stage.server;
    const [owner] = await api.list('users');
    const { id } = await api.create('on-calls', {
      name: 'Payments',
      layers: [{ users: [owner.id], rotation: { unit: 'days', length: 1, handoff: '09:00' } }],
    });
    await open('/me');
    const shifts = page.getByRole('region', { name: 'My shifts' });
    await shifts.getByRole('link', { name: 'Payments' }).first().waitFor();
    const notices = page.getByRole('region', { name: 'Shift notices' });
    await notices.getByText(/^Phone call, SMS.*: No channel connection is set up/).waitFor();
    await notices.getByLabel('A shift ends: E-mail').check();
    await notices.getByRole('group', { name: 'Payments' }).getByLabel('Custom').check();
    const own = notices.getByRole('table', { name: 'Payments' });
    await own.getByLabel('A shift starts: E-mail').uncheck();
    assert.ok(await own.getByLabel('A shift starts: Phone call').isDisabled());
    await notices.getByRole('button', { name: 'Save' }).click();
    await notices.getByText('Saved').waitFor();
    const saved = (await api.send(`GET /users/${owner.id}/notifications`)).body;
    assert.deepEqual(saved, {
      shift_end: ['email'],
      schedules: [
        { oncall_schedule_id: id, shift_start: [], shift_end: ['email'], shift_change: ['email'] },
      ],
    });
    await page.getByRole('button', { name: 'Create calendar link' }).click();
    const link = await page.getByLabel('Calendar link').inputValue();
    assert.match(await (await fetch(link)).text(), /BEGIN:VCALENDAR/);
    await checkShown(page);
  }),
);

test('a person sees where they are signed in, and ends it', { skip }, () =>
  stage.story(phone, async (lost) => {
    await lost.open('/me?tab=security');
    await lost.page.getByRole('heading', { name: 'Sessions' }).waitFor();
    await stage.story(desktop, async ({ page, open, expectError }) => {
      await open('/me?tab=security');
      const sessions = page.getByRole('region', { name: 'Sessions' });
      await sessions.getByRole('button', { name: 'End all other sessions' }).click();
      await sessions.getByRole('button').first().waitFor({ state: 'detached' });
      await sessions.getByText('This session').waitFor();
      lost.expectError(/401/);
      // It may be on its way to signing in by itself, which ends this.
      await lost.page.goto('/me').catch(() => null);
      await lost.page.getByRole('button', { name: 'Sign in' }).waitFor();
      await checkShown(page);
      const account = page.getByRole('region', { name: 'Name, time zone and language' });
      await page.getByRole('link', { name: 'Paging and shifts' }).click();
      await account.getByLabel('Time zone').selectOption('Asia/Tokyo');
      await account.getByRole('button', { name: 'Save' }).click();
      await account.getByText('Saved').waitFor();
      await page.getByRole('link', { name: 'Security' }).click();
      const password = page.getByRole('region', { name: 'Password' });
      const typed = { 'Current password': 'not this one', 'New password': 'another, and longer' };
      const completed = { 'Current password': 'current-password', 'New password': 'new-password' };
      for (const label of ['Current password', 'New password'] as const) {
        const field = password.getByLabel(label);
        assert.equal(await field.getAttribute('autocomplete'), completed[label]);
        await field.fill(typed[label]);
      }
      expectError(/422/);
      await password.getByRole('button', { name: 'Change password' }).click();
      await password.getByText('is wrong').first().waitFor();
      await page.keyboard.press('Escape');
      await password.getByLabel('New password').fill('');
      await password.getByLabel('Current password').fill('');
      await page.getByRole('link', { name: 'Paging and shifts' }).click();
      await account.getByLabel('First name').fill('Somebody');
      await page.keyboard.press('Escape');
      await page.getByLabel('Single-letter keys').uncheck();
      await page.getByRole('heading', { name: 'Me', exact: true }).click();
      await page.keyboard.press('g');
      await page.keyboard.press('p');
      await page.getByLabel('Single-letter keys').check();
      await page.getByRole('heading', { name: 'Me', exact: true }).click();
      assert.equal(new URL(page.url()).pathname, '/me');
      await page.keyboard.press('g');
      await page.keyboard.press('p');
      const question = page.getByRole('dialog', { name: 'Leave without saving?' });
      await question.getByText('You have unsaved changes on this page.').waitFor();
      assert.equal(new URL(page.url()).pathname, '/me');
      await question.getByRole('button', { name: 'Leave', exact: true }).click();
      await page.getByRole('heading', { name: 'People' }).waitFor();
      await page.getByRole('link', { name: 'Me', exact: true }).click();
      const name = account.getByLabel('First name');
      const before = await name.inputValue();
      await name.fill('Somebody else');
      await name.fill(before);
      await page.getByRole('link', { name: 'People' }).click();
      await page.getByRole('heading', { name: 'People' }).waitFor();
    });
  }),
);

// The last: from then on the owner needs a code.
test('a second factor and a passkey are added, and the passkey signs in', { skip }, () =>
  stage.story({ ...phone, baseURL: local }, async ({ page, context, open, expectError }) => {
    expectError(/422/);
    const devtools = await context.newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await open('/me?tab=security');
    const factor = page.getByRole('region', { name: 'Second factor' });
    await factor.getByRole('button', { name: 'Add app' }).tap();
    await factor.getByLabel('Password').fill(person.password);
    await factor.getByRole('button', { name: 'Add app' }).tap();
    const secret = await factor.getByLabel('Or enter this in the app').inputValue();
    await checkShown(page);
    const code = totpCode(fromBase32(secret), intervalAt(Temporal.Now.instant()));
    await factor.getByLabel('Code', { exact: true }).fill(code);
    await factor.getByRole('button', { name: 'Confirm' }).tap();
    const recovery = (await factor.getByRole('listitem').first().textContent()) ?? '';
    await factor.getByRole('button', { name: 'I saved the codes' }).tap();
    await factor.getByText('10 recovery codes are left').waitFor();

    const passkeys = page.getByRole('region', { name: 'Passkeys' });
    await passkeys.getByRole('button', { name: 'Add passkey' }).tap();
    const dialog = page.getByRole('dialog');
    assert.match(await dialog.getByLabel('Name').inputValue(), /^Chrome on /);
    await dialog.getByLabel('Password').fill(person.password);
    await dialog.getByLabel('Code from the app').fill(recovery);
    await checkShown(page);
    await dialog.getByRole('button', { name: 'Continue' }).tap();
    const row = passkeys.getByRole('listitem').filter({ hasText: /^Chrome on .*never used/ });
    await row.getByRole('button', { name: /^Rename Chrome on/ }).tap();
    await dialog.getByLabel('Name').fill('The phone of work');
    await dialog.getByRole('button', { name: 'Save' }).tap();
    await passkeys.getByRole('listitem').filter({ hasText: 'The phone of work' }).waitFor();

    // The browser's own offer would be taken at once.
    const answers = (enabled: boolean) =>
      devtools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled });
    await answers(false);
    await context.clearCookies();
    await page.goto('/me?tab=security');
    const button = page.getByRole('button', { name: 'Sign in with a passkey' });
    await button.waitFor();
    await checkShown(page);
    await answers(true);
    await button.tap();
    await page.waitForURL('**/me?tab=security');
    await passkeys.getByText(/^Last used/).waitFor();
    await passkeys.getByRole('button', { name: 'Remove The phone of work' }).tap();
    await dialog.getByLabel('Password').fill(person.password);
    await dialog.getByLabel('Code from the app').fill(recovery);
    await dialog.getByRole('button', { name: 'Remove', exact: true }).tap();
    await dialog.getByText('is wrong or was already used').first().waitFor();
    await checkShown(page);
  }),
);
