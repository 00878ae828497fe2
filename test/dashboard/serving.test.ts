// How the built dashboard is handed out, without a browser: forms, caching, what pages may load.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import fastify from 'fastify';
import { mountLastWorker } from '../../src/api/pages/dashboard.ts';
import { PREVIOUS_ASSETS, readDashboard } from '../../src/api/pages/dashboard-files.ts';
import { anyDatabase } from '../database.ts';
import { type InProcess, startInProcess } from '../system/in-process.ts';
import { built } from './built.ts';

const password = 'a password for tests';
let server: InProcess;
let cookie = '';

before(async () => {
  await built();
  server = await startInProcess(await anyDatabase(), { PAGER_BOOTSTRAP_PASSWORD: password });
  const signedIn = await fetch(`${server.url}/auth/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'owner@example.test', password }),
  });
  cookie = signedIn.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
});
after(() => server?.[Symbol.asyncDispose]());

type Headers = Readonly<Record<string, string>>;

/** Nothing of it is unpacked or followed. */
function get(path: string, headers: Headers = {}) {
  type Got = { status: number; headers: Record<string, unknown>; body: Buffer };
  return new Promise<Got>((resolve, reject) => {
    const call = request(`${server.url}${path}`, { headers }, async (response) => {
      const body = Buffer.concat(await response.toArray());
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
    });
    call.on('error', reject).end();
  });
}

async function assetOf(pattern: RegExp): Promise<string> {
  const page = await get('/incidents', { cookie });
  return pattern.exec(page.body.toString())?.[1] ?? assert.fail('the page does not name it');
}

test('the page is for who is signed in, is asked for each time, and loads nothing from elsewhere', async () => {
  const stranger = await get('/incidents?tab=all');
  assert.equal(stranger.status, 303);
  assert.equal(stranger.headers['location'], '/sign-in?next=%2Fincidents%3Ftab%3Dall');
  const home = await get('/', { cookie });
  assert.deepEqual([home.status, home.headers['location']], [303, '/incidents']);
  const page = await get('/incidents', { cookie });
  assert.equal(page.status, 200);
  assert.equal(page.headers['cache-control'], 'no-cache');
  const policy = String(page.headers['content-security-policy']);
  assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self';/);
  assert.match(policy, /require-trusted-types-for 'script'/);
  assert.doesNotMatch(policy, /unsafe/);
  const again = await get('/incidents', { cookie, 'if-none-match': String(page.headers['etag']) });
  assert.deepEqual([again.status, again.body.length], [304, 0]);
});

test('an asset is kept for good, in the smallest form that is taken', async () => {
  const path = await assetOf(/src="(\/assets\/index-[^"]+\.js)"/);
  const plain = await get(path);
  assert.equal(plain.status, 200);
  assert.equal(plain.headers['cache-control'], 'public, max-age=31536000, immutable');
  assert.equal(plain.headers['content-type'], 'text/javascript; charset=utf-8');
  const packed = await get(path, { 'accept-encoding': 'gzip, deflate, br' });
  assert.equal(packed.headers['content-encoding'], 'br');
  const older = await get(path, { 'accept-encoding': 'gzip' });
  assert.equal(older.headers['content-encoding'], 'gzip');
  assert.ok(packed.body.length < older.body.length && older.body.length < plain.body.length);
});

test('a phone can put it on its home screen: manifest and icons need no session', async () => {
  const manifest = await get(await assetOf(/rel="manifest" href="([^"]+)"/));
  assert.equal(manifest.headers['content-type'], 'application/manifest+json');
  const { start_url, icons, shortcuts } = JSON.parse(manifest.body.toString());
  for (const url of [start_url, ...shortcuts.map(({ url }: { url: string }) => url)])
    assert.equal((await get(url, { cookie })).status, 200, url);
  const touchIcon = await assetOf(/rel="apple-touch-icon" href="([^"]+)"/);
  const sizes = icons.map(({ src, sizes }: { src: string; sizes: string }) => [src, sizes]);
  for (const [src, size] of [...sizes, [touchIcon, '180x180']]) {
    const { headers, body } = await get(src);
    assert.equal(headers['content-type'], 'image/png');
    assert.equal(`${body.readUInt32BE(16)}x${body.readUInt32BE(20)}`, size, src);
  }
});

test('the service worker needs no session, is asked for each time, and keeps nothing', async () => {
  const worker = await get('/sw.js');
  assert.equal(worker.headers['content-type'], 'text/javascript; charset=utf-8');
  assert.equal(worker.headers['cache-control'], 'no-cache');
  assert.equal(worker.headers['content-security-policy'], "default-src 'none'; connect-src 'self'");
  assert.doesNotMatch(worker.body.toString(), /\bcaches\b/);
  const page = await get('/incidents', { cookie });
  assert.match(String(page.headers['content-security-policy']), /worker-src 'self'.*types pager$/);
});

test('where there is no dashboard any more, the worker removes itself', async () => {
  await using app = fastify();
  mountLastWorker(app);
  const { headers, body } = await app.inject('/sw.js');
  assert.equal(headers['content-type'], 'text/javascript; charset=utf-8');
  assert.match(body, /registration\.unregister\(\)/);
});

test('an address without a page keeps the frame for who is signed in, and a program its answer', async () => {
  const accept = 'text/html';
  const known = (await get('/incidents', { cookie })).headers['etag'];
  const lost = await get('/no/such/page', { cookie, accept, 'if-none-match': String(known) });
  assert.equal(lost.status, 404);
  assert.match(String(lost.headers['content-security-policy']), /types pager$/);
  assert.match(lost.body.toString(), /<div id="root">/);
  assert.doesNotMatch((await get('/no/such/page', { accept })).body.toString(), /id="root"/);
  for (const [path, headers] of [
    ['/no/such/page', { cookie }],
    ['/api/v1/nothing', { cookie, accept }],
  ] as const) {
    const { status, body } = await get(path, headers);
    assert.equal(status, 404);
    assert.doesNotMatch(body.toString(), /id="root"/, path);
  }
});

test('an asset that is not there is 404, and no page', async () => {
  const missing = await get('/assets/index-gone.js');
  assert.deepEqual(
    [missing.status, missing.headers['content-type']],
    [404, 'application/json; charset=utf-8'],
  );
  for (const path of ['/assets/..%2findex.html', '/assets/%2e%2e/index.html', '/assets/'])
    assert.equal((await get(path)).status, 404, path);
});

test('assets of the build before are there too', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pager-dashboard-'));
  const before = join(folder, PREVIOUS_ASSETS);
  for (const each of [before, join(folder, 'assets')]) await mkdir(each);
  await writeFile(join(folder, 'index.html'), 'new');
  for (const [path, text] of [
    [join(before, 'people-old.js'), 'old'],
    [join(before, 'same.js'), 'old'],
    [join(folder, 'assets', 'same.js'), 'new'],
  ] as const)
    await writeFile(path, text);
  const { assets } = (await readDashboard(folder)) ?? assert.fail();
  const texts = [...assets].map(([name, { bytes }]) => `${name} ${bytes}`).sort();
  assert.deepEqual(texts, ['people-old.js old', 'same.js new']);
  await rm(folder, { recursive: true });
});

test('a folder without a build has no dashboard', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pager-dashboard-'));
  assert.equal(await readDashboard(folder), null);
  await rm(folder, { recursive: true });
});
