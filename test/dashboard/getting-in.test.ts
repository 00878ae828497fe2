// The pages that the server makes without script: signing in, links in notices, refusals.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { intervalAt, totpCode } from '../../src/api/sign-in/second-factor/totp.ts';
import { signInLinkCommand } from '../../src/commands/sign-in-link.ts';
import { fromBase32 } from '../base32.ts';
import { type MailServer, startMailServer } from '../system/notice-servers.ts';
import { checkShown, noBrowser, person, phone, startStage } from './stage.ts';

if (noBrowser === undefined) await stories();
else test('pages without script', { skip: noBrowser }, () => {});

async function stories(): Promise<void> {
  const mail = await startMailServer();
  const smtp = `smtp://127.0.0.1:${mail.port}`;
  const sender = { PAGER_SMTP_URL: smtp, PAGER_MAIL_FROM: 'pager@example.test' };
  const stage = await startStage(sender);
  const { server } = stage;
  after(async () => {
    await stage[Symbol.asyncDispose]();
    await mail[Symbol.asyncDispose]();
  });

  test('a stranger signs in, is told when that fails, and goes where they wanted', () =>
    stage.story(phone, async ({ page, expectError }) => {
      await page.goto('/incidents');
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await checkShown(page);
      const colour = await backgroundOf(page);
      await page.getByLabel('E-mail').fill(person.email);
      await page.getByLabel('Password').fill('wrong, but long enough');
      expectError(/401/);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('alert').waitFor();
      await checkShown(page);
      await page.getByLabel('Password').fill(person.password);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.waitForURL('**/incidents');
      assert.equal(await backgroundOf(page), colour);
    }));

  test('an incident is acknowledged from a mail, without a session or a script', () =>
    stage.story({ ...phone, javaScriptEnabled: false }, async ({ page }) => {
      await stage.alert('Primary lost on db-12: <b>replication stopped</b>', {
        severity: 'sev1',
        priority: 'p1',
        instance: 'db-12',
        runbook: 'R'.repeat(80),
      });
      await page.goto(await linkIn(mail, 'Acknowledge'));
      await page.getByText('Triggered').waitFor();
      await page.getByRole('rowheader', { name: 'instance' }).waitFor();
      await page.getByRole('button', { name: 'Acknowledge' }).click();
      await page.getByText(/^Acknowledged by .+, after /).waitFor();
      assert.equal(await page.getByRole('button').count(), 0);
    }));

  test('pages of links, lost passwords and refusals can be read by all', () =>
    stage.story(phone, async ({ page, expectError }) => {
      expectError(/40[14]/);
      await shownAt(await linkIn(mail, 'Resolve'));
      await page.goto('/lost-password');
      await checkShown(page);
      await page.getByLabel('E-mail').fill(person.email);
      await page.getByRole('button', { name: 'Send link' }).click();
      await page.getByRole('heading', { name: 'Check your e-mail' }).waitFor();
      await checkShown(page);
      await shownAt(await linkIn(mail, 'Set new password'));
      for (const path of ['/set-password/none', '/act/none']) await shownAt(path);

      async function shownAt(path: string): Promise<void> {
        await page.goto(path);
        await checkShown(page);
      }
    }));

  test('a link that was created on the server signs in, by its button', () =>
    stage.story(phone, async ({ page, expectError }) => {
      const printed: string[] = [];
      const output = { write: (text: string) => printed.push(text), writeError: () => undefined };
      assert.equal(await signInLinkCommand([person.email], server.config, output), 0);
      const [link = ''] = printed;
      await page.goto(link.trim());
      await page.getByRole('heading', { name: 'Sign in by link' }).waitFor();
      await checkShown(page);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.waitForURL('**/incidents*');
      await page.getByRole('heading', { name: 'Incidents' }).waitFor();
      expectError(/404/);
      await page.goto(link.trim());
      await page.getByRole('heading', { name: 'This link is no longer valid' }).waitFor();
      await checkShown(page);
    }));

  // The last: from then on the owner needs a code.
  test('whoever has a second factor is asked for its code after the password', () =>
    stage.story(phone, async ({ page, expectError }) => {
      const secret = await addSecondFactor(server.url);
      await page.goto('/incidents');
      await page.getByLabel('E-mail').fill(person.email);
      await page.getByLabel('Password').fill(person.password);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('heading', { name: 'Enter your code' }).waitFor();
      await checkShown(page);
      expectError(/401/);
      await page.getByLabel('Code').fill('000000');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('alert').waitFor();
      await page.getByLabel('Code').fill(codeOf(secret, 1));
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.waitForURL('**/incidents');
    }));
}

/** Of the owner; answers the app's secret. */
async function addSecondFactor(url: string): Promise<string> {
  const json = { 'content-type': 'application/json' };
  const signedIn = await fetch(`${url}/auth/sign-in`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify(person),
  });
  const cookie = signedIn.headers.getSetCookie().map((one) => one.split(';')[0]);
  const { csrf_token } = (await signedIn.json()) as { csrf_token: string };
  const headers = { ...json, cookie: cookie.join('; '), 'x-csrf-token': csrf_token };
  const send = async (path: string, body: object) => {
    const answer = await fetch(`${url}/api/v1/users/me/second-factor${path}`, {
      method: 'POST',
      headers: { ...headers, 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify(body),
    });
    assert.equal(answer.status, 200);
    return (await answer.json()) as { secret: string };
  };
  const { secret } = await send('', { password: person.password });
  await send('/confirm', { code: codeOf(secret) });
  return secret;
}

function codeOf(secret: string, ahead = 0): string {
  const interval = intervalAt(Temporal.Now.instant()) + ahead;
  return totpCode(fromBase32(secret), interval);
}

const backgroundOf = (page: Page) =>
  page.evaluate<string>('getComputedStyle(document.body).backgroundColor');

/** The path of a link in the mail that has one. */
async function linkIn(mail: MailServer, text: string): Promise<string> {
  const line = new RegExp(`^${text}: (\\S+)$`, 'm');
  const received = await mail.arrival(`a mail with "${text}"`, (one) => line.test(one.text));
  const [, href = ''] = line.exec(received.text) ?? [];
  return new URL(href).pathname;
}
