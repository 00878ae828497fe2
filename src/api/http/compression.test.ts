import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { testApi } from '../../../test/api.ts';
import { anyDatabase, testDatabase } from '../../../test/database.ts';
import { seedOrganization } from '../../../test/world.ts';
import { httpLimits } from '../../limits/http.ts';
import { anything } from '../../resources/declaration/field.ts';
import { ok, type Route } from '../route.ts';

const server = await anyDatabase();

test('a large answer is compressed for whoever takes that, unless another site asks', async () => {
  const large = { text: '👩'.repeat(httpLimits.compressedAnswer) };
  const common = { tag: 'x', doc: 'X.', role: 'viewer', method: 'GET' } as const;
  const answers = { status: 200, schema: anything('Whatever it is.') };
  const routes: readonly Route[] = [
    { ...common, answers, path: '/large', handle: async () => ok(large) },
    { ...common, answers, path: '/small', handle: async () => ok({}) },
  ];
  await using database = await testDatabase({ server });
  await using api = await testApi({ sql: database.sql, routes });
  const key = (await seedOrganization(database.sql)).caller();
  await api.send(key, 'GET /small');
  const get = (path: string, more: Readonly<Record<string, string>>) =>
    api.app.inject({ url: `/api/v1${path}`, headers: { 'x-api-key': key.id, ...more } });
  const encodingOf = async (more: Readonly<Record<string, string>>, path = '/large') =>
    (await get(path, more)).headers['content-encoding'];

  const packed = await get('/large', { 'accept-encoding': 'gzip, deflate, br' });
  assert.equal(packed.headers['content-encoding'], 'gzip');
  assert.equal(packed.headers['vary'], 'accept-encoding, sec-fetch-site');
  assert.equal(packed.headers['content-length'], String(packed.rawPayload.length));
  assert.deepEqual(JSON.parse(gunzipSync(packed.rawPayload).toString()), large);
  assert.deepEqual((await get('/large', {})).json(), large);

  const takes = { 'accept-encoding': 'gzip' };
  assert.equal(await encodingOf({ ...takes, 'sec-fetch-site': 'same-origin' }), 'gzip');
  assert.equal(await encodingOf({ ...takes, 'sec-fetch-site': 'cross-site' }), undefined);
  assert.equal(await encodingOf({ ...takes, 'sec-fetch-site': 'none' }), undefined);
  assert.equal(await encodingOf({ 'accept-encoding': 'br, gzip;q=0.5' }), 'gzip');
  assert.equal(await encodingOf({ 'accept-encoding': 'gzip;q=0, br' }), undefined);
  assert.equal(await encodingOf({}), undefined);
  assert.equal(await encodingOf(takes, '/small'), undefined);
});
