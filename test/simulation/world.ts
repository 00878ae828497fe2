// A world in which everything goes wrong that can: the engine's own code runs in several server
// processes over one ledger, and a seed decides what happens. The same seed tells the same story.

import assert from 'node:assert/strict';
import { type Action, act } from '../../src/engine/actions.ts';
import type { Clock, Machine } from '../../src/engine/clock.ts';
import { jumpOf, notedBy, settleJump } from '../../src/engine/clock-jump.ts';
import { DatabaseClock, type Reading } from '../../src/engine/database-clock.ts';
import { createFaultReporter, type Faults } from '../../src/engine/faults.ts';
import { createIds, type Ids } from '../../src/engine/ids.ts';
import { runDueIncidents } from '../../src/engine/incident-timers.ts';
import { decideBacklog } from '../../src/engine/intake/backlog.ts';
import { Intake } from '../../src/engine/intake/intake.ts';
import { Refusals } from '../../src/engine/intake/refusals.ts';
import type { Refusing } from '../../src/engine/intake/refused-spells.ts';
import { type Log, silentLog } from '../../src/engine/log.ts';
import { openByHand } from '../../src/engine/open-by-hand.ts';
import type { StoredEvent } from '../../src/engine/ports/events.ts';
import type { NoticeChannel } from '../../src/engine/sending/channel.ts';
import { Dispatcher } from '../../src/engine/sending/dispatch.ts';
import { recordReport } from '../../src/engine/sending/follow-attempts.ts';
import { contentOf } from '../../src/engine/sending/webhook-call.ts';
import { advanceDueCursors } from '../../src/engine/shift-cursors.ts';
import { isDue } from '../../src/incidents/incident.ts';
import type { Report } from '../../src/incidents/open-by-hand.ts';
import type { Notice } from '../../src/notices/notice.ts';
import { compose } from '../../src/notices/queued.ts';
import type { History } from '../../src/oncall/revisions/history.ts';
import { eventReader as reader, reading } from '../event-reader.ts';
import { daily, type Edit, saved } from '../schedule-history.ts';
import { connections, handleOf } from './carrier.ts';
import { presenceLocks, refuseIn, returnIn, stayIn } from './deaf-rows.ts';
import {
  checkAdminsNotified,
  corruptRows,
  isCorrupt as isCorruptIn,
  isExpected,
  nameOf,
  type Row,
} from './failing-rows.ts';
import {
  type Changing,
  type Fate,
  FragileLedger,
  Lost,
  type ServerLedger,
} from './fragile-ledger.ts';
import { checkAllNotified, checkInvariants, checkNoneHeld, checkNoSilence } from './invariants.ts';
import { lateType } from './late-source.ts';
import { Luck } from './luck.ts';
import { checkNobodyWaits, checkReturn, waitingIn } from './outage.ts';
import { Outside } from './outside.ts';
import type { PostgresMirror } from './postgres-mirror.ts';
import { assertSame } from './same.ts';
import {
  arrivalOf,
  buildNeighbour,
  buildSetting,
  idOf,
  organizationId,
  type Renumbered,
  recipientKeyOf,
  renumbered,
  type Switched,
  schedules,
  someone,
  switched,
} from './setting.ts';
import { type Change, type Edited, editSchedule } from './shift-cursors.ts';
import { checkAllRecorded } from './shift-invariants.ts';

const start = Temporal.Instant.from('2026-03-28T22:00:00Z');
const minute = 60_000;
const diesWith = 0.01;
/** Spent within a day or not, and then bodies and details are cut. */
const storage = {
  bytes: 60_000,
  least: { body: 12, request: 20, details: 20, links: 0, alerts: 1 },
};
/** More than a storm of incidents that are not suppressed ever needs. */
const roundsMax = 1_000;
/** More than begin in the minutes of all waits. */
const shiftsMeanwhile = 3;

/** One server process: what it keeps in memory is gone when it dies. */
type Server = {
  alive: boolean;
  readonly clock: DatabaseClock;
  readonly machine: Machine;
  readonly id: string;
  /** Of its machine. */
  readonly boot: string;
  readonly ids: Ids;
  readonly ledger: ServerLedger;
  readonly intake: Intake;
  readonly refusals: Refusals;
  readonly dispatcher: Dispatcher;
};

export class World {
  readonly story: string[] = [];
  readonly ledger: FragileLedger;
  readonly outside: Outside;
  readonly luck: Luck;
  calm = false;
  /** That passes, whatever clocks show. */
  #time = start.epochMilliseconds;
  #databaseAhead = 0;
  #wallAhead = 0;
  #booted = 0;
  #servers: Server[];
  #accepted = 0;
  /** Since when no server was there, until one has noted that it is there again. */
  #leftAt: Temporal.Instant | null = null;
  /** What was told first, at whatever time: of work that nobody awaits as well. */
  #fault: Error | null = null;
  readonly #mirror: PostgresMirror | null;
  readonly #waiting = new WeakMap<Uint8Array, readonly StoredEvent[]>();

  readonly clock: Clock = { now: () => Temporal.Instant.fromEpochMilliseconds(this.#now) };

  /** Only what dies may fail: a fault that the engine survives ends the story all the same. */
  readonly log: Log = {
    ...silentLog,
    error: (fields, text) => {
      const isDeath = 'err' in fields && fields.err instanceof Lost;
      if (!isDeath) this.#fault ??= new Error(`a fault: ${text}`, { cause: fields });
    },
  };
  /** Nothing may fail but what is about a row that cannot be read. */
  readonly faults: Faults = (fault) => {
    if (isExpected(this.ledger, fault)) this.#reported.add(`${fault.of} ${fault.id}`);
    else createFaultReporter(this.log, () => {})(fault);
  };
  readonly #reported = new Set<string>();

  private constructor(seed: number, mirror: PostgresMirror | null) {
    this.luck = new Luck(seed);
    const [setting, ...others] = settingsOf(this.luck);
    const own = {
      luck: new Luck(-seed - 1),
      recipientKeyOf,
      others,
      faults: this.faults,
    };
    this.ledger = new FragileLedger(setting, own);
    this.#mirror = mirror;
    checkInvariants({ ledger: this.ledger, waiting: this.#waiting });
    this.outside = new Outside(this.luck);
    const boots = this.luck.chance(0.5) ? ['one', 'one'] : ['one', 'other'];
    this.#servers = boots.map((boot) => this.#boot(boot));
  }

  /** A world that begins; on PostgreSQL as well if that is given. */
  static async begin(seed: number, mirror: PostgresMirror | null): Promise<World> {
    await mirror?.begin(settingsOf(new Luck(seed)), start);
    const world = new World(seed, mirror);
    world.calm = true;
    for (const server of world.#servers) await world.#noteClock(server);
    world.calm = false;
    const layers = [daily(idOf('ada'), null, idOf('lin'))];
    for (const schedule of schedules) {
      const edited = { schedule, now: start };
      const { timezone } = schedule;
      await world.#declares(
        editOf(world.ledger, edited, (history, edit) => saved(history, edit, { timezone, layers })),
      );
    }
    return world;
  }

  addLine(line: string): void {
    this.story.push(`${this.clock.now().toString().slice(5, 19)} ${line}`);
  }

  get #now(): number {
    return this.#time + this.#databaseAhead;
  }

  pass(milliseconds: number): void {
    this.#time += milliseconds;
  }

  /** Somebody sets the database's clock; that of the servers' machines may be the same. */
  async jumps(milliseconds: number): Promise<void> {
    for (const server of this.#servers) await this.#noteClock(server);
    this.#databaseAhead += milliseconds;
    if (this.luck.chance(0.5)) this.#wallAhead += milliseconds;
    this.addLine(`the database's clock jumped by ${milliseconds / 1_000} s`);
    for (let isSettled = false; !isSettled; this.pass(1_000)) {
      isSettled = true;
      for (const server of this.#servers) if (!(await this.#agrees(server))) isSettled = false;
    }
  }

  async #noteClock({ clock, machine, ledger, id, boot }: Server): Promise<void> {
    clock.take(this.#read(machine));
    const { reading, bootedAt } = clock;
    const noted = notedBy({ id, boot, host: boot, reading, bootedAt });
    await this.#attempt(() => ledger.transact((tx) => tx.noteClock(noted)));
  }

  async #agrees({ clock, machine, ledger, id, boot }: Server): Promise<boolean> {
    const seen = clock.take(this.#read(machine));
    if (seen === 'jumped') {
      const jump = await this.#attempt(() => settleJump({ ledger, clock, id, boot, host: boot }));
      if (jump) this.addLine(`${jump.incidents} incidents are moved`);
    }
    return seen === 'agrees';
  }

  #read(machine: Machine): Reading {
    const at = machine.read();
    return { database: this.#now, before: at, after: at };
  }

  server(): Server {
    return this.luck.of(this.#servers);
  }

  /** Several requests at once to one server; a sender without an answer may send again. */
  async alerts(bodies: readonly { readonly integration: string; readonly body: object }[]) {
    const { intake, refusals } = this.server();
    const answers = await Promise.allSettled(
      bodies.map(({ integration, body }) => {
        const arrival = arrivalOf(integration, body);
        this.#waiting.set(arrival.body, this.ledger.undecided());
        return intake.receive(arrival);
      }),
    );
    for (const [index, answer] of answers.entries()) {
      const { integration = '', body = {} } = bodies[index] ?? {};
      const sent = JSON.stringify(body);
      if (answer.status === 'rejected') this.addLine(`${sent}: ${this.#dies(answer.reason)}`);
      else if (answer.value.type === 'full') {
        const { path: _, contentType: _type, body: _body, ...of } = arrivalOf(integration, {});
        await refusals.note({ ...of, status: 429, reason: 'full', isLost: false });
        this.addLine(`${sent}: full`);
      } else {
        this.#accepted += 1;
        const { eventId, type } = answer.value;
        assert.ok(this.ledger.events.has(eventId), `${eventId} was answered and is not stored`);
        this.addLine(
          `${sent}: ${type} ${JSON.stringify('alerts' in answer.value && answer.value.alerts)}`,
        );
      }
    }
  }

  async acts(id: string, action: Action): Promise<void> {
    const { ledger, clock } = this.server();
    const acting = { ledger, clock, committed: () => {} };
    const how = { action, mayTouch: () => true };
    const organizationId = this.ledger.incidents.get(id)?.organization_id ?? '';
    const done = await this.#attempt(() => act(acting, { organizationId, id }, how));
    this.addLine(`${action.by.name} does ${action.type} to ${id}: ${done?.result ?? 'lost'}`);
  }

  async opensByHand(organizationId: string, report: Report): Promise<void> {
    const { ledger, ids, clock } = this.server();
    const { faults } = this;
    const opening = { ledger, ids, clock, faults, committed: () => {} };
    const request = { organizationId, report, repeatable: null };
    const done = await this.#attempt(() => openByHand(opening, request));
    const what = `${report.title} by ${report.escalation_policy_id ?? 'no policy'}`;
    this.addLine(`${report.by.name} opens ${what}: ${done?.result ?? 'lost'}`);
  }

  /** No server is there for a while. */
  stops(milliseconds: number): void {
    this.#leftAt ??= this.clock.now();
    this.pass(milliseconds);
  }

  /** Servers that are there note it far more often than anything is done here. */
  async #notePresence(): Promise<void> {
    const { ledger } = this;
    const now = this.clock.now();
    const last = this.#leftAt ?? now;
    // After a stop the timers may come before a server notes that it is there.
    const isBack = this.#leftAt !== null && this.luck.chance(0.5);
    if (isBack) this.#leftAt = null;
    await this.#declares({
      locks: presenceLocks,
      own: () => {
        stayIn(ledger, last);
        if (isBack) returnIn(ledger, now);
      },
      async other(declared) {
        await declared.stay(last);
        if (isBack) await declared.returns(now);
      },
    });
  }

  /** What was refused, and since when. */
  async logsRefusals({ refusals }: Server): Promise<number> {
    const logged = await refusals.flush();
    if (logged) this.addLine(`${logged} rows of refusals are logged`);
    return logged;
  }

  async #recordDeaf(refusing: readonly Refusing[]): Promise<ReadonlySet<string>> {
    const { ledger } = this;
    let taken: ReadonlySet<string> = new Set();
    await this.#declares({
      locks: refusing.map(({ integrationId }) => `deaf ${integrationId}`).sort(),
      own: () => {
        taken = refuseIn(ledger, refusing);
      },
      other: async (declared) => assertSame('refuse', taken, await declared.refuse(refusing)),
    });
    return taken;
  }

  async runTimers(server: Server): Promise<number> {
    await this.#notePresence();
    const ran = await this.#attempt(() =>
      runDueIncidents(server.ledger, server.clock, this.faults),
    );
    if (ran) this.addLine(`${ran} incidents are looked at`);
    return ran ?? 0;
  }

  async advanceShifts(server: Server): Promise<number> {
    const { ledger, ids, clock } = server;
    const failed = () => assert.fail('a schedule could not be looked at');
    const advanced = await this.#attempt(() =>
      advanceDueCursors({
        ledger,
        ids,
        clock,
        log: this.log,
        recorded: () => {},
        failed,
      }),
    );
    if (advanced) this.addLine(`${advanced} schedules are looked at`);
    return advanced ?? 0;
  }

  /** `idAt`: of the override that an edit with that number makes. */
  async edits(
    text: string,
    change: (history: History, edit: Edit, idAt: (edit: number) => string) => History,
  ): Promise<void> {
    const schedule = this.luck.of(schedules);
    const { ledger } = this.server();
    const edited = { schedule, now: this.clock.now() };
    const idAt = (edit: number) => idOf(`${schedule.name}${edit}`);
    const changed: Change = (history, edit) => change(history, edit, idAt);
    const done = await this.#attempt(async () => {
      await ledger.change(editOf(this.ledger, edited, changed));
      return true;
    });
    this.addLine(`${schedule.name}: ${text}${done ? '' : ', lost'}`);
  }

  /** An integration is disabled or enabled, and somebody leaves or is back. */
  async switches(what: Switched): Promise<void> {
    const configuration = () => this.ledger.configurationOf(what.organizationId);
    await this.#declares({
      locks: [`configuration ${what.organizationId}`, `integration ${what.integrationId}`],
      own: () => this.ledger.declare(switched(configuration(), what)),
      other: (declared) => declared.switches(what),
    });
    const { integrations, people } = configuration();
    const { name, enabled } = integrations.get(what.integrationId) ?? {};
    const person = people.get(what.userId);
    this.addLine(`${name} is ${enabled ? 'enabled' : 'disabled'}, ${person?.name} changed`);
  }

  /** Somebody removes numbers, adds some, or puts them in another order. */
  async renumbers(what: Renumbered): Promise<void> {
    await this.#declares({
      locks: [`configuration ${organizationId}`],
      own: () => this.ledger.declare(renumbered(this.ledger.configurationOf(organizationId), what)),
      other: (declared) => declared.renumbers(what),
    });
    this.addLine(`${what.userId} is texted at ${what.numbers.join(', ') || 'no number'}`);
  }

  /** As a fault of an earlier version, or of whoever mends a database by hand, leaves it. */
  async corrupts(row: Row): Promise<void> {
    await this.#changesRow(row, { isCorrupt: true, other: (declared) => declared.corrupt(row) });
    this.addLine(`${nameOf(row)} cannot be read any more`);
  }

  async mends(row: Row): Promise<void> {
    await this.#changesRow(row, { isCorrupt: false, other: (declared) => declared.mend(row) });
    this.addLine(`${nameOf(row)} can be read again`);
  }

  #changesRow(
    row: Row,
    { isCorrupt, other }: Pick<Changing, 'other'> & { readonly isCorrupt: boolean },
  ): Promise<void> {
    const { ledger } = this;
    const name = nameOf(row);
    // Of a notice that somebody has claimed meanwhile, all that is needed was read.
    const isLate = () => row.of === 'notice' && ledger.outbox.get(row.id)?.attempts !== 0;
    const changes = () => isCorrupt !== isCorruptIn(ledger, row) && !(isCorrupt && isLate());
    let changed = false;
    const own = () => {
      changed = changes();
      if (changed) ledger.put(ledger.corruptions, name, isCorrupt);
    };
    return this.#declares({
      locks: [name, `corruptions ${name}`],
      own,
      other: async (declared) => {
        if (changed) await other(declared);
      },
    });
  }

  /** Through a server that does not die. */
  #declares(changing: Changing): Promise<void> {
    const mirror = this.#mirror?.server() ?? null;
    return this.ledger.seenBy(() => 'commit', { mirror }).change(changing);
  }

  async decides(server: Server): Promise<number> {
    const { ledger, ids, clock } = server;
    const deciding = {
      faults: this.faults,
      log: this.log,
      storage,
      ruled: () => {},
      typeOf: () => lateType,
      ...reading,
    };
    const options = { ledger, ids, clock, ...deciding };
    const decided = await this.#attempt(() => decideBacklog(options, 3));
    if (decided) this.addLine(`${decided} stored events are decided`);
    return decided ?? 0;
  }

  async sends(server: Server): Promise<number> {
    const claimed = await this.#attempt(() => server.dispatcher.claim());
    await this.ledger.idle();
    if (claimed) this.addLine(`${claimed} notices are sent`);
    return claimed ?? 0;
  }

  /** The vendor that takes messages calls one of the servers. */
  async reports(): Promise<void> {
    const report = this.outside.carrier.report();
    if (report === null) return;
    const { ledger, clock } = this.server();
    const done = await this.#attempt(() =>
      ledger.transact((tx) => recordReport(tx, report, clock.now())),
    );
    const { key, attempt, receipt } = report;
    this.addLine(`${receipt.state} is reported of ${key} ${attempt}${done ? '' : ', lost'}`);
  }

  /** Its memory is gone, and so is every answer that it waited for. */
  kill(server: Server): void {
    server.alive = false;
    const again = (one: Server) => (one === server ? this.#boot(server.boot) : one);
    this.#servers = this.#servers.map(again);
  }

  /** All goes well from now on, until everything is said and done. */
  async settle(): Promise<void> {
    this.calm = true;
    this.outside.calm = true;
    this.outside.isAway = false;
    this.outside.dead.clear();
    this.outside.answerAll();
    await this.ledger.idle();
    for (const server of [...this.#servers]) if (!server.alive) this.kill(server);
    // Whatever cannot be read holds up nothing else.
    await this.#work();
    checkAdminsNotified(this.ledger, this.#reported);
    for (const row of corruptRows(this.ledger)) await this.mends(row);
    await this.#outage();
    // Long enough for every repeat there may be.
    for (let times = 0; times < 10; times += 1) {
      await this.#work();
      checkNoSilence(this.ledger);
      this.pass(15 * minute);
    }
    for (const incident of this.ledger.incidents.values())
      await this.acts(incident.id, { type: 'resolve', by: someone });
    for (let hours = 0; hours < 30; hours += 6) {
      await this.#work();
      this.pass(6 * 60 * minute);
    }
    await this.#work();
    await this.#awaitReceipts();
    this.check();
    this.#checkEnd();
    await this.#mirror?.checkSame(this.ledger, this.#reported);
  }

  /** The uplink is away for some minutes, while all else goes well. */
  async #outage(): Promise<void> {
    this.outside.isAway = true;
    for (const integration of ['integration0', 'other0'])
      await this.alerts([{ integration, body: { title: 'uplink', status: 'trigger' } }]);
    for (let times = 0; times < 60; times += 1) {
      await this.#serveAll();
      checkNobodyWaits(this.ledger, this.clock.now());
      this.pass(5_000);
    }
    await this.#serveAll();
    checkNoSilence(this.ledger);
    const waiting = waitingIn(this.ledger, this.clock.now());
    this.addLine(`the uplink comes back to ${waiting.length} incidents`);
    this.outside.isAway = false;
    for (let times = 0; times < 90; times += 1) {
      this.pass(1_000);
      await this.#serveAll();
    }
    checkReturn(this.ledger, waiting);
  }

  /** All that can be done at this instant. */
  async #serveAll(): Promise<void> {
    for (let did = 1; did > 0; ) {
      did = 0;
      for (const server of this.#servers) did += await this.#serve(server);
    }
  }

  /**
   * Nothing is reported any more: by each way it is waited for once. While it is, a shift may begin,
   * and its notices wait as long again.
   */
  async #awaitReceipts(): Promise<void> {
    const isPending = () =>
      [...this.ledger.outbox.values()].some(({ state }) => state === 'pending');
    for (let times = 0; times < shiftsMeanwhile && isPending(); times += 1)
      for (const _connection of connections) {
        this.pass(minute);
        await this.#work();
      }
  }

  /** Works until nothing is due; whoever works for ever is at fault. */
  async #work(): Promise<void> {
    for (let round = 0; round < roundsMax; round += 1) {
      let did = 0;
      for (const server of this.#servers) did += await this.#serve(server);
      if (did > 0) continue;
      if (!(await this.#isDue())) return;
      // It waits for one before it that a dead process still holds.
      this.pass(minute);
    }
    assert.fail('the work never ends');
  }

  /** As its loops do: nothing is asked for before it is due. */
  async #serve(server: Server): Promise<number> {
    const { ledger } = server;
    const isPast = (at: Temporal.Instant | null) => at !== null && isDue(at, server.clock.now());
    let did = 0;
    if (isPast(server.refusals.dueAt)) did += await this.logsRefusals(server);
    if (await ledger.hasBacklog()) did += await this.decides(server);
    if (isPast(await ledger.nextIncident())) did += await this.runTimers(server);
    if (isPast(await ledger.nextShiftCursor())) did += await this.advanceShifts(server);
    if (isPast(await ledger.nextNotice())) did += await this.sends(server);
    return did;
  }

  async #isDue(): Promise<boolean> {
    const { ledger } = this;
    const next = [ledger.nextIncident(), ledger.nextShiftCursor(), ledger.nextNotice()];
    const isPast = (await Promise.all(next)).some(
      (one) => one !== null && one.epochMilliseconds <= this.#now,
    );
    return isPast || (await this.ledger.hasBacklog());
  }

  #checkEnd(): void {
    for (const { event, decision } of this.ledger.events.values())
      assert.ok(decision, `event ${event.id} was never decided`);
    const counted = [...this.ledger.events.values()].reduce((sum, row) => sum + row.times, 0);
    assert.ok(counted >= this.#accepted, `${this.#accepted} accepted, ${counted} stored`);
    const rung = new Set(this.outside.rings);
    for (const { state, intent, wakeAt } of this.ledger.outbox.values()) {
      assert.notEqual(state, 'pending', `${intent.key} waits until ${wakeAt}`);
      // Of what a vendor took it may never be known.
      const isTaken = this.outside.carrier.keys.has(intent.key);
      if (state === 'sent')
        assert.ok(isTaken || rung.has(intent.key), `${intent.key} reached nobody`);
    }
    this.#checkOneOpen();
    checkAllNotified(this.ledger);
    checkAllRecorded(this.ledger, start);
  }

  #checkOneOpen(): void {
    const openOf = new Map<string, string>();
    for (const incident of this.ledger.incidents.values()) {
      const { status, source_integration_id, dedup_key, id } = incident;
      // Alerts of one that cannot be read open another.
      if (status === 'resolved' || this.ledger.corruptions.has(nameOf({ of: 'incident', id })))
        continue;
      const { integrations } = this.ledger.configurationOf(incident.organization_id);
      if (integrations.get(source_integration_id ?? '')?.disableSuppression) continue;
      const key = `${source_integration_id} ${dedup_key}`;
      assert.equal(openOf.get(key) ?? id, id, `${key} is open twice`);
      openOf.set(key, id);
    }
  }

  /** After each step of the story. */
  check(): void {
    if (this.#fault !== null) throw this.#fault;
    this.#checkOneOpen();
    checkNoneHeld(this.ledger, this.clock.now());
  }

  async #attempt<T>(work: () => Promise<T>): Promise<T | null> {
    try {
      return await work();
    } catch (error) {
      this.addLine(this.#dies(error));
      return null;
    }
  }

  #dies(error: unknown): string {
    if (!(error instanceof Lost)) throw error;
    for (const server of this.#servers) if (!server.alive) this.kill(server);
    return error.message;
  }

  /** The clock is the database's, on a machine whose own is right or far off. */
  #bootMachine(boot: string): Pick<Server, 'clock' | 'machine' | 'id'> {
    this.#booted += 1;
    const id = this.#booted.toString(16).padStart(24, '0');
    const isOther = boot === 'other';
    const ahead = isOther ? 90 * minute : 0;
    const started = this.luck.below(60 * minute);
    const machine: Machine = {
      read: () => ({
        wall: this.#time + this.#wallAhead + ahead,
        steady: this.#time - started,
        up: this.#time - start.epochMilliseconds + (isOther ? 17 * minute : 0.375),
      }),
      steady: () => this.#time - started,
    };
    const reading = this.#read(machine);
    const noted = [...this.ledger.clocks.values()];
    const jump = jumpOf(noted, { id, boot, reading, agreedAt: null });
    return { clock: new DatabaseClock(machine, reading, jump?.ms), machine, id };
  }

  #boot(boot: string): Server {
    const { luck, outside, log, faults } = this;
    const { clock, machine, id } = this.#bootMachine(boot);
    const fate = (): Fate => {
      if (!server.alive) return 'lost_before';
      if (this.calm || !luck.chance(diesWith)) return 'commit';
      // Else only its connection is lost.
      server.alive = luck.chance(0.5);
      return luck.chance(0.5) ? 'lost_before' : 'lost_after';
    };
    const ledger = this.ledger.seenBy(fate, {
      mirror: this.#mirror?.server() ?? null,
      isAlive: () => server.alive,
    });
    const ids = createIds(clock, (bytes) => luck.bytes(bytes));
    const channels = new Map<string, NoticeChannel>([
      ['email', outside.channel<Notice>()],
      ['sms', outside.reportedChannel()],
      ['slack', outside.channel<Notice>()],
    ]);
    const shared = { ledger, clock, log, faults };
    const intake: Intake = new Intake({
      ...shared,
      ids,
      typeOf: () => lateType,
      reader,
      committed: () => {},
      ruled: () => {},
      eventsMax: 24,
      batchMax: 3,
      decideUpTo: 6,
      storage,
      taken: (id) => refusals.taken(id),
    });
    const refusals = new Refusals({
      clock,
      log,
      record: intake.record,
      recordDeaf: (refusing) => this.#recordDeaf(refusing),
    });
    const server: Server = {
      alive: true,
      clock,
      machine,
      id,
      boot,
      ids,
      ledger,
      intake,
      refusals,
      dispatcher: new Dispatcher({
        ...shared,
        channels,
        random: () => luck.next(),
        inFlightMax: 6,
        perRecipient: 2,
        receiptTries: 5,
        pause: async () => {},
        handleOf,
        compose: (claimed) =>
          compose(claimed, {
            publicUrl: 'https://pager.test',
            linkFor: () => '',
            handleFor: () => '',
          }),
        webhooks: outside.channel(),
        contentOf: (call) => contentOf(call, 'https://pager.test'),
        committed: () => {},
        attempted: () => {},
      }),
    };
    return server;
  }
}

const settingsOf = (luck: Luck) => [buildSetting(luck, start), buildNeighbour(luck)] as const;

const editOf = (ledger: FragileLedger, edited: Edited, change: Change): Changing => ({
  locks: [`shift_cursor ${edited.schedule.id}`],
  own: () => editSchedule(ledger, edited, change),
  other: (declared) => declared.edit(edited, change),
});
