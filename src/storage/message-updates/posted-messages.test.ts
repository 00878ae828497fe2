// Messages that stand outside, on PostgreSQL: recorded, woken, claimed, settled.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import {
  buildIncident,
  buildIntent,
  inTransaction,
  onPostgres,
  type SharedLedgerFixture,
  save,
} from '../../../test/contracts/ledger-fixture.ts';
import { databases } from '../../../test/database.ts';
import { later, noon } from '../../../test/incident-life.ts';
import { noFaults as faults } from '../../../test/no-faults.ts';
import { seedOrganization } from '../../../test/world.ts';
import { notYet, shownOf, uncertain } from '../../engine/message-updates/decide-update.ts';
import { EditPace } from '../../engine/message-updates/pace.ts';
import {
  type ClaimedPost,
  type PostClaim,
  Reconciler,
} from '../../engine/message-updates/reconcile.ts';
import type { AttemptResult } from '../../engine/ports/sending.ts';
import type { Channel, Delivery, PostedMessage } from '../../engine/sending/channel.ts';
import type { Claimed } from '../../engine/sending/claimed.ts';
import type { ReceiptState } from '../../engine/sending/receipt.ts';
import { type Incident, type Intent, withEscalation } from '../../incidents/incident.ts';
import { alertsOf } from '../../incidents/incident-alerts.ts';
import { sampleNotice } from '../../notices/kinds/incident.ts';
import type { Notice } from '../../notices/notice.ts';
import { adoptPosted, createPostStorage, refreshPosted, threadOf } from './posted-messages.ts';

const connectionId = 'c'.repeat(24);
const another = 'd'.repeat(24);
const second = 1 / 60;

/** Nothing is being changed. */
const free = new EditPace().rooms(noon);

const storageOf = ({ parts }: SharedLedgerFixture) => createPostStorage(parts);
const claim = (fixture: SharedLedgerFixture, at: number, fields: Partial<PostClaim> = {}) =>
  storageOf(fixture).claim({
    now: later(at),
    leaseUntil: later(at + 1),
    limit: 10,
    ...free,
    ...fields,
  });

/** With one channel. */
const reconcilerOf = (
  fixture: SharedLedgerFixture,
  now: () => Temporal.Instant,
  channel: Pick<Channel, 'show' | 'comment'>,
) =>
  new Reconciler({
    storage: storageOf(fixture),
    clock: { now },
    random: () => 0.5,
    faults,
    compose: () => sampleNotice(),
    channels: new Map([['email', channel]]),
    committed() {},
    edited() {},
    reported: async () => {},
  });

type Sent = {
  readonly connection?: string;
  readonly place?: string;
  readonly messageId?: string;
  readonly to?: string;
  readonly kind?: Intent['kind'];
  readonly at?: Temporal.Instant;
};

/** Of an incident that is stored, a page that is being sent. */
async function send(
  fixture: SharedLedgerFixture,
  incident: Incident,
  { to = 'ada', kind = 'page', at = noon }: Sent,
) {
  const key = `${incident.id}/0/${kind}/${at}/email/${to}`;
  const intent: Partial<Intent> = { key, kind, address: `${to}@example.test` };
  await save(fixture, { intents: [buildIntent(incident, intent)] }, at);
  const leaseUntil = at.add({ minutes: 1 });
  const request = { now: at, leaseUntil, limit: 10, busy: [], perRecipient: 4 };
  const [claimed] = await inTransaction(fixture, (tx) => tx.claim(request, () => null));
  assert.ok(claimed?.about === 'incident');
  return claimed;
}

/** The same, which then stands somewhere as a message. */
async function post(fixture: SharedLedgerFixture, incident: Incident, sent: Sent = {}) {
  const { connection = connectionId, place = 'chat', messageId = '7', at = noon } = sent;
  const claimed = await send(fixture, incident, sent);
  const result: AttemptResult = {
    claimed,
    finishedAt: at,
    state: 'sent',
    reason: null,
    answer: null,
    status: null,
    wakeAt: null,
    entry: null,
    posted: [
      {
        connectionId: connection,
        place,
        messageId,
        shows: shownOf(claimed.incident),
        joinedAt: claimed.incident.escalation.joinedAt,
        wakeAt: at,
      },
    ],
  };
  await inTransaction(fixture, (tx) => tx.finish([result]));
  return claimed;
}

async function open(fixture: SharedLedgerFixture, fields: Partial<Incident> = {}) {
  const incident = buildIncident(fixture, fields);
  await save(fixture, { opened: [incident] });
  return incident;
}

const acknowledged = (incident: Incident): Incident => ({
  ...incident,
  status: 'acknowledged',
  acknowledged_at: later(1),
});
const resolved = (incident: Incident): Incident => ({
  ...incident,
  status: 'resolved',
  resolved_at: later(2),
});

/** With alerts of these titles more. */
function grown(incident: Incident, titles: readonly string[], joinedAt: Temporal.Instant) {
  const own = alertsOf(incident);
  const [first] = own;
  assert.ok(first);
  const more = titles.map((title) => ({ ...first, dedup_key: title, title, first_at: joinedAt }));
  return withEscalation({ ...incident, alerts: [...own, ...more] }, { joinedAt });
}

const wakes = async ({ sql }: SharedLedgerFixture) => {
  const rows = await sql<{ message_id: string; wake_at: Temporal.Instant }[]>`
    select message_id, wake_at from posted order by message_id`;
  return rows.map(({ message_id, wake_at }) => `${message_id} ${wake_at}`);
};

/** As if it shows what it is to show. */
async function settleAll(fixture: SharedLedgerFixture, at: number): Promise<void> {
  for (const one of await claim(fixture, at))
    await storageOf(fixture).settle(one, { type: 'wait', until: later(at + 15) }, later(at));
}

const one = (posts: readonly ClaimedPost[]): ClaimedPost => {
  const [first, ...others] = posts;
  assert.ok(first);
  assert.deepEqual(others, []);
  return first;
};

/** Of an incident that is stored, a call that is being made. */
async function call(fixture: SharedLedgerFixture, incident: Incident, to: string, at = noon) {
  const intent: Partial<Intent> = { key: `${incident.id}/0/${at}/phone/${to}`, address: to };
  await save(fixture, { intents: [buildIntent(incident, { ...intent, channel: 'phone' })] }, at);
  const leaseUntil = at.add({ minutes: 1 });
  const request = { now: at, leaseUntil, limit: 10, busy: [], perRecipient: 4 };
  const [claimed] = await inTransaction(fixture, (tx) => tx.claim(request, () => null));
  assert.equal(claimed?.address, to);
  return claimed;
}

/** The vendor took it, as a call with this id. */
const callTaken = (fixture: SharedLedgerFixture, claimed: Claimed, vendorId: string) =>
  inTransaction(fixture, (tx) =>
    tx.finish([
      {
        claimed,
        finishedAt: claimed.created_at,
        state: 'pending',
        wakeAt: later(60),
        reason: null,
        answer: null,
        status: null,
        entry: null,
        reportedBy: { connectionId, vendorId },
        posted: [
          {
            connectionId,
            place: claimed.address,
            messageId: vendorId,
            shows: 'triggered',
            wakeAt: later(15),
          },
        ],
      },
    ]),
  );

const report = (
  fixture: SharedLedgerFixture,
  { organization_id, key, attempt }: Claimed,
  vendorId: string,
  state: ReceiptState,
) =>
  inTransaction(fixture, (tx) =>
    tx.recordReceipt(
      {
        organization_id,
        key,
        attempt,
        reportedBy: { connectionId, vendorId },
        receipt: { state, reason: '', blame: null },
      },
      noon,
    ),
  );

type Case = (fixture: SharedLedgerFixture) => Promise<void>;
const suite: Readonly<Record<string, Case>> = {
  async 'a message is looked at once after it was sent, and then when its incident changes'(
    fixture,
  ) {
    const incident = await open(fixture);
    await post(fixture, incident);
    assert.deepEqual(await wakes(fixture), [`7 ${noon}`]);
    await settleAll(fixture, 0);
    assert.deepEqual(await wakes(fixture), [`7 ${later(15)}`]);
    const other = await open(fixture, { dedup_key: 'cpu' });
    await save(fixture, { changed: [acknowledged(other)] }, later(1));
    assert.deepEqual(await wakes(fixture), [`7 ${later(15)}`]);
    const counted = { changed: [incident], counted: new Set([incident.id]) };
    await save(fixture, counted, later(1));
    assert.deepEqual(await wakes(fixture), [`7 ${later(15)}`], 'a repeat shows nowhere');
    await save(fixture, { changed: [acknowledged(incident)] }, later(1));
    await save(fixture, { changed: [resolved(incident)] }, later(1 + second / 2));
    assert.deepEqual(await wakes(fixture), [`7 ${later(1 + second)}`], 'both are one edit');
  },

  async 'of calls, those whose end was reported are forgotten, whenever that came'(fixture) {
    const incident = await open(fixture);
    const [first, early, other] = [
      await call(fixture, incident, '+491'),
      await call(fixture, incident, '+492'),
      await call(fixture, incident, '+493'),
    ];
    await callTaken(fixture, first, 'CA1');
    await report(fixture, first, 'CA1', 'sent');
    await report(fixture, first, 'CA1', 'answered');
    await report(fixture, early, 'CA2', 'unanswered');
    assert.deepEqual(await wakes(fixture), [`CA1 ${later(15)}`], 'a call under way is hung up');
    await callTaken(fixture, early, 'CA2');
    await callTaken(fixture, other, 'CA3');
    await report(fixture, first, 'CA1', 'unanswered');
    assert.deepEqual(await wakes(fixture), [`CA3 ${later(15)}`]);
  },

  async 'a message stays where it is, whatever is reported of it'(fixture) {
    const incident = await open(fixture);
    const claimed = await send(fixture, incident, {});
    const posted = { connectionId, place: 'chat', messageId: '7' };
    await inTransaction(fixture, (tx) =>
      tx.finish([
        {
          claimed,
          finishedAt: noon,
          state: 'pending',
          wakeAt: later(60),
          reason: null,
          answer: null,
          status: null,
          entry: null,
          reportedBy: { connectionId, vendorId: '7' },
          posted: [{ ...posted, shows: 'triggered', wakeAt: later(15) }],
        },
      ]),
    );
    await report(fixture, claimed, '7', 'delivered');
    assert.deepEqual(await wakes(fixture), [`7 ${later(15)}`]);
  },

  async 'the telephones that ring are hung up before messages change, the last call first'(
    fixture,
  ) {
    const incident = await open(fixture);
    await post(fixture, incident, { messageId: '7', connection: another });
    await settleAll(fixture, 0);
    for (const at of [1, 2, 3])
      await callTaken(fixture, await call(fixture, incident, `+49${at}`, later(at)), `CA${at}`);
    await post(fixture, incident, { messageId: '8', connection: another, at: later(4) });
    await settleAll(fixture, 4);
    await save(fixture, { changed: [acknowledged(incident)] }, later(5));
    const order: string[] = [];
    for (let claims = 0; claims < 5; claims += 1)
      for (const { posted } of await claim(fixture, 6, { limit: 1 })) order.push(posted.messageId);
    assert.deepEqual(order, ['CA3', 'CA2', 'CA1', '8', '7']);
  },

  async 'it is written anew from the incident as it is, and says who has it'(fixture) {
    const incident = await open(fixture);
    await post(fixture, incident);
    const { organization_id } = incident;
    const actor = { type: 'user', name: 'Ada', via: 'api' } as const;
    const entry = { organization_id, incident_id: incident.id, details: null };
    const entries = [
      { ...entry, type: 'acknowledged', text: 'Ada acknowledged', actor },
      { ...entry, type: 'note', text: 'on it', actor },
    ];
    await save(fixture, { changed: [acknowledged(incident)], entries }, later(1));
    const claimed = one(await claim(fixture, 2));
    const { notice, last } = await storageOf(fixture).read(claimed);
    assert.deepEqual(
      [notice.incident.status, notice.recipient, notice.why, notice.serviceName],
      ['acknowledged', 'Ada', 'Step 1', 'Shop'],
    );
    assert.deepEqual([last?.type, last?.actor?.name], ['acknowledged', 'Ada']);
    assert.deepEqual(claimed.posted, { connectionId, place: 'chat', messageId: '7' });
  },

  async 'one server at a time changes it, and another once the lease is over'(fixture) {
    await post(fixture, await open(fixture));
    const first = one(await claim(fixture, 0));
    assert.deepEqual(await claim(fixture, 0.5), []);
    const next = await storageOf(fixture).next(free);
    assert.equal(String(next), String(later(1)));
    const again = one(await claim(fixture, 1));
    assert.equal(again.tries, 2);
    // Whoever is late changes nothing.
    const late = { type: 'shown', shows: 'late', wakeAt: later(16), commentedAt: null } as const;
    assert.equal(await storageOf(fixture).settle(first, late, later(1)), false);
    const [row] = await fixture.sql`select shows, wake_at from posted`;
    assert.notEqual(row?.['shows'], 'late');
    assert.ok(row?.['wake_at']);
  },

  async 'what changes while it is being changed is shown next'(fixture) {
    const incident = await open(fixture);
    await post(fixture, incident);
    const claimed = one(await claim(fixture, 0));
    await save(fixture, { changed: [acknowledged(incident)] }, later(0.5));
    assert.deepEqual(await claim(fixture, 0.9), [], 'not before this is done');
    const shown = {
      type: 'shown',
      shows: 'triggered',
      wakeAt: later(16),
      commentedAt: later(0.5),
    } as const;
    assert.equal(await storageOf(fixture).settle(claimed, shown, later(0.9)), true);
    const again = one(await claim(fixture, 0.9));
    assert.deepEqual([again.shows, again.tries], ['triggered', 1]);
    assert.equal(String(again.commentedAt), String(later(0.5)));
    // That nothing is said now changes nothing of what was.
    await storageOf(fixture).settle(again, { ...shown, commentedAt: null }, later(0.9));
    await save(fixture, { changed: [resolved(incident)] }, later(1));
    assert.equal(String(one(await claim(fixture, 2)).commentedAt), String(later(0.5)));
  },

  async 'what changes within the same instant is shown next too'(fixture) {
    const incident = await open(fixture);
    await post(fixture, incident);
    const claimed = one(await claim(fixture, 0));
    await save(fixture, { changed: [acknowledged(incident)] }, noon);
    const shown = {
      type: 'shown',
      shows: 'triggered',
      wakeAt: later(9),
      commentedAt: null,
    } as const;
    await storageOf(fixture).settle(claimed, shown, noon);
    assert.equal(one(await claim(fixture, second)).shows, 'triggered');
  },

  async 'of what is sent anew while it is being changed it is not known what it shows'(fixture) {
    const incident = await open(fixture);
    await post(fixture, incident);
    const claimed = one(await claim(fixture, 0));
    const { key } = await post(fixture, incident, { at: later(second) });
    const shown = { type: 'shown', shows: 'before', wakeAt: later(9), commentedAt: null } as const;
    await storageOf(fixture).settle(claimed, shown, later(second));
    const again = one(await claim(fixture, second));
    assert.deepEqual([again.key, again.shows], [key, null]);
    await post(fixture, incident, { at: later(2 * second) });
    const { notice } = await storageOf(fixture).read(again);
    const failed = { type: 'failed', reason: 'it is gone', notice } as const;
    await storageOf(fixture).settle(again, failed, later(2 * second));
    assert.deepEqual(await fixture.entryTypes(), [], 'it is the one before that is gone');
    assert.notEqual(one(await claim(fixture, 2 * second)).key, key);
  },

  async 'what cannot be changed, and changes meanwhile, is tried once more'(fixture) {
    const incident = await open(fixture);
    await post(fixture, incident);
    const claimed = one(await claim(fixture, 0));
    await save(fixture, { changed: [acknowledged(incident)] }, later(0.5));
    const { notice } = await storageOf(fixture).read(claimed);
    const failed = { type: 'failed', reason: 'it is too old', notice } as const;
    await storageOf(fixture).settle(claimed, failed, later(0.9));
    await storageOf(fixture).settle(claimed, { type: 'forget' }, later(0.9));
    assert.deepEqual(await fixture.entryTypes(), []);
    assert.equal(one(await claim(fixture, 0.9)).key, claimed.key);
  },

  async 'where another notice has taken the place of the page, its person hears of the end'(
    fixture,
  ) {
    const incident = await open(fixture);
    await post(fixture, incident);
    await post(fixture, incident, { kind: 'assigned', at: later(1) });
    const end = resolved(incident);
    await save(fixture, { changed: [end], allClear: [end] }, later(2));
    const claimed = one(await claim(fixture, 3));
    const { notice } = await storageOf(fixture).read(claimed);
    assert.equal(notice.kind, 'assigned');
    const failed = { type: 'failed', reason: 'it is gone', notice } as const;
    await storageOf(fixture).settle(claimed, failed, later(3));
    const rows = await fixture.sql`select key from outbox where kind = 'all_clear'`;
    assert.equal(rows.length, 1);
  },

  async 'of each place one is changed at a time, and none of those that are busy'(fixture) {
    const incident = await open(fixture);
    await post(fixture, incident, { messageId: '1' });
    await post(fixture, incident, { messageId: '2', to: 'lin' });
    await post(fixture, incident, { messageId: '3', place: 'other', to: 'bo', at: later(second) });
    await post(fixture, incident, { messageId: '4', connection: another, to: 'cy' });
    const of = (posts: readonly ClaimedPost[]) =>
      posts.map(({ posted }) => posted.messageId).sort();
    const first = of(await claim(fixture, 0));
    assert.deepEqual([first.length, first[1]], [2, '4'], 'one of each connection');
    const busy = [`${connectionId} chat`];
    assert.deepEqual(await claim(fixture, second, { connections: [connectionId] }), []);
    assert.deepEqual(of(await claim(fixture, second, { busy })), ['3']);
    assert.equal(String(await storageOf(fixture).next({ ...free, busy })), String(later(1)));
  },

  async 'in a place that is paused only what somebody has just acted on is changed'(fixture) {
    const incident = await open(fixture);
    await post(fixture, incident, { messageId: '1' });
    await post(fixture, incident, { messageId: '2', to: 'lin' });
    const paused = [`${connectionId} chat`];
    assert.deepEqual(await claim(fixture, 0, { paused }), []);
    const message = { connectionId, place: 'chat', messageId: '2' };
    await refreshPosted(fixture.sql, incident.organization_id, message, noon);
    assert.equal(one(await claim(fixture, 0, { paused })).posted.messageId, '2');
  },

  async 'what is sent as the same message takes its place'(fixture) {
    const incident = await open(fixture);
    await post(fixture, incident);
    const { key } = await post(fixture, incident, { to: 'lin' });
    const rows = await fixture.sql`select key from posted`;
    assert.deepEqual(
      rows.map((row) => row['key']),
      [key],
    );
  },

  async 'what cannot be changed stays, with an entry, and its person hears of the end'(fixture) {
    const incident = await open(fixture);
    await post(fixture, incident);
    const other = await post(fixture, incident, { messageId: '8', to: 'lin' });
    const end = resolved(incident);
    await save(fixture, { changed: [end], allClear: [end] }, later(2));
    const allClears = async () => {
      const rows = await fixture.sql<{ recipient: string }[]>`
        select notice->>'recipient' as recipient, key from outbox where kind = 'all_clear'`;
      return rows.length;
    };
    assert.equal(await allClears(), 0, 'the messages become it');
    const { claimed } = { claimed: one(await claim(fixture, 3, { limit: 1 })) };
    const { notice } = await storageOf(fixture).read(claimed);
    const failed = { type: 'failed', reason: 'it is gone', notice } as const;
    await storageOf(fixture).settle(claimed, failed, later(3));
    await storageOf(fixture).settle(claimed, failed, later(3));
    assert.equal(await allClears(), 1);
    assert.deepEqual(await fixture.entryTypes(), ['edit_failed']);
    const [entry] = await fixture.sql<{ text: string }[]>`select text from timeline`;
    assert.equal(
      entry?.text,
      'The page to Ada by e-mail stays as it was, for it could not be changed: it is gone',
    );
    const left = await fixture.sql`select key from posted`;
    assert.equal(left.length, 1);
    assert.ok(other);
  },

  async 'it is forgotten when that is due, and with its notice'(fixture) {
    const incident = await open(fixture);
    await post(fixture, incident);
    const claimed = one(await claim(fixture, 0));
    await storageOf(fixture).settle(claimed, { type: 'forget' }, later(0));
    assert.deepEqual(await wakes(fixture), []);
    await post(fixture, incident, { to: 'lin' });
    await fixture.sql`delete from outbox`;
    assert.deepEqual(await wakes(fixture), []);
  },

  async 'a message that somebody acts on is due at once'(fixture) {
    const incident = await open(fixture);
    await post(fixture, incident);
    await settleAll(fixture, 0);
    const { organization_id } = incident;
    const message = { connectionId, place: 'chat', messageId: '7' };
    const refresh = (messageId: string) =>
      refreshPosted(fixture.sql, organization_id, { ...message, messageId }, later(5));
    assert.equal(await refresh('8'), false);
    assert.equal(await refresh('7'), true);
    assert.equal(one(await claim(fixture, 5)).shows, null);
  },

  async 'two batches of results lock their incidents in one order'(fixture) {
    const [first, second] = [await open(fixture), await open(fixture, { dedup_key: 'cpu' })];
    const attempt = async (
      incident: Incident,
      fields: Partial<AttemptResult>,
    ): Promise<AttemptResult> => ({
      claimed: await send(fixture, incident, {}),
      finishedAt: noon,
      state: 'sent',
      reason: null,
      answer: null,
      status: null,
      wakeAt: null,
      entry: null,
      ...fields,
    });
    const ids = { organization_id: first.organization_id, incident_id: second.id };
    const entry = { ...ids, type: 'notice_failed', text: 'failed', actor: null, details: null };
    const batch = [
      await attempt(second, { state: 'failed', entry }),
      await attempt(first, {
        posted: [{ connectionId, place: '1', messageId: '1', shows: null, wakeAt: noon }],
      }),
    ];
    const { sql } = fixture;
    const recorded: Promise<unknown>[] = [];
    await sql.begin(async (holder) => {
      await holder`select from incidents where id = ${first.id} for update`;
      recorded.push(inTransaction(fixture, (tx) => tx.finish(batch)));
      while (!(await fixture.isAnyoneWaiting())) await turn();
      const free = await sql`
        select from incidents where id = ${second.id} for update skip locked`;
      assert.equal(free.count, 1, 'the first of all is waited for before any other is locked');
    });
    await Promise.all(recorded);
  },

  async 'one organisation with ten thousand messages delays no other'(fixture) {
    const { sql } = fixture;
    const many = await post(fixture, await open(fixture));
    const { organizationId } = await seedOrganization(sql);
    await sql`
      insert into outbox
      select (json_populate_record(o, json_build_object('organization_id', ${organizationId}::text,
        'incident_id', null))).* from outbox o`;
    const insert = (organization: string, count: number, at: Temporal.Instant) => sql`
      insert into posted (organization_id, key, number, incident_id, place, message_id, wake_at,
        changed_at, shows)
      select ${organization}, ${many.key}, 1, ${many.incident.id}, 'device ' || n, '1', ${at},
        ${noon}, 'triggered' from generate_series(1, ${count}::integer) n`;
    await insert(many.organization_id, 10_000, noon);
    await insert(organizationId, 1, later(1));
    const claimed = await claim(fixture, 2, { limit: 2 });
    assert.deepEqual(
      claimed.map(({ organization_id }) => organization_id).sort(),
      [many.organization_id, organizationId].sort(),
    );
    const pressed = { connectionId: null, place: 'device 9999', messageId: '1' };
    await refreshPosted(sql, many.organization_id, pressed, later(2));
    const next = one(await claim(fixture, 2, { limit: 1 }));
    assert.deepEqual(next.posted, pressed, 'what somebody acts on comes first');
    const full = { each: 8, of: new Map([[many.organization_id, 0]]) };
    assert.deepEqual(await claim(fixture, 2, { organizations: full }), []);
  },

  async 'a vendor that says how long to wait is left alone, in all its chats'(fixture) {
    const incident = await open(fixture);
    await post(fixture, incident, { messageId: '1', place: 'one' });
    const at = later(second / 10);
    await post(fixture, incident, { messageId: '2', place: 'two', to: 'lin', at });
    await post(fixture, incident, { messageId: '3', connection: another, to: 'bo', at });
    await save(fixture, { changed: [acknowledged(incident)] }, at);
    let now = noon;
    const shown: string[] = [];
    const show = async (_notice: Notice, posted: PostedMessage): Promise<Delivery> => {
      shown.push(posted.messageId);
      return posted.connectionId === connectionId && shown.length < 3
        ? { outcome: 'no_answer', reason: 'busy', retryAfterSeconds: 30 }
        : { outcome: 'delivered' };
    };
    const reconciler = reconcilerOf(fixture, () => now, { show });
    const pass = async (seconds: number) => {
      now = later(seconds * second);
      await reconciler.claim();
      await reconciler.idle();
    };
    await pass(1);
    assert.deepEqual(shown.toSorted(), ['1', '3'], 'of the connection one begins at once');
    await pass(30);
    assert.equal(shown.length, 2);
    assert.equal(String(await reconciler.next()), String(later(31 * second)));
    await pass(31);
    assert.deepEqual(shown.slice(2), ['2']);
    await pass(31.05);
    assert.equal(shown.length, 3, 'the next begins a tenth of a second later');
    await pass(31.1);
    assert.deepEqual(shown.slice(3), ['1']);
  },

  async 'of an edit without an answer it is not known what it shows'(fixture) {
    const incident = await open(fixture);
    await post(fixture, incident);
    const claimed = one(await claim(fixture, 0));
    const retry = { type: 'retry', wakeAt: later(0.5) } as const;
    await storageOf(fixture).settle(claimed, retry, noon);
    assert.equal(one(await claim(fixture, 0.5)).shows, uncertain);
    await storageOf(fixture).settle(one(await claim(fixture, 2)), retry, later(2));
    await fixture.sql`update posted set shows = ${notYet}`;
    const pages = [one(await claim(fixture, 2)), one(await claim(fixture, 4))];
    assert.deepEqual(
      pages.map(({ shows }) => shows),
      [notYet, notYet],
      'a page is sent until it is taken',
    );
  },

  async 'when a message last showed another number of alerts is kept until it shows another'(
    fixture,
  ) {
    await post(fixture, await open(fixture));
    const settle = async (minute: number, countedAt?: Temporal.Instant) => {
      const claimed = one(await claim(fixture, minute));
      const shown = {
        type: 'shown',
        shows: 'x',
        wakeAt: later(minute + 1),
        commentedAt: null,
      } as const;
      await storageOf(fixture).settle(claimed, { ...shown, ...(countedAt && { countedAt }) }, noon);
      return claimed.countedAt;
    };
    assert.equal(await settle(0, later(0)), null);
    assert.deepEqual(await settle(1), later(0));
    assert.deepEqual(await settle(2, later(2)), later(0));
    assert.deepEqual(await settle(3), later(2));
  },

  async 'alerts that joined are named once below a message, half a minute apart'(fixture) {
    const calls: string[] = [];
    let now = noon;
    const reconciler = reconcilerOf(fixture, () => now, {
      async show() {
        calls.push('edit');
        return { outcome: 'delivered' };
      },
      async comment(notice: Notice) {
        assert.ok(notice.about === 'incident');
        const { joined, taken } = notice;
        calls.push(joined ? Object.values(joined).join(' ') : `${taken?.action}`);
        return { outcome: 'failed', reason: 'it is not retried' };
      },
    });
    const callsAt = async (minute: number) => {
      now = later(minute);
      await reconciler.claim();
      await reconciler.idle();
      return calls.splice(0);
    };
    let incident = await open(fixture);
    const join = async (minute: number, titles: readonly string[], details: object) => {
      const at = later(minute);
      incident = grown(incident, titles, at);
      const { id: incident_id, organization_id } = incident;
      const entry = { incident_id, organization_id, type: 'alert_joined', text: 'x', actor: null };
      await save(fixture, { changed: [incident], entries: [{ ...entry, details }] }, at);
    };
    await join(0, ['before'], { title: 'before' });
    await post(fixture, incident);
    assert.deepEqual(await callsAt(0), []);
    await join(1, ['a'], { title: 'a' });
    assert.deepEqual(await callsAt(1.1), ['edit', '1 a 3']);
    await join(1.2, ['b'], { title: 'b' });
    await join(1.3, ['c', 'd', 'e', 'f'], { alerts: 4, titles: ['c', 'd', 'e'] });
    assert.deepEqual([await callsAt(1.5), await callsAt(1.59)], [[], []]);
    assert.deepEqual(await callsAt(1.6), ['edit', '5 b,c,d 8']);
    await join(1.7, ['g'], { title: 'g' });
    const by = { type: 'user', name: 'Ada', via: 'api' } as const;
    incident = acknowledged(incident);
    const { id: incident_id, organization_id } = incident;
    const entry = {
      incident_id,
      organization_id,
      type: 'acknowledged',
      text: 'x',
      actor: by,
      details: null,
    };
    await save(fixture, { changed: [incident], entries: [entry] }, later(1.8));
    assert.deepEqual(await callsAt(1.9), ['edit', 'Acknowledged'], 'that is not held up');
    assert.deepEqual(await callsAt(2.1), ['1 g 9'], 'without an edit');
    await join(2.2, ['h'], { title: 'h' });
    incident = { ...incident, ...resolved(incident) };
    await save(fixture, { changed: [incident] }, later(2.3));
    assert.deepEqual(await callsAt(2.7), ['edit']);
    const row = await fixture.sql`select 1 from posted where joined_at = ${later(2.2)}`;
    assert.equal(row.length, 1, 'nor after it is reopened');
    assert.deepEqual(await callsAt(60), []);
  },

  async 'a message whose answer was lost is kept with the page that went to its place'(fixture) {
    const incident = await open(fixture);
    const claimed = await post(fixture, incident, { place: 'ada@example.test' });
    await settleAll(fixture, 0);
    const adopt = (messageId: string, place = 'ada@example.test') =>
      adoptPosted(fixture.parts, {
        incident,
        channel: 'email',
        address: place,
        now: later(5),
        posted: { connectionId, place, messageId },
      });
    assert.equal(await adopt('8', 'bo@example.test'), false, 'nothing was sent there');
    assert.deepEqual([await adopt('8'), await adopt('9')], [true, true]);
    const adopted = await claim(fixture, 5);
    const { notice } = await storageOf(fixture).read(one(adopted));
    assert.equal(notice.key, claimed.key);
    assert.deepEqual(await wakes(fixture), [`7 ${later(15)}`, `8 ${later(5)}`, `9 ${later(5)}`]);
    assert.equal((await threadOf(fixture.sql, claimed))?.messageId, '7');
    const rows = await fixture.sql<{ number: number }[]>`select number from posted order by number`;
    assert.deepEqual(
      rows.map(({ number }) => number),
      [-1, 0, 1],
    );
  },

  async 'of messages that people press at the same moment, none is left as it was'(fixture) {
    const incident = await open(fixture);
    await post(fixture, incident, { place: 'ada@example.test' });
    const copies = ['8', '9', '10', '11', '12', '13'];
    const adopted = await Promise.all(
      copies.map((messageId) =>
        adoptPosted(fixture.parts, {
          incident,
          channel: 'email',
          address: 'ada@example.test',
          now: later(5),
          posted: { connectionId, place: 'ada@example.test', messageId },
        }),
      ),
    );
    assert.deepEqual(
      adopted,
      copies.map(() => true),
    );
  },

  async 'a later notice finds the first message where it goes'(fixture) {
    const incident = await open(fixture);
    const first = await post(fixture, incident, { messageId: '1' });
    assert.deepEqual(await threadOf(fixture.sql, first), {
      connectionId,
      place: 'chat',
      messageId: '1',
    });
    const other = await open(fixture, { dedup_key: 'cpu' });
    assert.equal(await threadOf(fixture.sql, { ...first, incident: other }), null);
    assert.equal(await threadOf(fixture.sql, { ...first, recipient_key: 'another' }), null);
  },
};

for (const server of await databases())
  describe(server.name, () => {
    for (const [title, run] of Object.entries(suite))
      test(title, async () => {
        await using fixture = await onPostgres(server);
        await run(fixture);
      });
  });
