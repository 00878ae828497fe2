import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { databases } from '../../../test/database.ts';
import { later, noon } from '../../../test/incident-life.ts';
import { type Delivery, startShiftDelivery } from '../../../test/shift-delivery.ts';
import { buildShiftIntent } from '../../../test/shift-intent.ts';
import type { Report } from '../../engine/ports/sending.ts';
import type { Claimed } from '../../engine/sending/claimed.ts';
import { transact } from '../database/database.ts';
import { endBusy, keepBusy, removeBusy } from './busy-telephones.ts';

const claim = ({ ledger }: Delivery, now = noon): Promise<readonly Claimed[]> =>
  ledger.transact((tx) =>
    tx.claim(
      { now, leaseUntil: now.add({ minutes: 1 }), limit: 9, busy: [], perRecipient: 9 },
      () => null,
    ),
  );

/** One call is under way, and another waits for it. */
async function startCall(delivery: Delivery) {
  const intents = ['ada 1', 'ada 2'].map((key) =>
    buildShiftIntent('shift_change', { key, channel: 'phone', address: '+491' }),
  );
  await delivery.insert(intents);
  const [call, ...others] = await claim(delivery);
  assert.ok(call && others.length === 0);
  const reportedBy = { connectionId: 'c'.repeat(24), vendorId: 'CA1' };
  await delivery.ledger.transact((tx) =>
    tx.finish([
      {
        claimed: call,
        finishedAt: noon,
        state: 'pending',
        wakeAt: later(9),
        reportedBy,
        reason: null,
        answer: null,
        status: null,
        entry: null,
      },
    ]),
  );
  const { organization_id, key, attempt } = call;
  const report = (state: Report['receipt']['state'], fields: Partial<Report> = {}) => {
    const receipt = { state, reason: '', blame: null };
    return delivery.ledger.transact((tx) =>
      tx.recordReceipt({ organization_id, key, attempt, reportedBy, receipt, ...fields }, noon),
    );
  };
  return { call, report };
}

const keep = ({ sql }: Delivery, call: Claimed, until: Temporal.Instant) =>
  transact(sql, (tx) => keepBusy({ sql: tx }, call, until));
const end = ({ sql }: Delivery, call: Claimed, now: Temporal.Instant) =>
  transact(sql, (tx) => endBusy({ sql: tx }, call, now));

for (const server of await databases())
  describe(server.name, () => {
    test('a telephone is not called before the call ends in which a key was pressed', async () => {
      await using delivery = await startShiftDelivery(server);
      const { call, report } = await startCall(delivery);
      await keep(delivery, call, later(2));
      await report('acted');
      assert.deepEqual(await claim(delivery, later(1)), []);
      assert.equal(await end(delivery, call, later(1)), true);
      assert.equal((await claim(delivery, later(1))).length, 1);
    });

    test('a call whose end is never reported holds up the others until its time is over', async () => {
      await using delivery = await startShiftDelivery(server);
      const { call, report } = await startCall(delivery);
      await keep(delivery, call, later(2));
      await report('acted');
      assert.deepEqual(await claim(delivery, later(1)), []);
      assert.equal(await keep(delivery, call, later(1)), true, 'it ends sooner');
      assert.equal((await claim(delivery, later(1))).length, 1);
      assert.equal(await removeBusy(delivery.sql, later(1)), 0);
      assert.equal(await removeBusy(delivery.sql, later(2)), 1);
    });

    test('a call of which no result can be recorded holds up the others for its lease', async () => {
      await using delivery = await startShiftDelivery(server);
      const intents = ['ada 1', 'ada 2'].map((key) =>
        buildShiftIntent('shift_change', { key, channel: 'phone', address: '+491' }),
      );
      await delivery.insert(intents);
      const [call] = await claim(delivery);
      assert.ok(call);
      // As what is set aside is left.
      await delivery.sql`update outbox set wake_at = ${later(10)} where key = ${call.key}`;
      assert.deepEqual(await claim(delivery, noon.add({ seconds: 50 })), []);
      const claimed = (await claim(delivery, later(2))).map(({ key }) => key);
      assert.deepEqual([claimed.length, claimed.includes(call.key)], [1, false]);
    });

    test('a key that arrives after the end of its call holds up nothing', async () => {
      await using delivery = await startShiftDelivery(server);
      const { call, report } = await startCall(delivery);
      await report('unanswered', { call: { seconds: 12, country: '+49' } });
      assert.equal(await end(delivery, call, noon), false);
      assert.equal(await keep(delivery, call, later(2)), false);
      assert.equal((await claim(delivery, later(1))).length, 1);
    });
  });
