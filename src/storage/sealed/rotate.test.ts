import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { anyDatabase, testDatabase } from '../../../test/database.ts';
import { noon } from '../../../test/incident-life.ts';
import { seedIntegration, seedWebhook } from '../../../test/monitoring.ts';
import { seedOrganization } from '../../../test/world.ts';
import { silentLog } from '../../engine/log.ts';
import { sealing } from '../secrets.ts';
import { bindSealed } from './bind.ts';
import { claimInstallation, readInstallation } from './installation.ts';
import { rotateSecretKey } from './rotate.ts';
import { addressContext, rowContext } from './sealed-columns.ts';

const anyKey = () => randomBytes(32).toString('hex');

test('what was sealed as equal is equal with the new key', async () => {
  await using database = await testDatabase({ server: await anyDatabase() });
  const { sql } = database;
  const [from, to] = [anyKey(), anyKey()];
  const secrets = await claimInstallation(sql, from);
  await bindSealed(sql, { secretKey: from, secrets, log: silentLog });
  const { organizationId, teams } = await seedOrganization(sql);
  const place = { organizationId, teamId: teams['ops'] ?? '', now: noon };
  const seal = sealing(secrets, addressContext(organizationId));
  const targets = ['https://one.test', 'https://two.test', 'https://one.test'].map((url) => ({
    ...{ via: 'slack' as const, webhook_url: seal(url) },
  }));
  assert.deepEqual(targets[0], targets[2]);
  await seedIntegration(sql, place, { steps: [{ targets }] });
  await rotateSecretKey(sql, { from, to });
  const [row] = await sql<{ steps: typeof targets }[]>`
    select steps -> 0 -> 'targets' as steps from escalation_policies
    where organization_id = ${organizationId}`;
  const [one, two, again] = row?.steps ?? [];
  assert.notDeepEqual(one, targets[0]);
  assert.deepEqual(again, one);
  assert.notDeepEqual(two, one);
});

test('what the old key cannot open is told and left; the lasting keys stay', async () => {
  await using database = await testDatabase({ server: await anyDatabase() });
  const { sql } = database;
  const [from, to] = [anyKey(), anyKey()];
  const before = await claimInstallation(sql, from);
  await assert.rejects(rotateSecretKey(sql, { from, to }), /older version/);
  await bindSealed(sql, { secretKey: from, secrets: before, log: silentLog });
  const { organizationId, teams } = await seedOrganization(sql);
  const place = { organizationId, teamId: teams['ops'] ?? '', now: noon };
  const options = { secrets: before, url: 'https://one.test' };
  const whole = await seedWebhook(sql, place, options);
  const broken = await seedWebhook(sql, place, options);
  await sql`update outbound_webhooks set url = 'v2:broken' where id = ${broken}`;

  const { sealed, unreadable } = await rotateSecretKey(sql, { from, to });
  const placeOf = (id: string) => rowContext('outbound_webhooks.url', organizationId, id);
  assert.deepEqual([sealed, unreadable], [1, [placeOf(broken)]]);
  await assert.rejects(readInstallation(sql, from), /another secret key/);
  const after = await readInstallation(sql, to);
  assert.deepEqual([after.digest('a'), after.mac('a')], [before.digest('a'), before.mac('a')]);
  const rows = await sql<{ id: string; url: string }[]>`select id, url from outbound_webhooks`;
  const urlOf = (id: string) => rows.find((row) => row.id === id)?.url ?? '';
  assert.equal(after.open(urlOf(whole), placeOf(whole)), 'https://one.test');
  assert.equal(urlOf(broken), 'v2:broken');
});
