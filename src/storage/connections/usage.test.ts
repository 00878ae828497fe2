import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  buildIncident,
  buildIntent,
  inTransaction,
  onPostgres,
  type SharedLedgerFixture,
  save,
} from '../../../test/contracts/ledger-fixture.ts';
import { anyDatabase } from '../../../test/database.ts';
import { later, noon } from '../../../test/incident-life.ts';
import type { Report } from '../../engine/ports/sending.ts';
import type { Claimed } from '../../engine/sending/claimed.ts';
import type { Receipt } from '../../engine/sending/receipt.ts';
import { type Sql, type Transaction, transact } from '../database/database.ts';
import { countTaken, readUsage, removeUsage } from './usage.ts';

const start = async (stack: AsyncDisposableStack) => {
  const fixture = stack.use(await onPostgres(await anyDatabase()));
  return { fixture, connectionId: await fixture.addConnection() };
};

async function claimedPage(fixture: SharedLedgerFixture): Promise<Claimed> {
  const incident = buildIncident(fixture);
  await save(fixture, { opened: [incident], intents: [buildIntent(incident)] });
  const request = { now: noon, leaseUntil: later(1), limit: 9, busy: [], perRecipient: 9 };
  const [claimed] = await inTransaction(fixture, (tx) => tx.claim(request, () => null));
  assert.ok(claimed);
  return claimed;
}

type Taken = { readonly claimed: Claimed; readonly connectionId: string };

const handOver = (fixture: SharedLedgerFixture, { claimed, connectionId }: Taken) =>
  inTransaction(fixture, (tx) =>
    tx.finish([
      {
        claimed,
        finishedAt: noon,
        state: 'pending',
        wakeAt: later(1),
        reason: null,
        answer: null,
        status: null,
        entry: null,
        reportedBy: { connectionId, vendorId: 'CA1' },
        counted: { connectionId, country: '+49', segments: 2 },
      },
    ]),
  );

function report(
  fixture: SharedLedgerFixture,
  { claimed, connectionId }: Taken,
  { state, call }: Pick<Receipt, 'state'> & Pick<Report, 'call'>,
) {
  const { organization_id, key, attempt } = claimed;
  const receipt = { state, reason: '', blame: null };
  const reportedBy = { connectionId, vendorId: 'CA1' };
  const reported = { organization_id, key, attempt, reportedBy, receipt, ...(call && { call }) };
  return inTransaction(fixture, (tx) => tx.recordReceipt(reported, noon));
}

async function usageAt({ sql, seeded }: SharedLedgerFixture, now: Temporal.Instant) {
  const { organizationId } = seeded;
  return await readUsage(sql, { organizationId, now });
}

const nothing = { messages: 0, segments: 0, call_seconds: 0 };

test('what a vendor took is counted once, by month and calling code', async () => {
  await using stack = new AsyncDisposableStack();
  const { fixture, connectionId } = await start(stack);
  const taken = { claimed: await claimedPage(fixture), connectionId };
  await handOver(fixture, taken);
  await handOver(fixture, taken);
  const sums = { messages: 1, segments: 2, call_seconds: 0 };
  const month = { month: '2026-03', ...sums, countries: [{ country: '+49', ...sums }] };
  assert.deepEqual((await usageAt(fixture, noon))(connectionId), [
    month,
    { month: '2026-02', ...nothing, countries: [] },
  ]);
  const next = (await usageAt(fixture, noon.add({ hours: 24 * 30 })))(connectionId);
  assert.deepEqual(next[1], month, 'of the last month');
  assert.equal((await usageAt(fixture, noon))('d'.repeat(24))[0]?.messages, 0);
});

test('what is reported before its answer is recorded is counted all the same', async () => {
  await using stack = new AsyncDisposableStack();
  const { fixture, connectionId } = await start(stack);
  const taken = { claimed: await claimedPage(fixture), connectionId };
  await report(fixture, taken, { state: 'delivered' });
  await handOver(fixture, taken);
  assert.equal((await usageAt(fixture, noon))(connectionId)[0]?.messages, 1);
});

test('the seconds of a call are counted once, after its key too', async () => {
  await using stack = new AsyncDisposableStack();
  const { fixture, connectionId } = await start(stack);
  const taken = { claimed: await claimedPage(fixture), connectionId };
  await handOver(fixture, taken);
  await report(fixture, taken, { state: 'acted' });
  const over = { state: 'unanswered', call: { seconds: 42, country: '+49' } } as const;
  await report(fixture, taken, over);
  await report(fixture, taken, over);
  const [month] = (await usageAt(fixture, noon))(connectionId);
  const sums = { messages: 1, segments: 2, call_seconds: 42 };
  assert.deepEqual(month, { month: '2026-03', ...sums, countries: [{ country: '+49', ...sums }] });
});

test('a connection that is gone is no reason to fail', async () => {
  await using stack = new AsyncDisposableStack();
  const { fixture } = await start(stack);
  const taken = { claimed: await claimedPage(fixture), connectionId: 'd'.repeat(24) };
  await handOver(fixture, taken);
  const [row] = await fixture.sql`select count(*) as rows from connection_usage`;
  assert.equal(row?.['rows'], 0);
});

test('transactions that count for one connection do not wait for each other', async () => {
  await using stack = new AsyncDisposableStack();
  const { fixture, connectionId } = await start(stack);
  const { sql, seeded } = fixture;
  const { organizationId } = seeded;
  const [first, second] = [await claimedPage(fixture), await claimedPage(fixture)];
  const count = (tx: Transaction, { key, attempt }: Claimed) =>
    countTaken(tx, [{ organizationId, connectionId, key, attempt, channel: 'sms' }], noon);
  await transact(sql, async (tx) => {
    await count(tx, first);
    await inAnotherSession(sql, await partOf(tx), (other) => count(other, second));
  });
  assert.equal((await usageAt(fixture, noon))(connectionId)[0]?.messages, 2);
});

async function partOf(tx: Transaction): Promise<number> {
  const [row] = await tx<{ part: number }[]>`select pg_backend_pid() % 32 as part`;
  assert.ok(row);
  return row.part;
}

/** Of a few sessions of one pool, hardly any two add to the same row. */
const inAnotherSession = (
  sql: Sql,
  part: number,
  work: (tx: Transaction) => Promise<void>,
): Promise<void> =>
  transact(sql, async (tx) =>
    (await partOf(tx)) === part ? inAnotherSession(sql, part, work) : work(tx),
  );

test('months that nobody looks at are removed', async () => {
  await using stack = new AsyncDisposableStack();
  const { fixture, connectionId } = await start(stack);
  await handOver(fixture, { claimed: await claimedPage(fixture), connectionId });
  const { sql } = fixture;
  assert.equal(await removeUsage(sql, Temporal.Instant.from('2027-03-31T00:00:00Z')), 0);
  assert.equal(await removeUsage(sql, Temporal.Instant.from('2027-04-01T00:00:00Z')), 1);
});
