import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testSecrets } from '../../test/api.ts';
import { startRecordsApi } from '../../test/records-api.ts';
import { createIntegrationsByToken } from './integrations-by-token.ts';

test('a token names its integration, an archived one too, and another names none', async () => {
  await using at = await startRecordsApi();
  const { api, key, sql } = at;
  const id = await at.integration(await at.make('services', { name: 's' }), await at.policy());
  const { token } = (await api.send(key, `GET /integrations/${id}`)).body;
  await api.send(key, `DELETE /integrations/${id}`);
  const recognise = createIntegrationsByToken(sql, testSecrets, () => 0);
  const known = await recognise(token);
  assert.deepEqual([known?.integrationId, known?.slug], [id, 'webhook']);
  assert.equal(known?.integrationName, 'webhook integration 1');
  assert.equal(await recognise('0'.repeat(40)), null);
});

test('what an integration is called is remembered for five seconds', async () => {
  await using at = await startRecordsApi();
  const { api, key, sql } = at;
  const id = await at.integration(await at.make('services', { name: 's' }), await at.policy());
  const { token } = (await api.send(key, `GET /integrations/${id}`)).body;
  let now = 0;
  const recognise = createIntegrationsByToken(sql, testSecrets, () => now);
  await recognise(token);
  await api.send(key, `PATCH /integrations/${id}`, { body: { slug: 'email', name: 'Backups' } });
  now = 4_999;
  assert.equal((await recognise(token))?.slug, 'webhook');
  now = 5_000;
  const known = await recognise(token);
  assert.deepEqual([known?.slug, known?.integrationName], ['email', 'Backups']);
});
