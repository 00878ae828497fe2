import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { OWNER, PUBLIC_URL, peopleWorld } from '../../../test/people-world.ts';
import { noSns } from '../../../test/vendors/sns.ts';
import { silentLog } from '../../engine/log.ts';
import { mountHooks, type RecognisedIntegration } from '../events/hooks.ts';
import { Refusal } from '../failures.ts';
import { limitGuesses } from '../http/guesses.ts';

after(() => world[Symbol.asyncDispose]());
const world = await peopleWorld();
const { app } = world;
const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
const form = { ...browser, 'content-type': 'application/x-www-form-urlencoded' };
mountHooks(app, {
  intake: { enter: () => null, receive: () => assert.fail('nothing is received here') },
  typeOf: () => undefined,
  sns: noSns,
  log: silentLog,
  refusals: { async note() {} },
  recognise: limitGuesses(async (): Promise<RecognisedIntegration | null> => null, {
    clock: { now: () => Temporal.Now.instant() },
  }),
});
for (const code of ['forbidden', 'rate_limited', 'unavailable', 'gone'] as const)
  app.get(`/refused/${code}`, () => {
    throw new Refusal(code, { message: `<${code}>` });
  });
app.get('/broken', () => {
  throw new Error('a secret of ours');
});

const open = (url: string, headers: Record<string, string> = browser) =>
  app.inject({ method: 'GET', url, headers });

test('every refusal that a browser shows is a page', async () => {
  const pages = {
    '/nowhere': [404, 'Not found'],
    '/api/v1/users': [401, 'Sign in first'],
    '/refused/forbidden': [403, 'Not allowed'],
    '/refused/rate_limited': [429, 'Too many requests'],
    '/refused/unavailable': [503, 'Temporarily unavailable'],
    '/refused/gone': [410, 'No longer available'],
    '/broken': [500, 'Something went wrong'],
    [`/hooks/${'0'.repeat(40)}/push-events`]: [405, 'Method not allowed'],
  } as const;
  for (const [url, [status, title]] of Object.entries(pages)) {
    const answer = await open(url);
    assert.equal(answer.statusCode, status, url);
    assert.match(String(answer.headers['content-type']), /^text\/html/);
    assert.match(String(answer.headers['content-security-policy']), /default-src 'none'/);
    assert.equal(answer.headers['cache-control'], 'no-store');
    assert.ok(answer.body.includes(`<h1>${title}</h1>`), answer.body);
    assert.doesNotMatch(answer.body, /"error"|a secret of ours|<forbidden>/);
  }
  assert.match((await open('/api/v1/users')).body, /href="\/sign-in\?next=/);
});

test('a form that is refused is answered with a page, which says what is wrong', async () => {
  const headers = { ...form, origin: PUBLIC_URL };
  const payload = new URLSearchParams({ email: OWNER.email }).toString();
  const answer = await app.inject({ method: 'POST', url: '/auth/sign-in', payload, headers });
  assert.equal(answer.statusCode, 422);
  assert.match(answer.body, /<li>password is required<\/li>/);
});

test('who signs in where PAGER_PUBLIC_URL is not is told which setting to change', async () => {
  const headers = { ...form, origin: 'http://10.0.0.5:8080', host: '10.0.0.5:8080' };
  const payload = new URLSearchParams(OWNER).toString();
  const answer = await app.inject({ method: 'POST', url: '/auth/sign-in', payload, headers });
  assert.equal(answer.statusCode, 403);
  assert.match(answer.body, /at http:\/\/10\.0\.0\.5:8080, set PAGER_PUBLIC_URL to that address/);
  assert.match(answer.body, /open Pager at https:\/\/pager\.example\.com\./);
});

test('programs get JSON, those too that ask for HTML without meaning it', async () => {
  const java = 'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2';
  const url = `/hooks/${'0'.repeat(40)}/push-events`;
  const answers = [
    await open('/nowhere', { accept: '*/*' }),
    await open('/nowhere', {}),
    await open('/api/v1/nothing', { accept: java, 'x-api-key': world.first.key }),
    await open('/api/v1/users', { accept: java, authorization: 'Bearer pgr_wrong' }),
    await app.inject({ method: 'POST', url, payload: 'x', headers: { ...form, accept: java } }),
    await app.inject({
      method: 'POST',
      url: '/auth/sign-in',
      payload: {},
      headers: { accept: java },
    }),
  ];
  for (const { body } of answers) assert.equal(typeof JSON.parse(body).error, 'string');
});
