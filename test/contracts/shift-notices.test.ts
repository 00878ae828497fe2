import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ClaimRequest, EvaluateNotice } from '../../src/engine/ports/sending.ts';
import type { Claimed } from '../../src/engine/sending/claimed.ts';
import { postponed } from '../../src/shifts/advance.ts';
import type { ShiftIntent } from '../../src/shifts/notice.ts';
import { databases } from '../database.ts';
import { later, noon } from '../incident-life.ts';
import { buildShiftIntent } from '../shift-intent.ts';
import {
  buildIncident,
  buildIntent,
  inMemory,
  inTransaction,
  type LedgerFixture,
  onPostgres,
  save,
  scheduleOf,
} from './ledger-fixture.ts';

/** As a look at the schedule leaves them. */
const insert = (fixture: LedgerFixture, intents: readonly ShiftIntent[], at = noon) =>
  inTransaction(fixture, (tx) => {
    const cursor = { advanced_to: at, running: null, edits: 1, seen_edits: 1 };
    const advanced = postponed(cursor, later(10_000));
    return tx.saveShifts([{ schedule: scheduleOf(fixture.seeded), advanced, intents }], at);
  });
const claim = (
  fixture: LedgerFixture,
  fields: Partial<ClaimRequest> = {},
  evaluate: EvaluateNotice = () => null,
) => {
  const limits = { limit: 10, busy: [], perRecipient: 4 };
  return inTransaction(fixture, (tx) =>
    tx.claim({ now: noon, leaseUntil: later(1), ...limits, ...fields }, evaluate),
  );
};
const kinds = (claimed: readonly Claimed[]) => claimed.map((one) => one.kind);
const finish = (
  fixture: LedgerFixture,
  claimed: Claimed | undefined,
  wakeAt: Temporal.Instant | null = null,
) => {
  assert.ok(claimed);
  const state = wakeAt === null ? 'sent' : 'pending';
  const ended = { finishedAt: noon, reason: null, answer: null, status: null, entry: null };
  const attempt = { claimed, ...ended };
  return inTransaction(fixture, (tx) => tx.finish([{ ...attempt, state, wakeAt }]));
};
const [end, start, change] = (['shift_end', 'shift_start', 'shift_change'] as const).map((kind) =>
  buildShiftIntent(kind),
);
assert.ok(end && start && change);

type Case = (fixture: LedgerFixture) => Promise<void>;
const suite: Readonly<Record<string, Case>> = {
  async 'the start leaves when the first try of the end has ended'(fixture) {
    await insert(fixture, [end, start]);
    const [first, ...others] = await claim(fixture);
    assert.equal(first?.kind, 'shift_end');
    assert.deepEqual(others, []);
    assert.deepEqual(await claim(fixture), []);
    await finish(fixture, first);
    assert.deepEqual(kinds(await claim(fixture)), ['shift_start']);
  },

  async 'an end that is to be tried again holds nothing up'(fixture) {
    await insert(fixture, [end, start]);
    const [first] = await claim(fixture);
    await finish(fixture, first, later(30));
    assert.deepEqual(kinds(await claim(fixture)), ['shift_start']);
  },

  async 'an end that is not wanted any more holds nothing up'(fixture) {
    await insert(fixture, [end, start]);
    assert.deepEqual(await claim(fixture, {}, () => ({ reason: 'no', entry: null })), []);
    assert.deepEqual(kinds(await claim(fixture)), ['shift_start']);
  },

  async 'an end whose first try nobody saw the end of still goes first'(fixture) {
    await insert(fixture, [end, start]);
    await claim(fixture);
    const [again, ...others] = await claim(fixture, { now: later(1), leaseUntil: later(2) });
    assert.deepEqual([again?.kind, again?.attempt, others], ['shift_end', 2, []]);
  },

  async 'other receivers, other schedules and changes wait for nobody'(fixture) {
    const [another, elsewhere] = [
      buildShiftIntent('shift_start', { address: 'lin@example.test' }),
      buildShiftIntent('shift_start', { scheduleId: 't'.repeat(24) }),
    ];
    await insert(fixture, [end, start, another, elsewhere, change]);
    assert.deepEqual(kinds(await claim(fixture)), [
      ...['shift_end', 'shift_start', 'shift_start', 'shift_change'],
    ]);
  },

  async 'notices of incidents go first, then ends, starts and changes'(fixture) {
    const incident = buildIncident(fixture);
    const intents = [change, start, { ...end, address: 'lin@example.test' }];
    await insert(fixture, intents);
    await save(fixture, { opened: [incident], intents: [buildIntent(incident, { rank: 2 })] });
    const order = ['page', 'shift_end', 'shift_start', 'shift_change'];
    for (const kind of order) {
      const [next] = await claim(fixture, { limit: 1 });
      assert.equal(next?.kind, kind);
    }
  },

  async 'what is skipped from the beginning is kept and never claimed'(fixture) {
    await insert(fixture, [{ ...end, skipped: 'the user is not active' }, start]);
    assert.deepEqual(kinds(await claim(fixture)), ['shift_start']);
  },

  async 'a notice of a shift comes back as it was, and is known by its key'(fixture) {
    await insert(fixture, [start, change]);
    await insert(fixture, [{ ...start, why: 'again' }]);
    const claimed = await claim(fixture);
    assert.equal(claimed.length, 2);
    for (const [index, { key, kind, channel, address, story, why }] of [start, change].entries()) {
      const one = claimed[index];
      assert.ok(one?.about === 'shift');
      assert.deepEqual(
        { key: one.key, kind: one.kind, channel: one.channel, address: one.address, why: one.why },
        { key, kind, channel, address, why },
      );
      assert.deepEqual(plain(one.story), plain(story));
      assert.ok(one.story.changes.every((move) => move.start instanceof Temporal.Instant));
    }
  },
};

/** Instants as text, so that equal values compare as equal. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const fixtures: readonly (readonly [string, () => Promise<LedgerFixture>])[] = [
  ['in memory', inMemory],
  ...(await databases()).map((server) => [server.name, () => onPostgres(server)] as const),
];

for (const [name, open] of fixtures)
  describe(name, () => {
    for (const [title, claims] of Object.entries(suite))
      test(title, async () => {
        await using fixture = await open();
        await claims(fixture);
      });
  });
