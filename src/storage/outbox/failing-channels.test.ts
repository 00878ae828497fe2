import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cacheFor } from '../../../test/configuration.ts';
import { anyDatabase } from '../../../test/database.ts';
import { noon } from '../../../test/incident-life.ts';
import { noFaults as faults } from '../../../test/no-faults.ts';
import { startShiftDelivery } from '../../../test/shift-delivery.ts';
import { seedOrganization } from '../../../test/world.ts';
import { systemClock } from '../../engine/clock.ts';
import { createIds } from '../../engine/ids.ts';
import { afterCheck, afterSend } from '../../engine/sending/connection-health.ts';
import { compose } from '../../notices/queued.ts';
import { noteChannelHealth } from '../health/channel-health.ts';
import { notifyOfFailingChannels } from './failing-channels.ts';

const people = {
  users: [{ name: 'ada' }, { name: 'admin', role: 'admin' }, { name: 'owner', role: 'owner' }],
} as const;
const after = (minutes: number) => noon.add({ minutes });
const day = 24 * 60;

async function start(stack: AsyncDisposableStack) {
  const delivery = stack.use(await startShiftDelivery(await anyDatabase(), people));
  const { sql, secrets, ledger, world } = delivery;
  const parts = {
    sql,
    secrets,
    faults,
    ids: createIds(systemClock),
    configurations: cacheFor('email', 'push-notification', 'telegram', 'sms', 'phone'),
  };
  const contact = async (userId: string, channel: string) => {
    await sql`
      insert into contacts (organization_id, id, user_id, channel, address, verified_at, created_at)
      select organization_id, ${createIds(systemClock).next()}, id, ${channel}, ${`at ${channel}`},
        ${noon}, ${noon} from users where id = ${userId}`;
  };
  return {
    sql,
    ledger,
    world,
    contact,
    email: (minutes: number, reason: string | null) =>
      noteChannelHealth(sql, {
        of: { organizationId: null, channel: 'email', service: '' },
        now: after(minutes),
        change: (health) => afterCheck(health, { reason }, after(minutes)),
      }),
    push: (minutes: number, organizationId: string) =>
      noteChannelHealth(sql, {
        of: { organizationId, channel: 'push-notification', service: 'push.example' },
        now: after(minutes),
        change: (health) =>
          afterSend(health, { kind: 'refusal', reason: 'push.example refuses' }, after(minutes)),
      }),
    async notifyAt(minutes: number) {
      const notified = await notifyOfFailingChannels(parts, after(minutes));
      return notified
        .map(({ organization_id, channel, isNotified }) => {
          const whose = organization_id === world.organizationId ? 'ours' : 'theirs';
          return `${channel} of ${whose}${isNotified ? '' : ', nobody'}`;
        })
        .sort();
    },
    async notified() {
      const rows = await sql<{ text: string }[]>`
        select concat(notice->>'recipient', ' by ', channel) as text
        from outbox where kind = 'channel_failing' order by key`;
      return rows.map(({ text }) => text).sort();
    },
  };
}

test('once e-mail has failed for ten minutes, admins are notified by what works, and never by e-mail', async () => {
  await using stack = new AsyncDisposableStack();
  const { sql, ledger, world, contact, email, notifyAt, notified } = await start(stack);
  const { admin = '', owner = '', ada = '' } = world.users;
  for (const channel of ['push-notification', 'telegram']) await contact(admin, channel);
  for (const channel of ['phone', 'sms', 'telegram']) await contact(owner, channel);
  await contact(ada, 'push-notification');
  await sql`update users set timezone = 'Asia/Tokyo', language = 'de' where role in ('admin', 'owner')`;
  await email(0, 'the certificate is not trusted');
  assert.deepEqual(await notifyAt(9), []);
  assert.deepEqual(await notifyAt(10), ['email of ours']);
  assert.deepEqual(await notified(), [
    'admin Example by push-notification',
    'owner Example by telegram',
  ]);
  const request = { now: after(10), leaseUntil: after(11), limit: 1, busy: [], perRecipient: 1 };
  const [notice] = await ledger.transact((tx) => tx.claim(request, () => null));
  assert.ok(notice?.about === 'channel');
  const { since, ...failing } = notice.failing;
  assert.deepEqual(failing, {
    channel: 'email',
    service: '',
    reason: 'the certificate is not trusted',
  });
  assert.equal(`${since}`, `${noon}`);
  assert.equal(notice.why, 'you are an admin of the organization');
  assert.deepEqual([notice.timezone, notice.language], ['Asia/Tokyo', 'de']);
  // A warning quotes others in English, and so is in English whole.
  const composed = compose(notice, { publicUrl: '', linkFor: () => '', handleFor: () => '' });
  assert.equal(composed.language, undefined);
  const counted = await sql`select from alert_usage`;
  assert.equal(counted.length, 0);
});

test('each organization hears of the mail server, once a day; where nobody can be notified that is known', async () => {
  await using stack = new AsyncDisposableStack();
  const { sql, world, contact, email, notifyAt, notified } = await start(stack);
  await seedOrganization(sql, { name: 'Other', users: [{ name: 'eve', role: 'owner' }] });
  await contact(world.users['admin'] ?? '', 'push-notification');
  await email(0, 'timed out');
  assert.deepEqual(await notifyAt(10), ['email of ours', 'email of theirs, nobody']);
  assert.deepEqual(await notifyAt(11), []);
  await email(20, null);
  assert.deepEqual(await notifyAt(30), [], 'it works');
  await email(40, 'timed out');
  assert.deepEqual(await notifyAt(10 + day - 1), []);
  assert.deepEqual(await notifyAt(10 + day), ['email of ours', 'email of theirs, nobody']);
  assert.equal((await notified()).length, 2);
});

test('of a push service that refuses an organization, its admins alone are notified, by e-mail', async () => {
  await using stack = new AsyncDisposableStack();
  const { sql, world, contact, push, email, notifyAt, notified } = await start(stack);
  await seedOrganization(sql, { name: 'Other', users: [{ name: 'eve', role: 'owner' }] });
  for (const id of Object.values(world.users)) await contact(id, 'push-notification');
  await push(0, world.organizationId);
  assert.deepEqual(await notifyAt(10), ['push-notification of ours']);
  const byMail = ['admin Example by email', 'owner Example by email'];
  assert.deepEqual(await notified(), byMail);
  // With both failing neither is of use.
  await email(11, 'timed out');
  await contact(world.users['owner'] ?? '', 'sms');
  assert.deepEqual(await notifyAt(21), ['email of ours', 'email of theirs, nobody']);
  assert.deepEqual(await notified(), [...byMail, 'owner Example by sms']);
  // A bare verb acts only if the last thing that was sent to its number was a page.
  const [bySms] = await sql`select user_id from outbox where channel = 'sms'`;
  assert.equal(bySms?.['user_id'], world.users['owner']);
});

test('of several servers one notifies', async () => {
  await using stack = new AsyncDisposableStack();
  const { world, push, notifyAt, notified } = await start(stack);
  await push(0, world.organizationId);
  const rounds = await Promise.all([notifyAt(10), notifyAt(10), notifyAt(10)]);
  assert.deepEqual(rounds.flat(), ['push-notification of ours']);
  assert.equal((await notified()).length, 2);
});
