import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { databases } from '../../../test/database.ts';
import { later, noon } from '../../../test/incident-life.ts';
import { type Delivery, startShiftDelivery } from '../../../test/shift-delivery.ts';
import { buildShiftIntent } from '../../../test/shift-intent.ts';
import type { Tx } from '../../engine/ledger.ts';
import { readQuota } from '../organizations/quota.ts';

const people = {
  users: [
    { name: 'ada' },
    { name: 'boss', role: 'owner' },
    { name: 'left', role: 'admin', active: false },
  ],
} as const;

/** So many notices to Ada, told apart by their addresses. */
const toAda = ({ world }: Delivery, count: number, from = 0) =>
  Array.from({ length: count }, (_, index) =>
    buildShiftIntent('shift_change', {
      address: `ada${from + index}@example.test`,
      user_id: world.users['ada'] ?? null,
    }),
  );

/** Shift notices beyond the limit are cancelled. Answers how many went. */
async function claimIn(tx: Tx, { now = noon, limit = 100 } = {}): Promise<number> {
  const request = { now, leaseUntil: later(1e6), limit, busy: [], perRecipient: 9 };
  const claimed = await tx.claim(request, ({ about }, limitReached) =>
    limitReached && about === 'shift' ? { reason: 'no more', entry: null } : null,
  );
  return claimed.length;
}
const claim = ({ ledger }: Delivery, options?: Parameters<typeof claimIn>[1]) =>
  ledger.transact((tx) => claimIn(tx, options));

const used = async ({ sql }: Delivery) =>
  Object.fromEntries(
    (
      await sql<{ month: string; channel: string; used: number }[]>`
        select month, channel, used from alert_usage order by month, channel`
    ).map((row) => [`${row.month} ${row.channel}`, row.used]),
  );
/** Which share each admin was told of. */
const warnings = async ({ sql }: Delivery) =>
  (
    await sql<{ text: string }[]>`
      select concat(notice -> 'usage' ->> 'percent', ' % ', notice ->> 'recipient') as text
      from outbox where kind = 'alert_usage' order by key desc`
  ).map((row) => row.text);
/** Until it waits for a lock, or is done without having waited. */
async function untilWaiting({ sql }: Delivery, work: Promise<unknown>): Promise<void> {
  let isDone = false;
  const done = () => {
    isDone = true;
  };
  work.then(done, done);
  const waiting = () => sql`
    select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  while (!isDone && (await waiting()).length === 0);
}
const quota = ({ sql, world }: Delivery) =>
  readQuota(sql, { organizationId: world.organizationId, now: noon });
const limitTo = ({ sql }: Delivery, limit: number) =>
  sql`update organizations set monthly_alert_limit = ${limit}`;

type Case = (delivery: Delivery) => Promise<void>;
const suite: Readonly<Record<string, Case>> = {
  async 'each notice to a person counts once, by channel and month, one of a shift in a chat too'(
    delivery,
  ) {
    const [first, ...others] = toAda(delivery, 3);
    assert.ok(first);
    const channel = buildShiftIntent('shift_end', { channel: 'slack', user_id: null });
    await delivery.insert([{ ...first, channel: 'sms' }, ...others, channel]);
    assert.equal(await claim(delivery), 4);
    const march = { '2026-03 email': 2, '2026-03 slack': 1, '2026-03 sms': 1 };
    assert.deepEqual(await used(delivery), march);
    assert.deepEqual((await quota(delivery)).by_channel, { email: 2, slack: 1, sms: 1 });
    await delivery.insert(toAda(delivery, 1, 9));
    await claim(delivery, { now: later(40 * 24 * 60) });
    assert.deepEqual(await used(delivery), { ...march, '2026-04 email': 1 });
  },

  async 'a notice that is tried again is not counted again'(delivery) {
    await delivery.insert(toAda(delivery, 1));
    await claim(delivery);
    await claim(delivery, { now: later(2e6) });
    assert.deepEqual(await used(delivery), { '2026-03 email': 1 });
  },

  async 'beyond the limit nothing goes, though two processes claim at once'(delivery) {
    await limitTo(delivery, 5);
    await delivery.insert(toAda(delivery, 8));
    const { second } = await delivery.ledger.transact(async (tx) => {
      await claimIn(tx, { limit: 4 });
      const other = claim(delivery, { limit: 4 });
      await untilWaiting(delivery, other);
      return { second: other };
    });
    assert.equal(await second, 1);
    assert.deepEqual(await used(delivery), { '2026-03 email': 5 });
  },

  async 'notices of shifts in chats stop at the limit as well, calls of webhooks do not'(delivery) {
    await limitTo(delivery, 1);
    const chat = (address: string) =>
      buildShiftIntent('shift_end', { channel: 'slack', address, user_id: null });
    await delivery.insert([chat('C1'), chat('C2')]);
    assert.equal(await claim(delivery), 1);
    const webhook = await delivery.webhook({ url: 'https://hooks.example.test' });
    await delivery.insert([
      buildShiftIntent('shift_end', { channel: 'webhook', address: webhook, user_id: null }),
    ]);
    // With the call, the notice that the limit is reached.
    assert.equal(await claim(delivery), 2);
    assert.deepEqual(await used(delivery), { '2026-03 slack': 1 });
  },

  async 'admins are told once at 80 % and once at 100 %, and that counts as nothing'(delivery) {
    await limitTo(delivery, 5);
    await delivery.insert(toAda(delivery, 3));
    await claim(delivery);
    assert.deepEqual(await warnings(delivery), []);
    await delivery.insert(toAda(delivery, 1, 3));
    await claim(delivery);
    assert.deepEqual(await warnings(delivery), ['80 % boss Example']);
    await claim(delivery);
    assert.deepEqual(await used(delivery), { '2026-03 email': 4 });
    await delivery.insert(toAda(delivery, 5, 4));
    await claim(delivery);
    await claim(delivery);
    assert.deepEqual(await warnings(delivery), ['80 % boss Example', '100 % boss Example']);
  },

  async 'a limit that was raised is warned of again'(delivery) {
    await limitTo(delivery, 1);
    await delivery.insert(toAda(delivery, 2));
    assert.equal(await claim(delivery), 1);
    await limitTo(delivery, 2);
    await delivery.insert(toAda(delivery, 1, 2));
    await claim(delivery);
    assert.deepEqual(await warnings(delivery), ['100 % boss Example', '100 % boss Example']);
  },

  async 'a warning comes back with what it warns of'(delivery) {
    await limitTo(delivery, 1);
    await delivery.insert(toAda(delivery, 1));
    await claim(delivery);
    const request = { now: noon, leaseUntil: later(1), limit: 9, busy: [], perRecipient: 9 };
    const [one] = await delivery.ledger.transact((tx) => tx.claim(request, () => null));
    assert.ok(one?.about === 'usage');
    assert.deepEqual(one.usage, { month: '2026-03', limit: 1, percent: 100 });
    assert.equal(one.organizationName, 'Example');
    assert.match(one.address, /^boss@/);
  },
};

for (const server of await databases())
  describe(server.name, () => {
    for (const [title, claims] of Object.entries(suite))
      test(title, async () => {
        await using delivery = await startShiftDelivery(server, people);
        await claims(delivery);
      });
  });
