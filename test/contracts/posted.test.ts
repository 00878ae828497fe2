// Seeded stories of messages that stand outside: incidents change, edits fail, are slow, or are done
// while their answer is lost, and servers die. In the end each message equals its incident,
// and nothing was said below it twice.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { type Action, act } from '../../src/engine/actions.ts';
import { takenOf } from '../../src/engine/message-updates/decide-update.ts';
import { EditPace } from '../../src/engine/message-updates/pace.ts';
import { type PostStorage, Reconciler } from '../../src/engine/message-updates/reconcile.ts';
import { attemptResult } from '../../src/engine/sending/attempt-result.ts';
import type { Delivery, PostedMessage } from '../../src/engine/sending/channel.ts';
import type { Claimed } from '../../src/engine/sending/claimed.ts';
import { type Actor, type Incident, withEscalation } from '../../src/incidents/incident.ts';
import { alertsOf, countAlerts, withAlerts } from '../../src/incidents/incident-alerts.ts';
import type { Notice } from '../../src/notices/notice.ts';
import { compose } from '../../src/notices/queued.ts';
import { createPostStorage } from '../../src/storage/message-updates/posted-messages.ts';
import { databases } from '../database.ts';
import { noon } from '../incident-life.ts';
import { noFaults } from '../no-faults.ts';
import { Luck } from '../simulation/luck.ts';
import {
  buildIncident,
  buildIntent,
  inTransaction,
  onPostgres,
  type SharedLedgerFixture,
  save,
} from './ledger-fixture.ts';

const seeds = 12;
const steps = 40;
const people = ['ada', 'lin'] as const;
/** Of those whose messages need one. */
const connections: Readonly<Record<string, string>> = { lin: 'c'.repeat(24) };

/** What somebody who looks at a message reads. */
function textOf(notice: Notice): string {
  assert.ok(notice.about === 'incident');
  const { incident, taken } = notice;
  const { status, priority, otherAlerts = 0 } = incident;
  return [status, taken?.action, taken?.by, priority, otherAlerts].join(' ');
}

class World {
  readonly #fixture: SharedLedgerFixture;
  readonly #luck: Luck;
  readonly #storage: PostStorage;
  /** By message id. */
  readonly #messages = new Map<string, string>();
  /** What was said below them. */
  readonly #comments: string[] = [];
  readonly #incidents: Incident[] = [];
  /** How many joined. */
  #alerts = 0;
  /** Sent, with the answer not recorded yet. */
  readonly #unrecorded: Claimed[] = [];
  readonly #slow: (() => void)[] = [];
  #server: { readonly reconciler: Reconciler; isAlive: boolean };
  #now = noon;
  /** How the outside behaves. */
  #mood: 'any' | 'slow' | 'calm' = 'any';
  /** When the first of those that are slow began. */
  #slowSince = noon;

  constructor(fixture: SharedLedgerFixture, seed: number) {
    this.#fixture = fixture;
    this.#luck = new Luck(seed);
    this.#storage = createPostStorage(fixture.parts);
    this.#server = this.#start();
  }

  async live(): Promise<void> {
    for (const dedup_key of ['disk', 'cpu']) await this.#open(dedup_key);
    for (let step = 0; step < steps; step += 1) await this.#step();
    await this.#changeMeanwhile();
    this.#mood = 'calm';
    await this.#record();
    await this.#pass(16 * 60);
    for (let rounds = 0; rounds < 100; rounds += 1) {
      await this.#pass(61);
      await this.#reconcile();
      const next = await this.#storage.next(new EditPace().rooms(this.#now));
      // No try of an edit waits that long: they all wait to be compared once more, or forgotten.
      if (next === null || next.epochMilliseconds - this.#now.epochMilliseconds > 6e5) return;
    }
    assert.fail('it comes to no rest');
  }

  async check(): Promise<void> {
    const rows = await this.#fixture.sql<{ key: string; message_id: string }[]>`
      select key, message_id from posted`;
    const failed = (await this.#fixture.entryTypes()).filter((type) => type === 'edit_failed');
    assert.equal(rows.length + failed.length, this.#incidents.length * people.length);
    assert.deepEqual(this.#comments, [...new Set(this.#comments)], 'nothing is said twice');
    for (const { key, message_id } of rows) {
      const { organization_id } = this.#incidents[0] ?? assert.fail();
      const post = { organization_id, key } as Parameters<PostStorage['read']>[0];
      const { notice, last } = await this.#storage.read(post);
      const taken = takenOf(notice.incident, last);
      const { status, priority } = notice.incident;
      const others = Math.max(0, countAlerts(notice.incident).firing - 1);
      const wanted = [status, taken?.action, taken?.by, priority ?? undefined, others].join(' ');
      assert.equal(this.#messages.get(message_id), wanted, message_id);
    }
  }

  async #open(dedup_key: string): Promise<void> {
    const incident = buildIncident(this.#fixture, { dedup_key });
    const intents = people.map((name) =>
      buildIntent(incident, {
        key: `${incident.id}/0/0/email/${name}`,
        address: `${name}@example.test`,
        recipient: name,
      }),
    );
    await save(this.#fixture, { opened: [incident], intents });
    this.#incidents.push(incident);
    const now = this.#now;
    const request = { now, leaseUntil: now.add({ hours: 9 }), limit: 9, busy: [], perRecipient: 9 };
    const claimed = await inTransaction(this.#fixture, (tx) => tx.claim(request, () => null));
    for (const one of claimed) {
      assert.ok(one.about === 'incident');
      this.#messages.set(one.key, textOf(compose(one, composing)));
    }
    this.#unrecorded.push(...claimed);
  }

  async #step(): Promise<void> {
    const does = this.#luck.of([
      'act',
      'act',
      'join',
      'pass',
      'pass',
      'reconcile',
      'record',
      'land',
      'die',
    ]);
    if (does === 'act') await this.#act();
    else if (does === 'join') await this.#join();
    else if (does === 'pass') await this.#pass(this.#luck.of([0.3, 1, 2, 30, 90]));
    else if (does === 'reconcile') await this.#reconcile();
    else if (does === 'record' && this.#luck.chance(0.3)) await this.#record();
    else if (does === 'land') await this.#land();
    else if (does === 'die' && this.#luck.chance(0.3)) {
      this.#server.isAlive = false;
      this.#server = this.#start();
    }
  }

  /** The last changes of all come while edits are under way. */
  async #changeMeanwhile(): Promise<void> {
    this.#mood = 'slow';
    await this.#act();
    await this.#pass(15);
    await this.#reconcile();
    for (let count = 0; count < 4; count += 1) await this.#act();
    await this.#land();
  }

  async #act(): Promise<void> {
    const { id, organization_id: organizationId } = this.#luck.of(this.#incidents);
    const by: Actor = { type: 'user', name: this.#luck.of(['Ada', 'Bo', 'Cy']), via: 'api' };
    const type = this.#luck.of(['acknowledge', 'unacknowledge', 'resolve', 'reopen'] as const);
    const to = this.#luck.of(['p1', 'p2', 'p3']);
    const action: Action = this.#luck.chance(0.2) ? { type: 'set_priority', by, to } : { type, by };
    const clock = { now: () => this.#now };
    const { ledger, sql } = this.#fixture;
    const before = await sql<object[]>`
      select p.* from posted p join incidents i on i.id = p.incident_id
      where i.id = ${id} and i.status <> 'resolved'`;
    await act(
      { ledger, clock, committed() {} },
      { organizationId, id },
      { action, mayTouch: () => true },
    );
    if (type === 'resolve' || type === 'reopen' || !this.#luck.chance(0.2)) return;
    // Nothing wakes them: they are looked at when their quarter of an hour is over.
    await sql`
      update posted p
      set wake_at = r.wake_at, changes = r.changes, changed_at = r.changed_at, tries = r.tries
      from jsonb_populate_recordset(null::posted, ${sql.json(before as never)}) r
      where p.organization_id = r.organization_id and p.key = r.key`;
  }

  /** Another alert, if the incident is open. */
  async #join(): Promise<void> {
    const { id, organization_id } = this.#luck.of(this.#incidents);
    const now = this.#now;
    this.#alerts += 1;
    const title = `alert ${this.#alerts}`;
    await inTransaction(this.#fixture, async (tx) => {
      const [incident] = await tx.lockIncidents(organization_id, [id], () => null);
      if (incident === undefined || incident.status === 'resolved') return;
      const own = alertsOf(incident);
      const another = { ...(own[0] ?? assert.fail()), dedup_key: title, title, first_at: now };
      const grown = withAlerts(incident, [...own, another]);
      const changed = [withEscalation(grown, { joinedAt: now })];
      const details = { title };
      const entry = { incident_id: id, type: 'alert_joined', text: title, actor: null, details };
      const entries = [{ ...entry, organization_id }];
      await tx.save({ opened: [], changed, entries, intents: [], allClear: [] }, now);
    });
  }

  async #record(): Promise<void> {
    const attempts = this.#unrecorded.splice(0).map((claimed) => {
      const posted: PostedMessage = {
        connectionId: connections[claimed.recipient ?? ''] ?? null,
        place: claimed.address,
        messageId: claimed.key,
      };
      const delivery: Delivery = { outcome: 'delivered', posted: [posted] };
      return attemptResult(claimed, delivery, { now: this.#now, random: () => 0.5 });
    });
    await inTransaction(this.#fixture, (tx) => tx.finish(attempts));
  }

  /** No request takes as long as a lease lasts. */
  async #pass(seconds: number): Promise<void> {
    const next = this.#now.add({ milliseconds: seconds * 1_000 });
    const isOver = next.epochMilliseconds - this.#slowSince.epochMilliseconds > 20_000;
    if (isOver) await this.#land();
    this.#now = next;
  }

  async #reconcile(): Promise<void> {
    const { reconciler } = this.#server;
    await reconciler.claim();
    while (reconciler.underWay > this.#slow.length) await turn();
  }

  async #land(): Promise<void> {
    for (const land of this.#slow.splice(0)) land();
    while (this.#server.reconciler.underWay > 0) await turn();
  }

  #start() {
    const isDead = () => !server.isAlive;
    const whileAlive = <Args extends unknown[], T>(call: (...args: Args) => Promise<T>) => {
      return async (...args: Args): Promise<T> => {
        if (isDead()) throw new Error('the process is dead');
        return call(...args);
      };
    };
    const { claim, read, settle, next } = this.#storage;
    const reconciler = new Reconciler({
      storage: {
        claim: whileAlive(claim),
        read: whileAlive(read),
        settle: whileAlive(settle),
        next: whileAlive(next),
      },
      clock: { now: () => this.#now },
      random: () => this.#luck.next(),
      channels: new Map([
        [
          'email',
          {
            show: (notice, posted) => this.#show(notice, posted),
            comment: async (notice, posted) => this.#comment(notice, posted),
          },
        ],
      ]),
      compose: (claimed) => compose(claimed, composing),
      faults: (fault) => {
        if (!isDead()) noFaults(fault);
      },
      committed() {},
      edited() {},
      reported: async () => {},
    });
    const server = { reconciler, isAlive: true };
    return server;
  }

  #comment(notice: Notice, { messageId }: PostedMessage): Delivery {
    assert.ok(notice.about === 'incident');
    const { taken, joined } = notice;
    if (taken) this.#comments.push(`${messageId} ${taken.action} ${taken.at}`);
    else
      for (const title of joined?.titles ?? assert.fail())
        this.#comments.push(`${messageId} ${title} joined`);
    return this.#luck.chance(0.3)
      ? { outcome: 'no_answer', reason: 'no answer' }
      : { outcome: 'delivered' };
  }

  async #show(notice: Notice, { messageId }: PostedMessage): Promise<Delivery> {
    const text = textOf(notice);
    const how =
      this.#mood !== 'any'
        ? ({ slow: 'slow', calm: 'done' } as const)[this.#mood]
        : this.#luck.of(['done', 'done', 'done', 'slow', 'lost', 'busy', 'refused']);
    if (this.#slow.length === 0) this.#slowSince = this.#now;
    if (how === 'slow') await new Promise<void>((land) => this.#slow.push(land));
    if (how === 'busy') return { outcome: 'no_answer', reason: 'busy', retryAfterSeconds: 3 };
    if (how === 'refused' && this.#luck.chance(0.2)) {
      return { outcome: 'failed', reason: 'it is gone' };
    }
    this.#messages.set(messageId, text);
    return how === 'lost'
      ? { outcome: 'no_answer', reason: 'no answer' }
      : { outcome: 'delivered' };
  }
}

const composing = {
  publicUrl: 'https://pager.example',
  linkFor: () => '',
  handleFor: () => '',
};

for (const server of await databases())
  describe(server.name, () => {
    for (let seed = 0; seed < seeds; seed += 1)
      test(`each message ends equal to its incident: ${seed}`, async () => {
        await using fixture = await onPostgres(server);
        const world = new World(fixture, seed);
        await world.live();
        await world.check();
      });
  });
