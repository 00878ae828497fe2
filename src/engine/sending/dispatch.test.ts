import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import {
  buildIncident,
  buildIntent,
  inMemory,
  inTransaction,
  save,
} from '../../../test/contracts/ledger-fixture.ts';
import { noon } from '../../../test/incident-life.ts';
import { noFaults as faults } from '../../../test/no-faults.ts';
import { sendingLimits } from '../../limits/sending.ts';
import { compose } from '../../notices/queued.ts';
import type { Transactor, Tx } from '../ledger.ts';
import { silentLog } from '../log.ts';
import type { AttemptResult, SendingTx } from '../ports/sending.ts';
import { Dispatcher } from './dispatch.ts';

test('whoever has answered is sent the next while that is being recorded', async () => {
  await using fixture = await inMemory();
  const incident = buildIncident(fixture);
  const keys = ['a', 'b', 'c'].map((name) => ({ key: `${incident.id}/0/0/email/${name}` }));
  await save(fixture, {
    opened: [incident],
    intents: keys.map((key) => buildIntent(incident, key)),
  });
  const recording = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  let isClaiming = false;
  const ledger: Transactor<SendingTx> = {
    async transact(work) {
      if (!isClaiming) await recording.promise;
      return inTransaction(fixture, work);
    },
  };
  const sent: string[] = [];
  const dispatcher = new Dispatcher({
    ledger,
    clock: { now: () => noon },
    log: silentLog,
    random: () => 0,
    perRecipient: 2,
    committed() {},
    attempted() {},
    faults,
    contentOf: () => null,
    handleOf: () => '',
    compose: (claimed) =>
      compose(claimed, { publicUrl: '', linkFor: () => '', handleFor: () => '' }),
    webhooks: { send: async () => assert.fail('nothing is called') },
    channels: new Map([
      [
        'email',
        {
          async send(notice) {
            sent.push(notice.kind);
            await answered.promise;
            return { outcome: 'delivered' as const };
          },
        },
      ],
    ]),
  });
  const claim = async () => {
    isClaiming = true;
    const count = await dispatcher.claim();
    isClaiming = false;
    return count;
  };
  assert.deepEqual([await claim(), await claim()], [2, 0]);
  answered.resolve();
  for (let turns = 0; turns < 10; turns += 1) await turn();
  assert.equal(dispatcher.inFlight, 2, 'what is not recorded is under way');
  assert.equal(await claim(), 1);
  assert.equal(sent.length, 3);
  recording.resolve();
  await dispatcher.idle();
});

test('a page that goes on at another contact has not failed', async () => {
  await using fixture = await inMemory();
  const [first, second] = ['+491', '+492'] as const;
  await fixture.setNumbers([first, second]);
  const incident = buildIncident(fixture);
  const to = { channel: 'sms', address: first, user_id: fixture.seeded.ada };
  await save(fixture, { opened: [incident], intents: [buildIntent(incident, to)] });
  const attempted: object[] = [];
  const dispatcher = new Dispatcher({
    ledger: fixture.ledger,
    clock: { now: () => noon },
    log: silentLog,
    random: () => 0,
    faults,
    contentOf: () => null,
    handleOf: () => '',
    committed: ({ notices }) => attempted.push({ notices }),
    attempted: ({ state, claimed: { address } }) => attempted.push({ address, state }),
    compose: (claimed) =>
      compose(claimed, { publicUrl: '', linkFor: () => '', handleFor: () => '' }),
    webhooks: { send: async () => assert.fail('nothing is called') },
    channels: new Map([
      [
        'sms',
        {
          async send(_, address) {
            if (address === second) return { outcome: 'delivered' as const };
            return { outcome: 'failed' as const, reason: 'no such number' };
          },
        },
      ],
    ]),
  });
  for (let claims = 0; claims < 2; claims += 1) {
    assert.equal(await dispatcher.claim(), 1);
    await dispatcher.idle();
  }
  assert.deepEqual(attempted, [
    { notices: true },
    { address: first, state: 'pending' },
    { notices: false },
    { address: second, state: 'sent' },
  ]);
});

test('an attempt knows until when it may begin something, and whether it is still wanted', async () => {
  await using fixture = await inMemory();
  const incident = buildIncident(fixture);
  const names = ['wanted', 'unwanted', 'unknown'];
  await save(fixture, {
    opened: [incident],
    intents: names.map((name) => buildIntent(incident, { key: `${incident.id}/0/0/sms/${name}` })),
  });
  const known: Record<string, readonly [string, boolean]> = {};
  const failed: string[] = [];
  const dispatcher = new Dispatcher({
    ledger: { transact: (work) => inTransaction(fixture, work) },
    clock: { now: () => noon },
    log: silentLog,
    random: () => 0,
    committed() {},
    attempted() {},
    contentOf: () => null,
    handleOf: () => '',
    faults: ({ id }) => void failed.push(id),
    async isWanted({ key }) {
      if (key.endsWith('/unknown')) throw new Error('the database is away');
      return key.endsWith('/wanted');
    },
    compose: (claimed) =>
      compose(claimed, { publicUrl: '', linkFor: () => '', handleFor: () => '' }),
    webhooks: { send: async () => assert.fail('nothing is called') },
    channels: new Map([
      [
        'email',
        {
          async send({ key }, _address, attempt) {
            assert.ok(attempt);
            known[key.split('/').at(-1) ?? ''] = [`${attempt.until}`, await attempt.isWanted()];
            return { outcome: 'delivered' as const };
          },
        },
      ],
    ]),
  });
  await dispatcher.claim();
  await dispatcher.idle();
  const until = `${noon.add({ seconds: sendingLimits.lease })}`;
  assert.deepEqual(known, {
    wanted: [until, true],
    unwanted: [until, false],
    unknown: [until, true],
  });
  assert.equal(failed.length, 1);
});

test('claims whose commit was not answered are given back, and sent at once', async () => {
  for (const isCommitted of [true, false]) {
    await using fixture = await inMemory();
    const incident = buildIncident(fixture);
    await save(fixture, { opened: [incident], intents: [buildIntent(incident)] });
    let isLost = true;
    const ledger: Transactor<SendingTx> = {
      async transact(work) {
        if (!isLost) return inTransaction(fixture, work);
        isLost = false;
        const undo = async (tx: SendingTx & Tx) => {
          await work(tx);
          if (!isCommitted) throw new Error('rolled back');
        };
        await inTransaction(fixture, undo).catch((error) => assert.match(error.message, /^rolled/));
        throw Object.assign(new Error('the connection was lost'), { name: 'DatabaseUnavailable' });
      },
    };
    const sent: string[] = [];
    const dispatcher = new Dispatcher({
      ledger,
      clock: { now: () => noon },
      log: silentLog,
      random: () => 0,
      committed() {},
      attempted() {},
      faults,
      contentOf: () => null,
      handleOf: () => '',
      compose: (claimed) =>
        compose(claimed, { publicUrl: '', linkFor: () => '', handleFor: () => '' }),
      webhooks: { send: async () => assert.fail('nothing is called') },
      channels: new Map([
        [
          'email',
          {
            async send({ kind }, _address, attempt) {
              assert.equal(attempt?.unknownSince, undefined, 'nobody is asked what became of it');
              sent.push(kind);
              return { outcome: 'delivered' as const };
            },
          },
        ],
      ]),
    });
    await assert.rejects(dispatcher.claim(), /the connection was lost/);
    await dispatcher.idle();
    assert.equal(await dispatcher.claim(), 1);
    await dispatcher.idle();
    assert.equal(sent.length, 1);
  }
});

test('pages that are folded are one message, and each has its result', async () => {
  await using fixture = await inMemory();
  const incidents = ['one', 'two', 'three'].map((title) => ({ ...buildIncident(fixture), title }));
  const [first, second, third] = incidents;
  assert.ok(first && second && third);
  const other = { address: 'boss@example.test' };
  await save(fixture, {
    opened: incidents,
    intents: [
      ...incidents.map((incident) => buildIntent(incident)),
      buildIntent(first, { ...other, key: `${first.id}/0/0/email/boss` }),
    ],
  });
  const sent: (readonly [string, number])[] = [];
  const attempted: AttemptResult[] = [];
  const dispatcher = new Dispatcher({
    ledger: fixture.ledger,
    clock: { now: () => noon },
    log: silentLog,
    random: () => 0,
    faults,
    fold: (pages) => pages.length === 3,
    contentOf: () => null,
    handleOf: () => '',
    committed() {},
    attempted: (attempt) => attempted.push(attempt),
    compose: (claimed) =>
      compose(claimed, { publicUrl: '', linkFor: () => '', handleFor: () => '' }),
    webhooks: { send: async () => assert.fail('nothing is called') },
    channels: new Map([
      [
        'email',
        {
          async send(notice) {
            sent.push([notice.about, notice.about === 'summary' ? notice.pages.length : 1]);
            return {
              outcome: 'handed_over' as const,
              connectionId: 'c',
              vendorId: `message ${sent.length}`,
              receiptWithinSeconds: 60,
              posted: { connectionId: 'c', place: 'p', messageId: `message ${sent.length}` },
              counted: { connectionId: 'c', segments: 1 },
            };
          },
        },
      ],
    ]),
  });
  assert.equal(await dispatcher.claim(), 4);
  await dispatcher.idle();
  assert.deepEqual(sent.toSorted(), [
    ['incident', 1],
    ['summary', 3],
  ]);
  const summary = attempted.filter(({ claimed }) => !claimed.key.endsWith('/boss'));
  assert.deepEqual(
    summary.map(({ claimed }) => claimed.about === 'incident' && claimed.incident.id).toSorted(),
    incidents.map(({ id }) => id).toSorted(),
  );
  const [vendorId, ...more] = new Set(summary.map(({ reportedBy }) => reportedBy?.vendorId));
  assert.deepEqual([typeof vendorId, more], ['string', []]);
  assert.equal(summary.filter(({ counted }) => counted).length, 1, 'one message is counted once');
  assert.ok(
    summary.every(({ posted }) => posted === undefined),
    'no incident edits it',
  );
  const [alone] = attempted.filter(({ claimed }) => claimed.key.endsWith('/boss'));
  assert.ok(alone?.posted && alone.counted);
  const entries = await fixture.entryTypes();
  assert.equal(entries.filter((type) => type === 'notice_handed_over').length, 4);
  assert.equal(dispatcher.inFlight, 0);
});

test('a summary that gets no answer is retried page by page', async () => {
  await using fixture = await inMemory();
  const incidents = [buildIncident(fixture), buildIncident(fixture)];
  await save(fixture, {
    opened: incidents,
    intents: incidents.map((incident) => buildIntent(incident)),
  });
  let now = noon;
  const sent: string[] = [];
  const dispatcher = new Dispatcher({
    ledger: fixture.ledger,
    clock: { now: () => now },
    log: silentLog,
    random: () => 0,
    faults,
    fold: () => true,
    contentOf: () => null,
    handleOf: () => '',
    committed() {},
    attempted() {},
    compose: (claimed) =>
      compose(claimed, { publicUrl: '', linkFor: () => '', handleFor: () => '' }),
    webhooks: { send: async () => assert.fail('nothing is called') },
    channels: new Map([
      [
        'email',
        {
          async send(notice) {
            sent.push(notice.about);
            return notice.about === 'summary'
              ? { outcome: 'no_answer' as const, reason: 'it is away' }
              : { outcome: 'delivered' as const };
          },
        },
      ],
    ]),
  });
  await dispatcher.claim();
  await dispatcher.idle();
  now = noon.add({ minutes: 1 });
  assert.equal(await dispatcher.claim(), 2);
  await dispatcher.idle();
  assert.deepEqual(sent, ['summary', 'incident', 'incident']);
});
