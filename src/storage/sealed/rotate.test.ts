import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { anyDatabase, testDatabase } from '../../../test/database.ts';
import { noon } from '../../../test/incident-life.ts';
import { seedIntegration, seedWebhook } from '../../../test/monitoring.ts';
import { buildSecrets } from '../../../test/secrets.ts';
import { seedOrganization } from '../../../test/world.ts';
import { systemClock } from '../../engine/clock.ts';
import { createIds } from '../../engine/ids.ts';
import { silentLog } from '../../engine/log.ts';
import { subscriptionAddress } from '../../resources/push.ts';
import { createPushDevices } from '../people/push-devices.ts';
import { bindSealed } from './bind.ts';
import { claimInstallation, readInstallation } from './installation.ts';
import { rotateSecretKey } from './rotate.ts';
import { addressContext, rowContext } from './sealed-columns.ts';
import { sealing } from './secrets.ts';
import { claimVapidKey } from './vapid-key.ts';

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
    via: 'slack' as const,
    webhook_url: seal(url),
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

test('pushes go on with the new key: that of browser push is the same, and devices are read', async () => {
  await using database = await testDatabase({ server: await anyDatabase() });
  const { sql } = database;
  const [from, to] = [anyKey(), anyKey()];
  const secrets = await claimInstallation(sql, from);
  await bindSealed(sql, { secretKey: from, secrets, log: silentLog });
  const before = await claimVapidKey(sql, secrets, silentLog);
  const seeded = await seedOrganization(sql, { users: [{ name: 'ada' }] });
  const [organization_id, user_id] = [seeded.organizationId, seeded.users['ada'] ?? ''];
  const ids = createIds(systemClock);
  const id = ids.next();
  const keys = { p256dh: 'B'.repeat(87), auth: 'a'.repeat(22) };
  const subscription = { endpoint: 'https://push.test/send', keys };
  await sql`insert into contacts ${sql({
    organization_id,
    user_id,
    id,
    channel: 'push-notification',
    address: 'Firefox',
    verified_at: noon,
    created_at: noon,
    subscription_encrypted: secrets.seal(
      subscriptionAddress(subscription),
      rowContext('contacts.subscription_encrypted', organization_id, id),
    ),
  })}`;
  await rotateSecretKey(sql, { from, to });
  const after = await readInstallation(sql, to);
  const key = await claimVapidKey(sql, after, silentLog);
  assert.ok(key.equals(before));
  const parts = { sql, log: silentLog, lost: async () => undefined };
  const [device] = await createPushDevices({ ...parts, secrets: after }).of(
    organization_id,
    user_id,
  );
  assert.deepEqual(device?.subscription, subscription);
  assert.deepEqual(await createPushDevices({ ...parts, secrets }).of(organization_id, user_id), []);
});

test('a key of browser push that cannot be read is made anew, once', async () => {
  await using database = await testDatabase({ server: await anyDatabase() });
  const { sql } = database;
  const lost = await claimVapidKey(sql, buildSecrets(anyKey()), silentLog);
  const { organizationId, users } = await seedOrganization(sql, { users: [{ name: 'ada' }] });
  const ids = createIds(systemClock);
  const contact = {
    organization_id: organizationId,
    user_id: users['ada'] ?? '',
    verified_at: noon,
    created_at: noon,
  };
  const device = { id: ids.next(), channel: 'push-notification', address: 'Firefox' };
  await sql`insert into contacts
    ${sql({ ...contact, ...device, subscription_encrypted: 'sealed' })}`;
  await sql`insert into contacts
    ${sql({ ...contact, id: ids.next(), channel: 'sms', address: '+4930123456' })}`;
  const secrets = buildSecrets(anyKey());
  const made = await claimVapidKey(sql, secrets, silentLog);
  assert.equal(made.equals(lost), false);
  const states = () => sql`
    select channel, verified_at is not null as verified, state, state_reason from contacts
    where user_id = ${contact.user_id} and channel <> 'email' order by channel`;
  const gone = { state: 'gone', state_reason: 'The server has another key for pushes.' };
  const expected = [
    { channel: 'push-notification', verified: false, ...gone },
    { channel: 'sms', verified: true, state: null, state_reason: null },
  ];
  assert.deepEqual([...(await states())], expected);
  await sql`update contacts set verified_at = ${noon} where id = ${device.id}`;
  assert.ok(made.equals(await claimVapidKey(sql, secrets, silentLog)));
  const [after] = await states();
  assert.equal(after?.['verified'], true, 'subscribed anew, it stays');
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
