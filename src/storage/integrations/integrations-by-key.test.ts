import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testSecrets } from '../../../test/api.ts';
import { pagesRead } from '../../../test/pages-read.ts';
import { startRecordsApi } from '../../../test/records-api.ts';
import { silentLog } from '../../engine/log.ts';
import { createShortTokenCompletion } from '../records/short-token-completion.ts';
import { createIntegrationsByKey } from './integrations-by-key.ts';

/** One integration, and a look-up by its keys whose time the test sets. */
async function startLookup() {
  const at = await startRecordsApi();
  const { api, key, sql } = at;
  const id = await at.integration(await at.make('services', { name: 's' }), await at.policy());
  let now = 0;
  const warnings: object[] = [];
  const log = { ...silentLog, warn: (fields: object) => warnings.push(fields) };
  const parts = { sql, secrets: testSecrets, log };
  const tokenOf = async (of = id) =>
    (await api.send(key, `GET /integrations/${of}`)).body.token as string;
  return {
    at,
    id,
    tokenOf,
    warnings,
    recognise: createIntegrationsByKey({ ...parts, nowMs: () => now }),
    complete: createShortTokenCompletion(parts),
    shortTokens: () => sql`select from integration_short_tokens`,
    passTo(ms: number) {
      now = ms;
    },
    async rotate(grace_minutes: number) {
      const before = await tokenOf();
      const path = `POST /integrations/${id}/rotate-token`;
      const { body } = await api.send(key, path, { body: { grace_minutes } });
      const expiresAt = Date.parse(body.previous_token_expires_at);
      return { before, after: body.token as string, expiresAt };
    },
    [Symbol.asyncDispose]: () => at[Symbol.asyncDispose](),
  };
}

const shortOf = (token: string) => token.slice(0, 32);

test('a token and its first 32 characters name the integration, other parts of it none', async () => {
  await using lookup = await startLookup();
  const { id, recognise } = lookup;
  const token = await lookup.tokenOf();
  for (const key of [token, shortOf(token)])
    assert.deepEqual(await recognise(key), {
      organizationId: lookup.at.world.organizationId,
      integrationId: id,
      slug: 'webhook',
      integrationName: 'webhook integration 1',
      mapping: null,
    });
  for (const key of [token.slice(0, 31), token.slice(0, 33), token.slice(8), '', 'x\0'.repeat(16)])
    assert.equal(await recognise(key), null, key);
});

test('the first characters of a rotated token are accepted as long as it is', async () => {
  await using lookup = await startLookup();
  const { id, recognise } = lookup;
  const { before, after, expiresAt } = await lookup.rotate(1);
  lookup.passTo(expiresAt - 1);
  for (const token of [before, after])
    assert.equal((await recognise(shortOf(token)))?.integrationId, id);
  assert.equal(lookup.warnings.length, 1);
  lookup.passTo(expiresAt);
  assert.equal(await recognise(shortOf(before)), null);
  assert.equal((await recognise(shortOf(after)))?.integrationId, id);
});

test('a rotation without a grace ends the first characters too, and of older tokens nothing is kept', async () => {
  await using lookup = await startLookup();
  const first = await lookup.rotate(10);
  const second = await lookup.rotate(10);
  assert.equal(await lookup.recognise(shortOf(first.before)), null);
  assert.notEqual(await lookup.recognise(shortOf(second.before)), null);
  const third = await lookup.rotate(0);
  lookup.passTo(5_000);
  assert.equal(await lookup.recognise(shortOf(third.before)), null);
  assert.notEqual(await lookup.recognise(shortOf(third.after)), null);
  assert.equal((await lookup.shortTokens()).length, 1);
});

test('tokens from before their first characters were stored are completed, and once', async () => {
  await using lookup = await startLookup();
  const { at, id, complete, recognise } = lookup;
  const other = await at.integration(await at.make('services', { name: 't' }), await at.policy());
  const { before, after } = await lookup.rotate(10);
  await at.sql`delete from integration_short_tokens`;
  assert.equal(await recognise(shortOf(after)), null);
  assert.equal(await complete(), 2);
  assert.equal(await complete(), 0);
  assert.equal((await recognise(shortOf(after)))?.integrationId, id);
  assert.equal((await recognise(shortOf(await lookup.tokenOf(other))))?.integrationId, other);
  // Of a token that was rotated before, only the digest is known.
  assert.equal(await recognise(shortOf(before)), null);
});

test('a token that cannot be opened keeps no other from being completed', async () => {
  await using lookup = await startLookup();
  const { at, id, complete, recognise } = lookup;
  const other = await at.integration(await at.make('services', { name: 't' }), await at.policy());
  const token = await lookup.tokenOf(other);
  await at.sql`delete from integration_short_tokens`;
  await at.sql`update integrations set token_encrypted = 'v2:broken' where id = ${id}`;
  await complete();
  assert.equal((await recognise(shortOf(token)))?.integrationId, other);
  assert.equal(lookup.warnings.length, 1);
});

test('a key is looked up by indexes, also where that was planned for small tables', async () => {
  await using lookup = await startLookup();
  const token = await lookup.tokenOf();
  const tables = ['integrations', 'integration_keys', 'integration_short_tokens'];
  const pages = await lookup.at.sql.begin(async (tx) => {
    const read = async () => {
      let all = 0;
      for (const table of tables) all += await pagesRead(tx, table);
      return all;
    };
    const parts = { sql: tx, secrets: testSecrets, nowMs: () => 0, log: silentLog };
    const recognise = createIntegrationsByKey(parts);
    for (let each = 0; each < 10; each++) await recognise(`an-unknown-key-${each}`);
    await tx`
      insert into integrations (
        id, counter, token_digest, organization_id, version, team_id, slug, service_id,
        escalation_policy_id, repeat_escalation, disable_incident_suppression, enabled,
        token_encrypted, created_at, updated_at)
      select
        lpad(to_hex(n), 24, '0'), n + 1, sha256(n::text::bytea), organization_id, version, team_id,
        slug, service_id, escalation_policy_id, repeat_escalation, disable_incident_suppression,
        enabled, token_encrypted, created_at, updated_at
      from integrations, generate_series(1, 5000) n`;
    await tx`
      insert into integration_short_tokens (digest, token_digest, organization_id, integration_id)
      select sha256(token_digest), token_digest, organization_id, id from integrations
      on conflict do nothing`;
    await tx`
      insert into integration_keys (digest, organization_id, id, integration_id, kind, last4, created_at)
      select token_digest, organization_id, id, id, 'opsgenie', 'abcd', created_at
      from integrations`;
    const before = await read();
    assert.notEqual(await recognise(shortOf(token)), null);
    assert.equal(await recognise('an-unknown-key'), null);
    return (await read()) - before;
  });
  // The whole tables have some hundreds.
  assert.ok(pages < 60, `${pages} pages`);
});
