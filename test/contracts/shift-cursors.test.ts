import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Tx } from '../../src/engine/ledger.ts';
import type { DueShiftCursor, ShiftChanges } from '../../src/engine/ports/shifts.ts';
import { configurationIn, personIn, rotaIn, webhookIn } from '../../src/incidents/configuration.ts';
import { advanceCursor, postponed } from '../../src/shifts/advance.ts';
import type { AnnouncedSchedule } from '../../src/shifts/announce.ts';
import type { ShiftIntent } from '../../src/shifts/notice.ts';
import { countEdit } from '../../src/storage/oncall/shift-cursor.ts';
import { json } from '../../src/storage/records/rows.ts';
import { databases } from '../database.ts';
import { later, noon } from '../incident-life.ts';
import {
  historyOf,
  inMemory,
  inTransaction,
  type LedgerFixture,
  onPostgres,
  type SharedLedgerFixture,
  scheduleOf,
} from './ledger-fixture.ts';

const due = (fixture: LedgerFixture, at = 0, limit = 10): Promise<readonly DueShiftCursor[]> =>
  inTransaction(fixture, (tx) => tx.dueShiftCursors(later(at), limit));
const save = (fixture: LedgerFixture, changes: ShiftChanges, at = 0): Promise<number> =>
  inTransaction(fixture, (tx) => tx.saveShifts([changes], later(at)));

let made = 0;
const newId = () => `${++made}`.padStart(24, '0');

/** What a look at the one schedule comes to, so many minutes after noon. */
async function advance(fixture: LedgerFixture, at: number): Promise<ShiftChanges> {
  const [one] = await due(fixture, at);
  assert.ok(one);
  const { schedule, cursor, history } = one;
  return {
    schedule,
    advanced: advanceCursor(cursor, { history, now: later(at), newId }),
    intents: [],
  };
}

function intentOf(
  { seeded }: LedgerFixture,
  { id, name, timezone }: AnnouncedSchedule,
): ShiftIntent {
  const user = { id: seeded.ada, first_name: 'ada', last_name: 'E', email: 'ada@example.test' };
  const story = {
    schedule: { id, name, timezone },
    user,
    shift: null,
    taken_off: false,
    other: null,
    changes: [],
  };
  return {
    key: 'shift/1/start/email/ada',
    kind: 'shift_start',
    channel: 'email',
    story,
    address: user.email,
    user_id: seeded.ada,
    recipient: 'Ada',
    mention: null,
    why: 'a test',
    skipped: null,
  };
}

type Case = (fixture: LedgerFixture) => Promise<void>;
const suite: Readonly<Record<string, Case>> = {
  async 'a schedule that was edited is due at once, with all that a look at it asks for'(fixture) {
    const { seeded } = fixture;
    assert.equal(`${await fixture.ledger.nextShiftCursor()}`, `${noon}`);
    assert.deepEqual(await due(fixture, -0.001), []);
    assert.deepEqual(plain(await due(fixture)), [
      plain({
        schedule: scheduleOf(seeded),
        cursor: { advanced_to: noon, running: null, edits: 2, seen_edits: 1 },
        history: historyOf(seeded),
      }),
    ]);
  },

  async 'a look is continued where the one before ended, with the shift that runs'(fixture) {
    const first = await advance(fixture, 1);
    assert.equal(await save(fixture, first), 0);
    const { wakeAt, cursor, events } = first.advanced;
    assert.deepEqual(
      events.map(({ type }) => type),
      ['start'],
    );
    assert.equal(`${await fixture.ledger.nextShiftCursor()}`, `${wakeAt}`);
    assert.deepEqual(await due(fixture, 2), []);
    const [again] = await due(fixture, 60);
    assert.deepEqual(plain(again?.cursor), plain(cursor));
    const second = await advance(fixture, 60);
    assert.equal(await save(fixture, second, 60), 0);
    assert.deepEqual(
      second.advanced.events.map(({ type, shift }) => `${type} ${shift.id === cursor.running?.id}`),
      ['end true', 'start false'],
    );
  },

  async 'an event that was recorded before is counted, and no notice is written again'(fixture) {
    const first = await advance(fixture, 0);
    const changes = { ...first, intents: [intentOf(fixture, first.schedule)] };
    assert.equal(await save(fixture, changes), 0);
    assert.equal(await save(fixture, changes, 1), 1);
    const request = { leaseUntil: later(3), limit: 10, busy: [], perRecipient: 4 };
    const claimed = await inTransaction(fixture, (tx) =>
      tx.claim({ now: later(2), ...request }, () => null),
    );
    assert.deepEqual(
      claimed.map(({ key, created_at }) => [key, `${created_at}`]),
      [['shift/1/start/email/ada', `${noon}`]],
    );
  },

  async 'what is put off is due again then, what has no time never'(fixture) {
    const [one] = await due(fixture);
    assert.ok(one);
    const { schedule, cursor } = one;
    await save(fixture, { schedule, advanced: postponed(cursor, later(1)), intents: [] });
    assert.deepEqual(await due(fixture, 0.999), []);
    assert.equal((await due(fixture, 1)).length, 1);
    const never = { ...postponed(cursor, noon), wakeAt: null };
    await save(fixture, { schedule, advanced: never, intents: [] });
    assert.deepEqual(await due(fixture, 100_000), []);
    assert.equal(await fixture.ledger.nextShiftCursor(), null);
  },

  async 'nothing of a look stays when its transaction fails'(fixture) {
    const changes = await advance(fixture, 0);
    const failing = inTransaction(fixture, async (tx) => {
      await tx.saveShifts([changes], noon);
      throw new Error('no');
    });
    await assert.rejects(failing, /^Error: no$/);
    assert.equal(await save(fixture, changes), 0);
  },
};

/** Instants as text, so that equal values compare as equal. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const servers = await databases();
const fixtures: readonly (readonly [string, () => Promise<LedgerFixture>])[] = [
  ['in memory', inMemory],
  ...servers.map((server) => [server.name, () => onPostgres(server)] as const),
];

for (const [name, open] of fixtures)
  describe(name, () => {
    for (const [title, claims] of Object.entries(suite))
      test(title, async () => {
        await using fixture = await open();
        await claims(fixture);
      });
  });

async function seedSettings({ sql, seeded }: SharedLedgerFixture): Promise<string> {
  const { organizationId: organization_id, teamId: team_id, ada, scheduleId } = seeded;
  const webhook = {
    organization_id,
    id: newId(),
    counter: 1,
    version: 1,
    team_id,
    name: 'Hook',
    url: 'sealed',
    method: 'POST',
    content_type: 'json',
    created_at: noon,
    updated_at: noon,
    archived_at: noon,
  };
  await sql`insert into outbound_webhooks ${sql(webhook)}`;
  const settingsOf = (settings: unknown) => ({ settings: json(sql, settings), updated_at: noon });
  const personal = { organization_id, user_id: ada, ...settingsOf({ shift_end: ['sms'] }) };
  await sql`insert into user_notifications ${sql(personal)}`;
  const own = { organization_id, oncall_schedule_id: scheduleId, ...settingsOf({ slack: [] }) };
  await sql`insert into schedule_notifications ${sql(own)}`;
  const settings = json(sql, { outbound_webhook_ids: [webhook.id] });
  await sql`update organizations set shift_notifications = ${settings} where id = ${organization_id}`;
  return webhook.id;
}

for (const server of servers)
  describe(`${server.name}, shared`, () => {
    test('whom shifts are told to is read as it is', async () => {
      await using fixture = await onPostgres(server);
      const { organizationId, ada, boss, scheduleId } = fixture.seeded;
      const hook = await seedSettings(fixture);
      const read = await inTransaction(fixture, (tx) => tx.configurations([organizationId], noon));
      const configuration = configurationIn(read, organizationId);
      const wishes = (id: string) => personIn(configuration, id).notifications;
      assert.deepEqual([wishes(ada), wishes(boss)], [{ shift_end: ['sms'] }, {}]);
      assert.deepEqual(rotaIn(configuration, scheduleId).notifications, { slack: [] });
      assert.deepEqual(configuration.notifications, { outbound_webhook_ids: [hook] });
      assert.equal(webhookIn(configuration, hook).archived, true);
    });

    test('two processes never look at the same schedule', async () => {
      await using fixture = await onPostgres(server);
      const both = await inTransaction(fixture, async (tx: Tx) => {
        const mine = await tx.dueShiftCursors(noon, 10);
        return [mine.length, (await due(fixture)).length];
      });
      assert.deepEqual(both, [1, 0]);
    });

    test('an edit waits for a look under way, and takes effect after it', async () => {
      await using fixture = await onPostgres(server);
      const { organizationId, scheduleId } = fixture.seeded;
      const { promise: isLocked, resolve: locked } = Promise.withResolvers<void>();
      const { promise: mayCommit, resolve: commit } = Promise.withResolvers<void>();
      const advancing = inTransaction(fixture, async (tx) => {
        const [one] = await tx.dueShiftCursors(later(5), 10);
        assert.ok(one);
        locked();
        await mayCommit;
        const { schedule, cursor, history } = one;
        const now = later(5);
        await tx.saveShifts(
          [{ schedule, advanced: advanceCursor(cursor, { history, now, newId }), intents: [] }],
          now,
        );
      });
      await isLocked;
      const editing = countEdit(fixture.sql, { organizationId, scheduleId, now: later(1) });
      while (!(await fixture.isAnyoneWaiting()));
      commit();
      await advancing;
      const { at, edit } = await editing;
      assert.deepEqual([`${at}`, edit], [`${later(5)}`, 3]);
      assert.equal(`${await fixture.ledger.nextShiftCursor()}`, `${later(5)}`);
    });
  });
