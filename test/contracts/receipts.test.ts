// What vendors report of what they took, in memory and on PostgreSQL.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AttemptResult, Report } from '../../src/engine/ports/sending.ts';
import type { Claimed } from '../../src/engine/sending/claimed.ts';
import type { Receipt } from '../../src/engine/sending/receipt.ts';
import { databases } from '../database.ts';
import { later, noon } from '../incident-life.ts';
import {
  buildIncident,
  buildIntent,
  inMemory,
  inTransaction,
  type LedgerFixture,
  onPostgres,
  save,
} from './ledger-fixture.ts';

const connectionId = 'c'.repeat(24);
const reportedBy = { connectionId, vendorId: 'CA1' };
const namedBy = { ...reportedBy, connectionName: 'Twilio Paris' };

async function claimAt(
  fixture: LedgerFixture,
  now: Temporal.Instant,
): Promise<Claimed | undefined> {
  const request = { now, leaseUntil: now.add({ minutes: 1 }), limit: 9, busy: [], perRecipient: 9 };
  const [claimed] = await inTransaction(fixture, (tx) => tx.claim(request, () => null));
  return claimed;
}

/** A page whose first attempt is claimed at noon. */
async function claimedPage(fixture: LedgerFixture): Promise<Claimed> {
  const incident = buildIncident(fixture);
  await save(fixture, { opened: [incident], intents: [buildIntent(incident)] });
  const claimed = await claimAt(fixture, noon);
  assert.ok(claimed);
  return claimed;
}

/** Its receipt is awaited for a minute. */
const handOver = (fixture: LedgerFixture, claimed: Claimed, fields: Partial<AttemptResult> = {}) =>
  inTransaction(fixture, (tx) =>
    tx.finish([
      {
        claimed,
        finishedAt: noon,
        state: 'pending',
        wakeAt: later(1),
        reportedBy,
        reason: null,
        answer: null,
        status: null,
        entry: null,
        ...fields,
      },
    ]),
  );

const report = (
  fixture: LedgerFixture,
  { organization_id, key, attempt }: Claimed,
  receipt: Pick<Receipt, 'state'> & Partial<Receipt>,
  by: Report['reportedBy'] = reportedBy,
  now = noon,
) => {
  const whole = { reason: '', blame: null, ...receipt };
  const reported: Report = { organization_id, key, attempt, reportedBy: by, receipt: whole };
  return inTransaction(fixture, (tx) => tx.recordReceipt(reported, now));
};

/** Whether the report comes before the lost answer is recorded, or after that. */
async function takenUnanswered(fixture: LedgerFixture, isEarly: boolean): Promise<void> {
  const page = await claimedPage(fixture);
  const lost = { claimed: page, finishedAt: noon, wakeAt: noon.add({ seconds: 3 }) };
  const finish = () =>
    inTransaction(fixture, (tx) =>
      tx.finish([
        {
          ...lost,
          state: 'pending',
          entry: null,
          reason: 'timed out',
          answer: null,
          status: null,
        },
      ]),
    );
  if (!isEarly) await finish();
  await report(fixture, page, { state: 'sent' });
  if (isEarly) await finish();
  assert.equal((await fixture.ledger.nextNotice())?.toString(), later(1).toString());
  assert.deepEqual(await fixture.entryTypes(), ['notice_handed_over']);
  const again = await claimAt(fixture, later(1));
  assert.deepEqual(again?.earlier, [
    { ...reportedBy, receipt: { state: 'sent', reason: '', blame: null } },
  ]);
  await report(fixture, page, { state: 'delivered' });
  assert.equal(await fixture.ledger.nextNotice(), null);
}

/** What is known of the pages of a round. */
async function roundOf(fixture: LedgerFixture, page: Claimed) {
  assert.ok(page.about === 'incident');
  const { incident } = page;
  const rounds = await inTransaction(fixture, (tx) => tx.roundPages([incident], noon));
  return rounds.get(incident.id)?.map(({ state, wasTaken }) => [state, wasTaken]);
}

type Case = (fixture: LedgerFixture) => Promise<void>;
const suite: Readonly<Record<string, Case>> = {
  async 'what is delivered is sent no more'(fixture) {
    const page = await claimedPage(fixture);
    await handOver(fixture, page);
    await report(fixture, page, { state: 'sent' });
    await report(fixture, page, { state: 'delivered' });
    assert.equal(await fixture.ledger.nextNotice(), null);
    assert.deepEqual(await fixture.entryTypes(), ['notice_sent']);
  },

  async 'that a vendor takes a page once more is no news, nor that it arrives'(fixture) {
    const page = await claimedPage(fixture);
    await handOver(fixture, page);
    assert.deepEqual(await roundOf(fixture, page), [['taken', false]]);
    await report(fixture, page, { state: 'unanswered' });
    const again = await claimAt(fixture, later(2));
    assert.ok(again);
    const arrived: number[] = [];
    const confirmed: Report = {
      organization_id: page.organization_id,
      key: page.key,
      attempt: page.attempt,
      reportedBy,
      receipt: { state: 'delivered', reason: '', blame: null },
    };
    await handOver(fixture, again, { finishedAt: later(2), wakeAt: later(3) });
    assert.deepEqual(await roundOf(fixture, page), [['taken', true]]);
    await inTransaction(fixture, (tx) =>
      tx.recordReceipt(confirmed, later(2), ({ step }) => arrived.push(step)),
    );
    assert.deepEqual([arrived, await roundOf(fixture, page)], [[], [['taken', false]]]);
  },

  async 'a page that was accepted and comes back is tried again, once'(fixture) {
    const page = await claimedPage(fixture);
    const accepted = { claimed: page, finishedAt: noon, wakeAt: null, reason: null, entry: null };
    await inTransaction(fixture, (tx) =>
      tx.finish([{ ...accepted, state: 'sent', answer: null, status: null }]),
    );
    assert.equal(await claimAt(fixture, later(1)), undefined);
    const by = { connectionId: '', vendorId: 'bounce' };
    const bounced = { state: 'undelivered', reason: 'no mailbox', blame: 'contact' } as const;
    assert.deepEqual(
      [
        await report(fixture, page, bounced, by, later(2)),
        await report(fixture, page, bounced, by, later(2)),
      ],
      [true, false],
    );
    const again = await claimAt(fixture, later(2));
    assert.equal(again?.attempt, 2);
    assert.deepEqual(again.earlier, [{ ...by, receipt: bounced }]);
    assert.equal(await report(fixture, page, bounced, by, later(3)), false);
  },

  async 'that a page arrives after all is news while its last attempt had failed'(fixture) {
    const page = await claimedPage(fixture);
    await handOver(fixture, page);
    const again = await claimAt(fixture, later(2));
    assert.ok(again);
    const failed = { claimed: again, finishedAt: later(2), wakeAt: later(3), reason: 'busy' };
    await inTransaction(fixture, (tx) =>
      tx.finish([{ ...failed, state: 'pending', answer: null, status: null, entry: null }]),
    );
    assert.deepEqual(await roundOf(fixture, page), [['open', true]]);
    const arrived: number[] = [];
    const { organization_id, key, attempt } = page;
    const receipt = { state: 'delivered', reason: '', blame: null } as const;
    await inTransaction(fixture, (tx) =>
      tx.recordReceipt({ organization_id, key, attempt, reportedBy, receipt }, later(3), (one) =>
        arrived.push(one.step),
      ),
    );
    assert.deepEqual([arrived, await roundOf(fixture, page)], [[0], [['taken', false]]]);
  },

  async 'the timeline names the connection, and the time since the vendor took it'(fixture) {
    const page = await claimedPage(fixture);
    await handOver(fixture, page, { reportedBy: namedBy });
    const busy = { state: 'unanswered', reason: 'busy' } as const;
    await report(fixture, page, busy, namedBy, noon.add({ seconds: 25 }));
    const again = await claimAt(fixture, later(2));
    assert.ok(again);
    assert.deepEqual(again.earlier[0], {
      ...reportedBy,
      receipt: { ...busy, blame: null },
    });
    const finishedAt = later(2);
    const second = { ...namedBy, vendorId: 'CA2' };
    await handOver(fixture, again, { reportedBy: second, finishedAt, wakeAt: later(3) });
    await report(fixture, again, { state: 'answered' }, second, later(2).add({ seconds: 5 }));
    await report(fixture, again, { state: 'acted' }, second, later(2).add({ seconds: 12 }));
    assert.deepEqual(await fixture.entryTexts(), [
      'The page to Ada by e-mail reached nobody by Twilio Paris after 25 seconds: busy',
      'The page to Ada by e-mail was answered with a key by Twilio Paris after 12 seconds',
    ]);
  },

  async 'of a receipt that came before the answer no time is told'(fixture) {
    const page = await claimedPage(fixture);
    const busy = { state: 'unanswered', reason: 'busy' } as const;
    await report(fixture, page, busy, namedBy);
    await handOver(fixture, page, { reportedBy: namedBy, finishedAt: later(1) });
    assert.deepEqual(await fixture.entryTexts(), [
      'The page to Ada by e-mail reached nobody by Twilio Paris: busy',
    ]);
  },

  async 'without a receipt it is tried again, and the next attempt knows of it'(fixture) {
    const page = await claimedPage(fixture);
    await handOver(fixture, page);
    assert.equal(await claimAt(fixture, later(0)), undefined);
    const again = await claimAt(fixture, later(1));
    assert.equal(again?.attempt, 2);
    assert.deepEqual(
      again.earlier.map(({ vendorId, receipt }) => ({ vendorId, receipt })),
      [{ vendorId: 'CA1', receipt: null }],
    );
  },

  async 'what is undelivered is tried again at once, and once for all its reports'(fixture) {
    const page = await claimedPage(fixture);
    await handOver(fixture, page);
    const failure = { state: 'undelivered', reason: 'no such number', blame: 'contact' } as const;
    assert.equal(await report(fixture, page, failure), true);
    assert.equal(await report(fixture, page, failure), false);
    const again = await claimAt(fixture, later(0));
    assert.deepEqual(again?.earlier[0]?.receipt, failure);
    assert.equal(await report(fixture, page, failure), false);
    assert.deepEqual(await fixture.entryTypes(), ['notice_retry']);
  },

  async 'a receipt that comes before the answer of the vendor counts'(fixture) {
    const page = await claimedPage(fixture);
    assert.equal(await report(fixture, page, { state: 'unanswered', reason: 'busy' }), false);
    await handOver(fixture, page);
    assert.equal((await fixture.ledger.nextNotice())?.toString(), later(1).toString());
    assert.deepEqual(await fixture.entryTypes(), ['notice_retry']);
  },

  ...Object.fromEntries(
    [true, false].map((isEarly) => [
      `a report of a request whose answer was lost counts as taken, ${isEarly ? 'before' : 'after'} that is recorded`,
      (fixture: LedgerFixture) => takenUnanswered(fixture, isEarly),
    ]),
  ),

  async 'a confirmation counts, even of what nobody recorded'(fixture) {
    const page = await claimedPage(fixture);
    await report(fixture, page, { state: 'acted' });
    assert.equal(await fixture.ledger.nextNotice(), null);
    await handOver(fixture, page);
    assert.equal(await fixture.ledger.nextNotice(), null);
    assert.deepEqual(await fixture.entryTypes(), ['notice_sent']);
  },

  async 'of a server that died, the next attempt knows what was reported'(fixture) {
    const page = await claimedPage(fixture);
    await report(fixture, page, { state: 'unanswered', reason: 'no answer' });
    const again = await claimAt(fixture, later(2));
    assert.equal(again?.earlier[0]?.receipt?.reason, 'no answer');
    assert.equal(await report(fixture, again, { state: 'answered' }), false);
  },

  async 'of a request that another account did late, only that it has arrived counts'(fixture) {
    const page = await claimedPage(fixture);
    await handOver(fixture, page);
    const other = { connectionId: 'd'.repeat(24), vendorId: 'CA2' };
    await report(fixture, page, { state: 'answered' });
    const busy = { state: 'unanswered', reason: 'busy' } as const;
    assert.equal(await report(fixture, page, busy, other), false);
    assert.deepEqual(await fixture.entryTypes(), []);
    assert.equal(await report(fixture, page, { state: 'acted' }, other), true);
    assert.deepEqual(await fixture.entryTypes(), ['notice_sent']);
  },

  async 'a confirmation that comes after the end of its notice is told, once'(fixture) {
    const page = await claimedPage(fixture);
    await handOver(fixture, page);
    const again = await claimAt(fixture, later(2));
    assert.ok(again);
    await inTransaction(fixture, (tx) =>
      tx.finish([
        {
          claimed: again,
          finishedAt: later(2),
          state: 'sent',
          wakeAt: null,
          isUnconfirmed: true,
          reason: 'no report',
          answer: null,
          status: null,
          entry: null,
        },
      ]),
    );
    assert.equal(await report(fixture, page, { state: 'delivered' }, namedBy), false);
    assert.equal(await report(fixture, page, { state: 'acted' }, namedBy), false);
    assert.equal(await fixture.ledger.nextNotice(), null);
    assert.deepEqual(await fixture.entryTexts(), [
      'The page to Ada by e-mail was delivered by Twilio Paris',
    ]);
  },

  async 'reports of what is not there change nothing'(fixture) {
    const page = await claimedPage(fixture);
    const other = { ...page, key: 'another' };
    assert.equal(await report(fixture, other, { state: 'delivered' }), false);
    assert.equal(await report(fixture, { ...page, attempt: 7 }, { state: 'delivered' }), false);
    assert.notEqual(await fixture.ledger.nextNotice(), null);
  },
};

const fixtures: readonly (readonly [string, () => Promise<LedgerFixture>])[] = [
  ['in memory', inMemory],
  ...(await databases()).map((server) => [server.name, () => onPostgres(server)] as const),
];

for (const [name, open] of fixtures)
  describe(name, () => {
    for (const [title, holds] of Object.entries(suite))
      test(title, async () => {
        await using fixture = await open();
        await holds(fixture);
      });
  });
