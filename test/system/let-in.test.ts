// Whoever lost the first key, or their password, is let in from the server's own machine.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { intervalAt, totpCode } from '../../src/api/sign-in/second-factor/totp.ts';
import { fromBase32 } from '../base32.ts';
import { createApiClient, request } from './api-client.ts';
import { startMailServer } from './notice-servers.ts';
import { createInstallation, type Installation, mailTo } from './server-process.ts';
import { sessionOf } from './sign-in.ts';

const email = 'owner@example.test';

test('another key is created while a server runs and while none does, and owners get a mail', async () => {
  await using mail = await startMailServer();
  await using installation = await createInstallation(mailTo(mail));
  const server = await installation.start();
  const words = ['--role', 'viewer', '--expires', '12h'];
  const running = await run(installation, 'create-key', ...words);
  assert.equal(running.code, 0, running.output);
  assert.match(running.output, /has the role viewer and is shown only once\. It expires at 20/);
  const { body } = await createApiClient(server.url, keyIn(running.output)).send('GET /services');
  assert.ok(Array.isArray(body.data));
  const received = await mail.arrival('a mail to the owner', ({ text }) =>
    /pagerctl create-key/.test(text),
  );
  assert.equal(received.to, email);
  assert.match(received.text, /^Created: An API key with the role viewer: pagerctl create-key$/m);

  assert.equal(await server.stop(), 0);
  const stopped = await run(installation, 'create-key', '--expires', 'never', '--name', 'Second');
  assert.equal(stopped.code, 0, stopped.output);
  assert.match(stopped.output, /has the role owner and is shown only once\. It does not expire\./);
  const again = await installation.start();
  const api = createApiClient(again.url, keyIn(stopped.output));
  const log = await api.send('GET /audit-log?record_type=api_key');
  const [last] = log.body.data;
  assert.deepEqual(
    [last.action, last.actor.name, last.after.name, last.after.role],
    ['create', 'pagerctl create-key', 'Second', 'owner'],
  );
});

test('invalid words for a new key are refused by name, and nothing is created', async () => {
  await using installation = await createInstallation();
  const server = await installation.start();
  for (const [words, expected] of [
    [['--role', 'ownr'], /^There is no role ownr\. Did you mean owner\?$/m],
    [['--expires', 'soon'], /^soon is not valid for --expires\. Use days or hours, such as 90d/m],
    [['--name', ''], /^--name must not be empty\.$/m],
  ] as const) {
    const { code, output } = await run(installation, 'create-key', ...words);
    assert.equal(code, 2);
    assert.match(output, expected);
  }
  const elsewhere = await run(installation, 'create-key', '--organization', 'Shop');
  assert.equal(elsewhere.code, 1);
  assert.match(
    elsewhere.output,
    /^No key was created: there is no organization Shop\. Available: My o/,
  );
  assert.equal((await server.api.list('api-keys')).length, 1);
});

test('a link signs its person in, once, by its button alone', async () => {
  await using installation = await createInstallation();
  const first = await installation.start();
  assert.equal(await first.stop(), 0);
  // Made while no server runs.
  const made = await run(installation, 'sign-in-link', email.toUpperCase());
  assert.equal(made.code, 0, made.output);
  const href = linkIn(made.output);
  const server = await installation.start();
  assert.ok(href.startsWith(`${server.url}/sign-in-link/`), href);
  for (let visits = 0; visits < 2; visits += 1) {
    const page = await fetch(href);
    assert.equal(page.status, 200);
    assert.deepEqual(page.headers.getSetCookie(), []);
    assert.match(await page.text(), /signs you in to My organization as <strong>owner<\/strong>/);
  }
  const foreign = await press(href, 'https://elsewhere.example');
  assert.equal(foreign.status, 403);
  const answers = await Promise.all([press(href), press(href), press(href)]);
  assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 404, 404]);
  const pressed = answers.find(({ status }) => status === 303) ?? assert.fail();
  assert.equal(pressed.headers.get('location'), '/');
  assert.deepEqual(await whoIs(server.url, pressed), email);
  assert.equal((await press(href)).status, 404);

  const { body } = await server.api.send('GET /audit-log?record_type=user');
  const acts = body.data.slice(0, 2).map(({ action, actor }: Act) => [action, actor.name]);
  assert.deepEqual(acts, [
    ['use_sign_in_link', 'owner'],
    ['create_sign_in_link', 'pagerctl sign-in-link'],
  ]);
});

test('a newer link, a new password and a second factor bound what a link does', async () => {
  await using installation = await createInstallation();
  const server = await installation.start();
  const make = async () => (await run(installation, 'sign-in-link', email)).output;
  const older = linkIn(await make());
  const newer = linkIn(await make());
  assert.equal((await fetch(older)).status, 404);
  assert.equal((await fetch(newer)).status, 200);
  const reset = await run(installation, 'reset-password', email);
  assert.equal((await fetch(newer)).status, 404);
  const [, password = ''] = /with the password (\S+)/.exec(reset.output) ?? [];

  const secret = await addSecondFactor(server.url, password);
  const output = await make();
  const href = linkIn(output);
  assert.match(output, /has a second factor, so the page asks for a code after the link/);
  const pressed = await press(href);
  assert.equal(pressed.headers.get('location'), '/sign-in/code');
  assert.equal(await whoIs(server.url, pressed), null);
  const code = totpCode(fromBase32(secret), intervalAt(Temporal.Now.instant()) + 1);
  const signedIn = await fetch(`${server.url}/auth/sign-in-code`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ code }),
    headers: { cookie: cookiesOf(pressed), origin: server.url },
  });
  assert.equal(await whoIs(server.url, signedIn), email);
});

test('an unknown address suggests one, or lists who there is', async () => {
  await using installation = await createInstallation();
  const server = await installation.start();
  const grace = { first_name: 'Grace', last_name: '', email: 'grace@example.test' };
  await server.api.create('users', { ...grace, role: 'responder' });
  assert.deepEqual(await run(installation, 'sign-in-link', 'owner@exmaple.test'), {
    code: 1,
    output:
      'No link was created: no active person has the address owner@exmaple.test. Did you mean owner@example.test?',
  });
  assert.deepEqual(await run(installation, 'reset-password', 'x@y.z'), {
    code: 1,
    output:
      'The password was not changed: no active person has the address x@y.z. Active people: grace@example.test, owner@example.test.',
  });
  const bare = await run(installation, 'sign-in-link');
  assert.equal(bare.code, 1);
  assert.match(bare.output, /^pagerctl sign-in-link <e-mail>\n/);
});

type Act = { readonly action: string; readonly actor: { readonly name: string } };

async function run(installation: Installation, ...words: string[]) {
  const program = installation.launch({}, ...words);
  return { code: await program.ended, output: program.output().trim() };
}

/** Standard output and standard error come in either order. */
const keyIn = (output: string) => /^pgr_[0-9a-f]{40}$/m.exec(output)?.[0] ?? assert.fail(output);
const linkIn = (output: string) => /^http:\S+$/m.exec(output)?.[0] ?? assert.fail(output);

/** The button of a page, as a browser sends it. */
const press = (href: string, origin = new URL(href).origin) =>
  fetch(href, {
    method: 'POST',
    redirect: 'manual' as const,
    headers: { origin },
    body: new URLSearchParams(),
  });

const cookiesOf = (answer: Response) =>
  answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');

/** Null: nobody is signed in by what was answered. */
async function whoIs(url: string, answer: Response): Promise<string | null> {
  const session = await fetch(`${url}/auth/session`, { headers: { cookie: cookiesOf(answer) } });
  if (session.status === 401) return null;
  const { user } = (await session.json()) as { user: { email: string } };
  return user.email;
}

/** Answers the secret of the app. */
async function addSecondFactor(url: string, password: string): Promise<string> {
  const headers = { ...(await sessionOf({ url }, password)), origin: url };
  const at = `${url}/api/v1/users/me/second-factor`;
  const send = (to: string, fields: object) =>
    request(to, {
      method: 'POST',
      headers,
      body: JSON.stringify(fields),
    });
  const { body } = await send(at, { password });
  const code = totpCode(fromBase32(body.secret), intervalAt(Temporal.Now.instant()));
  assert.equal((await send(`${at}/confirm`, { code })).status, 200);
  return body.secret;
}
