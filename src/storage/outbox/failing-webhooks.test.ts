import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cacheFor } from '../../../test/configuration.ts';
import { databases } from '../../../test/database.ts';
import { later, noon } from '../../../test/incident-life.ts';
import { noFaults as faults } from '../../../test/no-faults.ts';
import { type Delivery, startShiftDelivery } from '../../../test/shift-delivery.ts';
import { buildShiftIntent } from '../../../test/shift-intent.ts';
import { systemClock } from '../../engine/clock.ts';
import { createIds } from '../../engine/ids.ts';
import { notifyOfFailingWebhooks } from './failing-webhooks.ts';

const people = {
  users: [
    { name: 'ada' },
    { name: 'admin', role: 'admin' },
    { name: 'owner', role: 'owner' },
    { name: 'left', role: 'admin', active: false },
  ],
} as const;
const hours = (count: number) => later(count * 60);
const days = (count: number) => hours(count * 24);

/** One call of the webhook, made at this time, and what came of it. */
async function call(
  delivery: Delivery,
  webhookId: string,
  { at, state }: { at: Temporal.Instant; state: 'sent' | 'failed' },
): Promise<void> {
  const key = `${webhookId} at ${at}`;
  const channel = 'webhook';
  await delivery.insert([buildShiftIntent('shift_end', { key, channel, address: webhookId })], at);
  await delivery.ledger.transact(async (tx) => {
    const limits = { limit: 100, busy: [], perRecipient: 100 };
    const request = { ...limits, now: at, leaseUntil: at.add({ minutes: 1 }) };
    const claimed = await tx.claim(request, ({ about }) =>
      about === 'call' ? null : { reason: 'not now', entry: null },
    );
    const ended = { finishedAt: at, reason: null, answer: null, status: 500, entry: null };
    await tx.finish(claimed.map((one) => ({ ...ended, claimed: one, state, wakeAt: null })));
  });
}
const fail = (delivery: Delivery, id: string, at: Temporal.Instant) =>
  call(delivery, id, { at, state: 'failed' });
const succeed = (delivery: Delivery, id: string, at: Temporal.Instant) =>
  call(delivery, id, { at, state: 'sent' });

/** Who has been told by this time of which webhook, and since when it fails. */
async function notificationsAt({ sql, secrets }: Delivery, now: Temporal.Instant) {
  const configurations = cacheFor('email');
  await notifyOfFailingWebhooks(
    { sql, ids: createIds(systemClock), secrets, configurations, faults },
    now,
  );
  const rows = await sql<{ text: string }[]>`
    select concat(notice->>'recipient', ': ', notice->'failing'->>'name', ' since ',
      notice->'failing'->>'since') as text
    from outbox where kind = 'webhook_failing' order by key`;
  return rows.map(({ text }) => text).sort();
}

type Case = (delivery: Delivery, id: string) => Promise<void>;
const suite: Readonly<Record<string, Case>> = {
  async 'after three days without a success the team’s admins are told, once'(delivery, id) {
    await fail(delivery, id, noon);
    assert.deepEqual(await notificationsAt(delivery, hours(71)), []);
    const all = [`admin Example: Hook since ${noon}`, `owner Example: Hook since ${noon}`];
    assert.deepEqual(await notificationsAt(delivery, hours(72)), all);
    for (const at of [hours(73), days(9)]) {
      await fail(delivery, id, at);
      assert.deepEqual(await notificationsAt(delivery, at), all);
    }
  },

  async 'one success ends the time, and three more days are told anew'(delivery, id) {
    await fail(delivery, id, noon);
    await succeed(delivery, id, hours(71));
    await fail(delivery, id, hours(72));
    assert.deepEqual(await notificationsAt(delivery, hours(73)), []);
    assert.equal((await notificationsAt(delivery, days(6))).length, 2);
    await succeed(delivery, id, days(7));
    await fail(delivery, id, days(8));
    assert.equal((await notificationsAt(delivery, days(10))).length, 2);
    assert.equal((await notificationsAt(delivery, days(11))).length, 4);
  },

  async 'a webhook that works says nothing of one that fails'(delivery, id) {
    const other = await delivery.webhook({ url: 'http://127.0.0.1:1/', name: 'Other' });
    await fail(delivery, id, noon);
    await fail(delivery, other, noon);
    await succeed(delivery, other, days(3));
    const webhooks = (await notificationsAt(delivery, days(3))).map((one) =>
      one.replace(/^.*?: /, ''),
    );
    assert.deepEqual(new Set(webhooks), new Set([`Hook since ${noon}`]));
  },

  async 'nobody is told of an archived webhook'(delivery, id) {
    await fail(delivery, id, noon);
    await delivery.sql`update outbound_webhooks set archived_at = ${noon}`;
    assert.deepEqual(await notificationsAt(delivery, days(3)), []);
  },

  async 'a team without admins of its own has the owners told'(delivery, id) {
    await delivery.sql`delete from team_members`;
    await fail(delivery, id, noon);
    assert.deepEqual(await notificationsAt(delivery, days(3)), [
      `owner Example: Hook since ${noon}`,
    ]);
  },

  async 'the notice comes out as it went in'(delivery, id) {
    await fail(delivery, id, noon);
    await notificationsAt(delivery, days(3));
    const request = { now: days(3), leaseUntil: days(4), limit: 1, busy: [], perRecipient: 1 };
    const [notice] = await delivery.ledger.transact((tx) => tx.claim(request, () => null));
    assert.ok(notice?.about === 'webhook');
    assert.deepEqual(
      { ...notice.failing, since: String(notice.failing.since) },
      { id, name: 'Hook', since: String(noon) },
    );
  },
};

for (const server of await databases())
  describe(server.name, () => {
    for (const [title, claims] of Object.entries(suite))
      test(title, async () => {
        await using delivery = await startShiftDelivery(server, people);
        await claims(delivery, await delivery.webhook({ url: 'http://127.0.0.1:1/' }));
      });
  });
