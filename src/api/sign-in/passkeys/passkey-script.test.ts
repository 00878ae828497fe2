import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { runInNewContext } from 'node:vm';

const script = readFileSync(new URL('passkey.js', import.meta.url), 'utf8');
const json = (status: number, body: object) => new Response(JSON.stringify(body), { status });
const refusedOptions = () => json(429, { message: 'Too many attempts.' });
const never = () => new Promise<Response>(() => undefined);

type Page = {
  /** What the server answers, in turn; nothing after that. */
  readonly answers: readonly (() => Response | Promise<Response>)[];
  readonly credential?: () => Promise<object>;
};

/** Runs the script in a browser that has passkeys, and waits until it does nothing more. */
async function opened({ answers, credential = () => new Promise(() => undefined) }: Page) {
  const left = [...answers];
  const paths: string[] = [];
  const shown: string[] = [];
  const timers: number[] = [];
  let press = () => {};
  const offer = {
    dataset: { origin: 'https://pager.example.com', next: '/' },
    querySelector: () => ({ addEventListener: (_: string, done: () => void) => (press = done) }),
  };
  const alert = {
    setAttribute: () => undefined,
    set textContent(text: string) {
      shown.push(text);
    },
  };
  const settled = async () => {
    for (let turns = 0; turns < 20; turns += 1) await turn();
  };
  await runInNewContext(`(async () => { ${script} })()`, {
    document: {
      getElementById: () => offer,
      querySelector: (what: string) => (what === 'h1' ? { after: () => undefined } : alert),
    },
    location: { origin: 'https://pager.example.com', assign: (to: string) => paths.push(to) },
    navigator: { credentials: { get: credential } },
    PublicKeyCredential: {
      parseRequestOptionsFromJSON: (options: object) => options,
      isConditionalMediationAvailable: async () => true,
    },
    fetch: (path: string) => {
      paths.push(path);
      return Promise.try(left.shift() ?? never);
    },
    setTimeout: (_: unknown, after: number) => timers.push(after),
    clearTimeout: () => undefined,
    AbortController,
  });
  await settled();
  return {
    paths,
    shown,
    timers,
    async press() {
      press();
      await settled();
    },
  };
}

test('where the browser is to offer passkeys, a refusal is silent and not repeated at once', async () => {
  const page = await opened({ answers: [refusedOptions, refusedOptions] });
  assert.deepEqual(page.paths, ['/auth/passkey-options']);
  assert.deepEqual([page.shown, page.timers.length], [[], 1]);
});

test('who presses the button sees what was refused', async () => {
  const page = await opened({ answers: [refusedOptions, refusedOptions, refusedOptions] });
  await page.press();
  assert.deepEqual(page.shown, ['Too many attempts.']);
  assert.equal(page.paths.length, 3);
});

test('a passkey that was refused is said, and the browser offers them again', async () => {
  const options = () => json(200, { public_key: {} });
  const refused = () => json(401, { message: 'The passkey was not accepted.' });
  const page = await opened({
    answers: [options, refused],
    credential: async () => ({ toJSON: () => ({}) }),
  });
  assert.deepEqual(page.shown, ['The passkey was not accepted.']);
  assert.equal(page.paths.at(-1), '/auth/passkey-options');
});

test('only a server without an answer cannot be reached', async () => {
  const down = await opened({
    answers: [never, () => Promise.reject(new TypeError('no network'))],
  });
  await down.press();
  assert.deepEqual(down.shown, ['Pager cannot be reached. Try again.']);
  const confused = await opened({
    answers: [never, () => json(200, { public_key: {} })],
    credential: () => Promise.reject(new TypeError('not such options')),
  });
  await confused.press();
  assert.match(confused.shown.join(), /^No passkey was used/);
});
