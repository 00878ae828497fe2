import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { databases } from '../../../test/database.ts';
import { later, noon } from '../../../test/incident-life.ts';
import { type Delivery, startShiftDelivery } from '../../../test/shift-delivery.ts';
import { buildShiftIntent } from '../../../test/shift-intent.ts';
import { eventually } from '../../../test/system/eventually.ts';
import type { Claimed } from '../../engine/sending/claimed.ts';
import type { Receipt } from '../../engine/sending/receipt.ts';
import { sendingLimits } from '../../limits/sending.ts';
import { takenByOthers } from './handed-over.ts';

const seedCalls = (delivery: Delivery, ...keys: readonly string[]) =>
  delivery.insert(
    keys.map((key) =>
      buildShiftIntent('shift_change', {
        key,
        channel: 'phone',
        address: key.startsWith('lin') ? '+492' : '+491',
      }),
    ),
  );

const requestAt = (now: Temporal.Instant) => ({
  now,
  leaseUntil: now.add({ minutes: 1 }),
  limit: 9,
  busy: [],
  perRecipient: 9,
});
const claim = ({ ledger }: Delivery, now = noon): Promise<readonly Claimed[]> =>
  ledger.transact((tx) => tx.claim(requestAt(now), () => null));
const keysOf = (claimed: readonly Claimed[]) => claimed.map(({ key }) => key).sort();

const afterKey = noon.add({ seconds: sendingLimits.pressedCall });
const reportedBy = { connectionId: 'c'.repeat(24), vendorId: 'CA1' };

const handOver = ({ ledger }: Delivery, claimed: Claimed) =>
  ledger.transact((tx) =>
    tx.finish([
      {
        claimed,
        finishedAt: noon,
        state: 'pending',
        wakeAt: later(2),
        reportedBy,
        reason: null,
        answer: null,
        status: null,
        entry: null,
      },
    ]),
  );

/** The vendor did not take it. */
const fail = ({ ledger }: Delivery, claimed: Claimed) =>
  ledger.transact((tx) =>
    tx.finish([
      {
        claimed,
        finishedAt: noon,
        state: 'pending',
        wakeAt: noon.add({ seconds: 1 }),
        reason: 'failed',
        answer: null,
        status: null,
        entry: null,
      },
    ]),
  );

const report = ({ ledger }: Delivery, claimed: Claimed, state: Receipt['state']) => {
  const { organization_id, key, attempt } = claimed;
  const receipt = { state, reason: '', blame: null };
  return ledger.transact((tx) =>
    tx.recordReceipt({ organization_id, key, attempt, reportedBy, receipt }, noon),
  );
};

/** The page has ended at its number. */
const goOnAt = (
  { ledger }: Delivery,
  claimed: Claimed,
  nextAddress: string,
  wakeAt: Temporal.Instant = noon,
) => {
  const { address, attempt: attempts } = claimed;
  const tried = [{ address, reason: 'busy', isUnconfirmed: false, attempts }];
  const ended = { finishedAt: noon, answer: null, status: null, entry: null, reason: 'busy' };
  return ledger.transact((tx) =>
    tx.finish([{ ...ended, claimed, state: 'pending', wakeAt, nextAddress, tried }]),
  );
};

for (const server of await databases())
  describe(server.name, () => {
    test('calls to one telephone that fail in turn do not wake each other at once', async () => {
      await using delivery = await startShiftDelivery(server);
      await seedCalls(delivery, 'ada 1', 'ada 2');
      const failed: string[] = [];
      for (let tries = 0; tries < 4; tries += 1)
        for (const claimed of await claim(delivery)) {
          failed.push(claimed.key);
          await fail(delivery, claimed);
        }
      assert.deepEqual(failed.toSorted(), ['ada 1', 'ada 2']);
      const again = await claim(delivery, noon.add({ seconds: 1 }));
      assert.equal(again.length, 1);
    });

    test('a telephone that rings is called again once that call has ended', async () => {
      await using delivery = await startShiftDelivery(server);
      await seedCalls(delivery, 'ada 1', 'ada 2', 'lin 1');
      const first = await claim(delivery);
      assert.equal(first.length, 2);
      assert.ok(keysOf(first).includes('lin 1'));
      const toAda = first.find(({ key }) => key.startsWith('ada'));
      assert.ok(toAda);
      await handOver(delivery, toAda);
      await report(delivery, toAda, 'answered');
      assert.deepEqual(await claim(delivery), []);
      assert.equal(await report(delivery, toAda, 'acted'), true);
      assert.deepEqual(await claim(delivery), [], 'Ada still hears what the key did');
      const [next, ...others] = await claim(delivery, afterKey);
      assert.ok(next?.key.startsWith('ada') && next.key !== toAda.key);
      assert.deepEqual(others, []);
    });

    test('a call that ends while another is being claimed holds it up no longer', async () => {
      await using delivery = await startShiftDelivery(server);
      const { ledger, sql } = delivery;
      await seedCalls(delivery, 'ada 1');
      const [first] = await claim(delivery);
      assert.ok(first);
      await handOver(delivery, first);
      await seedCalls(delivery, 'ada 2');
      const [claimed, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const claiming = ledger.transact(async (tx) => {
        assert.deepEqual(await tx.claim(requestAt(noon), () => null), []);
        claimed.resolve();
        await goOn.promise;
      });
      await claimed.promise;
      const reporting = report(delivery, first, 'acted');
      await eventually('the end waits for the claim', async () => {
        const rows = await sql`
          select from pg_locks
          where locktype = 'advisory' and not granted
            and database = (select oid from pg_database where datname = current_database())`;
        return rows.length > 0;
      });
      goOn.resolve();
      await Promise.all([claiming, reporting]);
      assert.deepEqual(keysOf(await claim(delivery, afterKey)), ['ada 2']);
    });

    test('a call that was put off once is woken by the end of another all the same', async () => {
      await using delivery = await startShiftDelivery(server);
      await seedCalls(delivery, 'ada 1');
      const [first] = await claim(delivery);
      assert.ok(first);
      const again = { state: 'pending', reason: 'no turn', wakeAt: later(1) } as const;
      const ended = { finishedAt: noon, answer: null, status: null, entry: null };
      await delivery.ledger.transact((tx) => tx.finish([{ claimed: first, ...ended, ...again }]));
      await seedCalls(delivery, 'ada 2');
      const [other] = await claim(delivery);
      assert.ok(other);
      await handOver(delivery, other);
      assert.deepEqual(await claim(delivery, later(1)), []);
      await report(delivery, other, 'undelivered');
      const [row] = await delivery.sql`select wake_at from outbox where key = 'ada 1'`;
      assert.equal(String(row?.['wake_at']), String(noon.add({ seconds: 1 })));
    });

    test('of two that are due, the one whose call may be under way comes first', async () => {
      await using delivery = await startShiftDelivery(server);
      await seedCalls(delivery, 'ada 1');
      const [first] = await claim(delivery);
      assert.ok(first);
      await handOver(delivery, first);
      await seedCalls(delivery, 'ada 2');
      assert.deepEqual(await claim(delivery, later(1)), []);
      assert.deepEqual(keysOf(await claim(delivery, later(2))), ['ada 1']);
    });

    test('a call that is refused before its creation is recorded holds up no other', async () => {
      await using delivery = await startShiftDelivery(server);
      await seedCalls(delivery, 'ada 1', 'ada 2');
      const [first] = await claim(delivery);
      assert.ok(first);
      await report(delivery, first, 'undelivered');
      assert.deepEqual(await claim(delivery), []);
      await handOver(delivery, first);
      const due = await delivery.sql`
        select key from outbox where state = 'pending' and wake_at <= ${noon} order by key`;
      assert.deepEqual(
        due.map(({ key }) => key),
        ['ada 1', 'ada 2'],
      );
    });

    test('a call that the vendor refuses holds up no other', async () => {
      await using delivery = await startShiftDelivery(server);
      await seedCalls(delivery, 'ada 1', 'ada 2');
      const [first] = await claim(delivery);
      assert.ok(first);
      assert.deepEqual(await claim(delivery), []);
      const refused = { state: 'failed', reason: 'no such number', wakeAt: null } as const;
      const ended = { finishedAt: noon, answer: null, status: null, entry: null };
      await delivery.ledger.transact((tx) => tx.finish([{ claimed: first, ...ended, ...refused }]));
      assert.equal((await claim(delivery)).length, 1);
    });

    test('a second call that had to wait for another is made once that has ended', async () => {
      await using delivery = await startShiftDelivery(server);
      await seedCalls(delivery, 'ada 1');
      const [first] = await claim(delivery);
      assert.ok(first);
      await handOver(delivery, first);
      await report(delivery, first, 'unanswered');
      await seedCalls(delivery, 'ada 2');
      const [other] = await claim(delivery);
      assert.ok(other);
      await handOver(delivery, other);
      assert.deepEqual(await claim(delivery, later(1)), []);
      await report(delivery, other, 'acted');
      assert.deepEqual(keysOf(await claim(delivery, later(1))), ['ada 1']);
    });

    test('a call that goes on at another number waits for the one that rings there', async () => {
      await using delivery = await startShiftDelivery(server);
      await seedCalls(delivery, 'ada 1', 'lin 1');
      const calls = await claim(delivery);
      const [toAda, toLin] = ['ada 1', 'lin 1'].map((key) => calls.find((one) => one.key === key));
      assert.ok(toAda && toLin);
      await handOver(delivery, toLin);
      await report(delivery, toLin, 'answered');
      await goOnAt(delivery, toAda, '+492');
      assert.deepEqual(await claim(delivery), []);
      // Nothing rings at the number that it has left.
      await seedCalls(delivery, 'ada 2');
      assert.deepEqual(keysOf(await claim(delivery)), ['ada 2']);
      await report(delivery, toLin, 'acted');
      const [next] = await claim(delivery, afterKey);
      assert.deepEqual([next?.key, next?.address], ['ada 1', '+492']);
    });

    test('what never ended at a number that was left rings at no other', async () => {
      await using delivery = await startShiftDelivery(server);
      await seedCalls(delivery, 'ada 1');
      const [first] = await claim(delivery);
      assert.ok(first);
      await handOver(delivery, first);
      const [again] = await claim(delivery, later(2));
      assert.ok(again);
      await goOnAt(delivery, again, '+492', later(9));
      await seedCalls(delivery, 'lin 1');
      assert.deepEqual(keysOf(await claim(delivery, later(2))), ['lin 1']);
    });

    test('what is recorded of a notice is known to be of no other', async () => {
      await using delivery = await startShiftDelivery(server);
      await seedCalls(delivery, 'ada 1');
      const [call] = await claim(delivery);
      assert.ok(call);
      // Before the channel has answered.
      await report(delivery, call, 'answered');
      const { organization_id, key } = call;
      const ids = ['CA1', 'CA2'];
      const others = { organization_id, key: 'lin 1' };
      const taken = await takenByOthers(delivery.sql, others, ids);
      assert.deepEqual([...taken], ['CA1']);
      assert.equal((await takenByOthers(delivery.sql, { organization_id, key }, ids)).size, 0);
    });

    test('of an answered call that another waits for, the vendor is queried soon, should its end be lost', async () => {
      await using delivery = await startShiftDelivery(server);
      const soon = noon.add({ seconds: sendingLimits.callUnderWay });
      await seedCalls(delivery, 'ada 1', 'ada 2', 'lin 1');
      const begun = await claim(delivery);
      for (const each of begun) {
        await handOver(delivery, each);
        await report(delivery, each, 'answered');
      }
      const toAda = begun.filter(({ key }) => key.startsWith('ada'));
      assert.deepEqual(await claim(delivery), []);
      assert.deepEqual(keysOf(await claim(delivery, soon)), keysOf(toAda));
    });

    test('a call that still rings is left alone, whoever waits for it', async () => {
      await using delivery = await startShiftDelivery(server);
      await seedCalls(delivery, 'ada 1', 'ada 2');
      const [first] = await claim(delivery);
      assert.ok(first);
      await handOver(delivery, first);
      await report(delivery, first, 'sent');
      assert.deepEqual(await claim(delivery), []);
      assert.deepEqual(await claim(delivery, later(1)), []);
    });

    test('a call of which nothing is heard holds up the others no longer than it is awaited', async () => {
      await using delivery = await startShiftDelivery(server);
      await seedCalls(delivery, 'ada 1', 'ada 2');
      const [first] = await claim(delivery);
      assert.ok(first);
      await handOver(delivery, first);
      assert.deepEqual(await claim(delivery, later(1)), []);
      assert.equal((await claim(delivery, later(2))).length, 1);
    });
  });
