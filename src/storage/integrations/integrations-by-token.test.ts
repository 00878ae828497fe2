import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testSecrets } from '../../../test/api.ts';
import { pagesRead } from '../../../test/pages-read.ts';
import { startRecordsApi } from '../../../test/records-api.ts';
import { silentLog } from '../../engine/log.ts';
import { createIntegrationsByToken } from './integrations-by-token.ts';

const minute = 60_000;

/** One integration, and a look-up by its tokens whose time the test sets. */
async function startLookup() {
  const at = await startRecordsApi();
  const { api, key, sql } = at;
  const id = await at.integration(await at.make('services', { name: 's' }), await at.policy());
  const warnings: object[] = [];
  const log = { ...silentLog, warn: (fields: object) => warnings.push(fields) };
  let now = 0;
  const read = async () => (await api.send(key, `GET /integrations/${id}`)).body;
  return {
    at,
    id,
    warnings,
    read,
    recognise: createIntegrationsByToken({ sql, secrets: testSecrets, nowMs: () => now, log }),
    passTo(ms: number) {
      now = ms;
    },
    async rotate(grace_minutes: number) {
      const { token } = await read();
      const path = `POST /integrations/${id}/rotate-token`;
      const answer = await api.send(key, path, { body: { grace_minutes } });
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      const expiry = answer.body.previous_token_expires_at;
      return { before: token, after: answer.body.token, expiresAt: Date.parse(expiry) };
    },
    [Symbol.asyncDispose]: () => at[Symbol.asyncDispose](),
  };
}

test('a token names its integration, an archived one too, and another names none', async () => {
  await using lookup = await startLookup();
  const { at, id, recognise } = lookup;
  const { token } = await lookup.read();
  await at.api.send(at.key, `DELETE /integrations/${id}`);
  const known = await recognise(token);
  assert.deepEqual([known?.integrationId, known?.slug], [id, 'webhook']);
  assert.equal(known?.integrationName, 'webhook integration 1');
  assert.equal(await recognise('0'.repeat(40)), null);
});

test('what an integration is called is remembered for five seconds', async () => {
  await using lookup = await startLookup();
  const { at, id, recognise } = lookup;
  const { token } = await lookup.read();
  await recognise(token);
  const body = { slug: 'email', name: 'Backups' };
  await at.api.send(at.key, `PATCH /integrations/${id}`, { body });
  lookup.passTo(4_999);
  assert.equal((await recognise(token))?.slug, 'webhook');
  lookup.passTo(5_000);
  const known = await recognise(token);
  assert.deepEqual([known?.slug, known?.integrationName], ['email', 'Backups']);
});

test('after a rotation both tokens name the integration, the previous one until it expires', async () => {
  await using lookup = await startLookup();
  const { id, recognise } = lookup;
  const { before, after, expiresAt } = await lookup.rotate(1);
  lookup.passTo(expiresAt - 1);
  for (const token of [before, after]) assert.equal((await recognise(token))?.integrationId, id);
  lookup.passTo(expiresAt);
  assert.equal(await recognise(before), null);
  assert.equal((await recognise(after))?.integrationId, id);
});

test('a second rotation ends the oldest token, and one without a grace the previous one', async () => {
  await using lookup = await startLookup();
  const first = await lookup.rotate(10);
  const second = await lookup.rotate(10);
  assert.equal(second.before, first.after);
  lookup.passTo(second.expiresAt - 1);
  const namesNone = async (token: string) => (await lookup.recognise(token)) === null;
  assert.equal(await namesNone(first.before), true);
  assert.equal(await namesNone(second.before), false);
  const third = await lookup.rotate(0);
  assert.equal(await namesNone(third.before), true);
  assert.equal(await namesNone(third.after), false);
});

test('a token that a rotation ended is taken for five seconds more by a server that has it cached', async () => {
  await using lookup = await startLookup();
  const { token } = await lookup.read();
  await lookup.recognise(token);
  await lookup.rotate(0);
  lookup.passTo(4_999);
  assert.notEqual(await lookup.recognise(token), null);
  lookup.passTo(5_000);
  assert.equal(await lookup.recognise(token), null);
});

test('the log warns once an hour of a previous token that is still used', async () => {
  await using lookup = await startLookup();
  const { id, recognise, warnings } = lookup;
  const { before, after, expiresAt } = await lookup.rotate(120);
  const start = expiresAt - 120 * minute;
  for (const passed of [0, 5_000, 59 * minute]) {
    lookup.passTo(start + passed);
    for (const token of [before, after]) await recognise(token);
  }
  const previous_token_expires_at = Temporal.Instant.fromEpochMilliseconds(expiresAt).toString();
  const warning = { integration_id: id, name: 'webhook integration 1', previous_token_expires_at };
  assert.deepEqual(warnings, [warning]);
  lookup.passTo(start + 60 * minute);
  await recognise(before);
  assert.deepEqual(warnings, [warning, warning]);
});

test('a token is looked up by its index, also where that was planned for a small table', async () => {
  await using lookup = await startLookup();
  const pages = await lookup.at.sql.begin(async (tx) => {
    const parts = { sql: tx, secrets: testSecrets, nowMs: () => 0, log: silentLog };
    const recognise = createIntegrationsByToken(parts);
    await recognise('0'.repeat(40));
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
    const before = await pagesRead(tx, 'integrations');
    await recognise('0'.repeat(40));
    return (await pagesRead(tx, 'integrations')) - before;
  });
  // The whole table has some hundreds.
  assert.ok(pages < 20, `${pages} pages`);
});
