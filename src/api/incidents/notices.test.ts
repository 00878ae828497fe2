import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callerOf, seedIncidents } from '../../../test/incident-api.ts';
import { noon } from '../../../test/incident-life.ts';
import { withPager } from '../../../test/stories/story.ts';
import type { Receipt } from '../../engine/sending/receipt.ts';
import { awaitsReceipt, reasonOf } from './notices.ts';

type Progress = Parameters<typeof awaitsReceipt>[0];

const receipt = (state: Receipt['state'], reason: string | null = null) => ({
  state,
  reason,
  at: '2026-03-02T09:00:25Z',
});
const pending = (...attempts: readonly Partial<Progress['attempts'][number]>[]): Progress => ({
  kind: 'page',
  state: 'pending',
  reason: null,
  attempts: attempts.map((one) => ({ outcome: null, reason: null, receipt: null, ...one })),
});
const handedOver = { outcome: 'handed_over' } as const;
const busy = receipt('unanswered', 'busy');

const rows: readonly (readonly [string, Progress, boolean, string | null])[] = [
  ['nothing was tried', pending(), false, null],
  ['it is under way', pending({}), false, null],
  [
    'it failed',
    pending({ outcome: 'retry', reason: 'the vendor is away' }),
    false,
    'the vendor is away',
  ],
  ['a vendor has it', pending(handedOver), true, null],
  ['it was taken after it failed', { ...pending(handedOver), reason: 'busy' }, true, null],
  ['a call was taken', pending({ ...handedOver, receipt: receipt('answered') }), true, null],
  ['nobody answered', pending({ ...handedOver, receipt: busy }), false, 'busy'],
  ['it is tried again', pending({ ...handedOver, receipt: busy }, {}), false, null],
  [
    'it waits for its turn',
    { ...pending(), reason: 'too many at once' },
    false,
    'too many at once',
  ],
  ['it was sent', { ...pending(handedOver), state: 'sent' }, false, null],
  [
    'nothing confirms it',
    { ...pending({ outcome: 'unconfirmed' }), state: 'sent', reason: 'no receipt arrived' },
    false,
    'no receipt arrived',
  ],
];

for (const [title, notice, isAwaiting, reason] of rows)
  test(`of a notice it is told whether its receipt is awaited, and why: ${title}`, () => {
    assert.equal(awaitsReceipt(notice), isAwaiting);
    assert.equal(reasonOf(notice, { muted_until: null }), reason);
  });

test('a page waits for the end of the mute, and other notices do not', () => {
  const muted = { muted_until: noon };
  const failed = { outcome: 'retry', reason: 'away' };
  assert.equal(reasonOf(pending(failed), muted), 'the incident is muted');
  assert.equal(reasonOf({ ...pending(failed), kind: 'storm' }, muted), 'away');
  assert.equal(reasonOf(pending(handedOver), muted), null);
});

test('a notice tells by which connection it went, what was reported, and from which contact', () =>
  withPager(async (pager) => {
    await using api = await seedIncidents(pager);
    const { sql } = pager;
    const { organizationId, now } = pager.scope;
    const [first, second] = ['c'.repeat(24), 'd'.repeat(24)];
    for (const [id, name, archived_at] of [
      [first, 'Twilio Oslo', now],
      [second, 'Twilio Paris', null],
    ] as const)
      await sql`insert into channel_connections ${sql({
        organization_id: organizationId,
        id,
        version: 1,
        name,
        vendor: 'twilio',
        account_id: id,
        position: 1,
        enabled: true,
        secrets: sql.json({ auth_token: 'x' }),
        created_at: now,
        updated_at: now,
        archived_at,
      })}`;
    const handOver = (connectionId: string, vendorId: string) =>
      pager.vendorAnswers.set('ada', {
        outcome: 'handed_over',
        connectionId,
        vendorId,
        receiptWithinSeconds: 60,
      });
    const report = async (attempt: number, connectionId: string, is: Partial<Receipt>) => {
      const [page] = await sql<{ key: string }[]>`
        select key from outbox where incident_id = ${await pager.idOf(1)}`;
      await pager.servers[0]?.ledger.transact((tx) =>
        tx.recordReceipt(
          {
            organization_id: organizationId,
            key: page?.key ?? '',
            attempt,
            reportedBy: { connectionId, vendorId: `CA${attempt}` },
            receipt: { state: 'delivered', reason: '', blame: null, ...is },
          },
          pager.clock.now(),
        ),
      );
    };
    const read = async () => {
      const viewer = callerOf(pager, { role: 'viewer' });
      const { body } = await api.send(viewer, 'GET /incidents/1/notices');
      return body.data[0];
    };
    handOver(first, 'CA1');
    await pager.work();
    const taken = await read();
    assert.deepEqual(
      [taken.state, taken.awaits_receipt, taken.reason],
      ['pending', true, undefined],
    );
    assert.deepEqual(taken.attempts[0].connection, { id: first, name: 'Twilio Oslo' });
    assert.deepEqual(
      [taken.attempts[0].outcome, taken.attempts[0].receipt, taken.attempts[0].contact],
      ['handed_over', null, null],
    );
    await report(1, first, { state: 'unanswered', reason: 'no answer' });
    const unanswered = await read();
    assert.deepEqual([unanswered.awaits_receipt, unanswered.reason], [false, 'no answer']);
    // As a page that goes on at the next contact is stored.
    await sql`
      update outbox set notice = (notice::jsonb || ${sql.json({
        address: '+4915112345432',
        tried: [
          { address: '+4915112345678', reason: 'no answer', isUnconfirmed: false, attempts: 1 },
        ],
      })}::jsonb)::json`;
    handOver(second, 'CA2');
    await pager.at('09:01');
    await report(2, second, { state: 'acted' });
    const acted = await read();
    assert.deepEqual([acted.state, acted.awaits_receipt], ['sent', false]);
    assert.deepEqual(acted.tried, [{ contact: '…5678', reason: 'no answer', unconfirmed: false }]);
    const [at, later] = ['2026-03-02T09:00:00.000Z', '2026-03-02T09:01:00.000Z'];
    assert.deepEqual(acted.attempts, [
      {
        number: 1,
        claimed_at: at,
        finished_at: at,
        outcome: 'handed_over',
        blame: null,
        reason: null,
        answer: null,
        contact: '…5678',
        connection: { id: first, name: 'Twilio Oslo' },
        receipt: { state: 'unanswered', reason: 'no answer', at },
      },
      {
        number: 2,
        claimed_at: later,
        finished_at: later,
        outcome: 'delivered',
        blame: null,
        reason: null,
        answer: null,
        contact: '…5432',
        connection: { id: second, name: 'Twilio Paris' },
        receipt: { state: 'acted', reason: null, at: later },
      },
    ]);
    assert.equal(/\+49|auth_token/.test(JSON.stringify(acted)), false, 'no address, no secret');
  }));

test('what a connection delivers at once is told with its name', () =>
  withPager(async (pager) => {
    await using api = await seedIncidents(pager);
    const { sql } = pager;
    const { organizationId, now } = pager.scope;
    const connectionId = 'c'.repeat(24);
    await sql`insert into channel_connections ${sql({
      organization_id: organizationId,
      id: connectionId,
      version: 1,
      name: 'Slack',
      vendor: 'slack',
      account_id: 'T1',
      position: 1,
      enabled: true,
      secrets: sql.json({}),
      created_at: now,
      updated_at: now,
    })}`;
    pager.answers.set('ada', { outcome: 'delivered', counted: { connectionId } });
    await pager.work();
    const { body } = await api.send(callerOf(pager), 'GET /incidents/1/notices');
    const [{ awaits_receipt, attempts }] = body.data;
    assert.deepEqual(
      [awaits_receipt, attempts[0].outcome, attempts[0].connection],
      [false, 'delivered', { id: connectionId, name: 'Slack' }],
    );
  }));
