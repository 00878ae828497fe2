import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { act } from '../../src/engine/actions.ts';
import type { Decision } from '../../src/engine/ports/events.ts';
import { keyText, rawKeyText } from '../../src/engine/ports/keys.ts';
import type { AttemptResult, ClaimRequest } from '../../src/engine/ports/sending.ts';
import { noteRefused } from '../../src/engine/refused-attempts.ts';
import type { Claimed } from '../../src/engine/sending/claimed.ts';
import {
  adminsOf,
  configurationIn,
  routedIntegrationIn,
} from '../../src/incidents/configuration.ts';
import type { Actor, Incident } from '../../src/incidents/incident.ts';
import type { Unentitled } from '../../src/incidents/refused-attempt.ts';
import { incidentsLimits } from '../../src/limits/incidents.ts';
import { databases } from '../database.ts';
import { later, noon } from '../incident-life.ts';
import {
  buildEvent,
  buildIncident,
  buildIntent,
  configurationOf,
  inMemory,
  inTransaction,
  keyOf,
  type LedgerFixture,
  onPostgres,
  receivingIntegrationOf,
  save,
} from './ledger-fixture.ts';

const request = (fields: Partial<ClaimRequest> = {}): ClaimRequest => ({
  now: noon,
  leaseUntil: later(1),
  limit: 10,
  busy: [],
  perRecipient: 4,
  ...fields,
});
const claim = async (fixture: LedgerFixture, fields: Partial<ClaimRequest> = {}) => {
  const claimed = await inTransaction(fixture, (tx) => tx.claim(request(fields), () => null));
  return claimed.filter((notice) => notice.about === 'incident');
};
const attempted = (claimed: Claimed, fields: Partial<AttemptResult> = {}): AttemptResult => ({
  claimed,
  finishedAt: noon,
  state: 'sent',
  reason: null,
  answer: null,
  status: null,
  wakeAt: null,
  entry: null,
  ...fields,
});
const finish = (fixture: LedgerFixture, one: AttemptResult) =>
  inTransaction(fixture, (tx) => tx.finish([one]));
const decided: Decision = { outcome: 'ignored', reason: 'nothing open', alerts: [] };
const known = async (fixture: LedgerFixture, dedup_key = 'disk', isTimed = false) => {
  const key = { ...keyOf(fixture, dedup_key), ...(isTimed && { isTimed }) };
  return (await inTransaction(fixture, (tx) => tx.keyStates([key]))).get(keyText(key));
};
const resolved = (incident: Incident): Incident => ({
  ...incident,
  status: 'resolved',
  escalation: { ...incident.escalation, stepAt: null },
});
/** One incident with one page, saved. */
async function paged(fixture: LedgerFixture): Promise<Incident> {
  const incident = buildIncident(fixture);
  await save(fixture, { opened: [incident], intents: [buildIntent(incident)] });
  return incident;
}

type Case = (fixture: LedgerFixture) => Promise<void>;
const suite: Readonly<Record<string, Case>> = {
  async 'a claim that may not have been committed is given back, or changes nothing'(fixture) {
    await paged(fixture);
    const giveBack = (claimed: Claimed, leaseUntil: Temporal.Instant) =>
      finish(
        fixture,
        attempted(claimed, {
          state: 'pending',
          reason: 'the database was lost',
          wakeAt: noon,
          withheldUnder: leaseUntil,
          isUncertain: true,
        }),
      );
    const [lost] = await claim(fixture);
    assert.ok(lost);
    assert.deepEqual(await claim(fixture), []);
    await giveBack(lost, later(1));
    const [again] = await claim(fixture, { leaseUntil: later(2) });
    assert.equal(again?.attempt, 1);
    assert.equal(again?.unknownSince, undefined);
    // Had it not been committed, this claim would be another server's.
    await giveBack(lost, later(1));
    assert.deepEqual(await claim(fixture), []);
    await finish(fixture, attempted(again));
    assert.equal(await fixture.ledger.nextNotice(), null);
  },

  async 'opened incidents get numbers in order, and come back as they were saved'(fixture) {
    const [a, b] = [buildIncident(fixture), buildIncident(fixture, { dedup_key: 'cpu' })];
    assert.deepEqual(
      await save(fixture, { opened: [a, b] }),
      new Map([
        [a.id, 1],
        [b.id, 2],
      ]),
    );
    const ids = [a.id, b.id];
    const { organization_id } = a;
    const back = await inTransaction(fixture, (tx) => tx.lockIncidents(organization_id, ids));
    assert.deepEqual(
      plain(back),
      plain([
        { ...a, number: 1 },
        { ...b, number: 2 },
      ]),
    );
  },

  async 'who was never sent a notice is claimed before whoever is sent one again'(fixture) {
    const incident = buildIncident(fixture);
    const page = (name: string) =>
      buildIntent(incident, { key: `${incident.id}/0/0/phone/${name}`, channel: 'phone' });
    await save(fixture, { opened: [incident], intents: [page('old')] });
    await save(fixture, { intents: [page('new')] }, later(1));
    const rooms = { each: 9, of: new Map() };
    const lanes = { each: 1, of: new Map() };
    const at = { now: later(2), leaseUntil: later(3) };
    const inLane = { ...at, rooms: { channels: rooms, organizations: rooms, calls: rooms, lanes } };
    const [first, ...others] = await claim(fixture, inLane);
    assert.ok(first);
    assert.deepEqual([first.key, others], [page('new').key, []]);
    await finish(fixture, attempted(first, { state: 'pending', reason: 'busy', wakeAt: later(2) }));
    const next = await claim(fixture, inLane);
    assert.deepEqual(
      next.map(({ key, attempt }) => [key, attempt]),
      [[page('old').key, 1]],
    );
  },

  async 'open incidents come in the order of their ids, a few at a time'(fixture) {
    const [a, b, c] = ['disk', 'cpu', 'net'].map((dedup_key) =>
      buildIncident(fixture, { dedup_key }),
    );
    assert.ok(a && b && c);
    await save(fixture, { opened: [a, b, c] });
    await save(fixture, { changed: [resolved(b)] });
    const next = (after: Incident | null) =>
      inTransaction(fixture, async (tx) => {
        const { incidents, last } = await tx.openIncidents(after, 1);
        return [incidents.map(({ id }) => id), last?.id];
      });
    const [first, second] = [a, c].map(({ id }) => id).sort();
    assert.deepEqual(await next(null), [[first], first]);
    const of = (id: string | undefined) => [a, c].find((one) => one.id === id) ?? null;
    assert.deepEqual(await next(of(first)), [[second], second]);
    assert.deepEqual(await next(of(second)), [[], undefined]);
  },

  async 'a jump of the clock moves notices that wait, unless time may have passed'(fixture) {
    await paged(fixture);
    const jump = { ms: 600_000, mayBeTime: true, incidents: 1, boot: 'boot' };
    const record = (fields: Partial<typeof jump>) =>
      inTransaction(fixture, (tx) => tx.recordJump({ ...jump, ...fields }, noon));
    await record({});
    assert.deepEqual(await fixture.ledger.nextNotice(), noon);
    await record({ mayBeTime: false });
    assert.deepEqual(await fixture.ledger.nextNotice(), later(10));
  },

  async 'what servers noted of clocks moves with them'(fixture) {
    const noted = (id: string, boot: string) => ({
      id: id.padStart(24, '0'),
      boot,
      host: 'host',
      ahead_ms: 5,
      booted_at: later(-60),
      read_at: noon,
    });
    const [one, two] = [noted('1', 'one'), noted('2', 'two')];
    await inTransaction(fixture, async (tx) => {
      for (const server of [two, one, one]) await tx.noteClock(server);
    });
    const all = () => inTransaction(fixture, (tx) => tx.notedClocks());
    assert.deepEqual(plain(await all()), plain([one, two]));
    const jump = { ms: 600_000, incidents: 0, boot: 'one' };
    const moved = { booted_at: later(-50), read_at: later(10) };
    await inTransaction(fixture, (tx) => tx.recordJump({ ...jump, mayBeTime: true }, noon));
    assert.deepEqual(plain(await all()), plain([{ ...one, ...moved }, two]));
    const back = { ...jump, ms: -600_000, mayBeTime: false };
    await inTransaction(fixture, (tx) => tx.recordJump(back, noon));
    const earlier = { booted_at: later(-70), read_at: later(-10) };
    assert.deepEqual(plain(await all()), plain([one, { ...two, ...earlier }]));
  },

  async 'nothing of a transaction that throws stays'(fixture) {
    const incident = buildIncident(fixture);
    const failing = fixture.ledger.transact(async (tx) => {
      await tx.insertEvents([{ event: buildEvent(fixture), decision: null }]);
      const intents = [buildIntent(incident)];
      const changes = { opened: [incident], changed: [], entries: [], intents, allClear: [] };
      await tx.save(changes, noon);
      throw new Error('no');
    });
    await assert.rejects(failing, /^Error: no$/);
    assert.equal(await known(fixture), undefined);
    assert.equal(await fixture.ledger.nextNotice(), null);
    assert.equal(await fixture.ledger.hasBacklog(), false);
    assert.deepEqual(
      [...(await save(fixture, { opened: [buildIncident(fixture)] })).values()],
      [1],
    );
  },

  async 'a key is known by its open incidents, how often it came, and what a person set'(fixture) {
    assert.equal(await known(fixture), undefined);
    const first = buildIncident(fixture, { priority: 'p1' });
    const { escalation } = first;
    const marked = { ...first, escalation: { ...escalation, prioritySetByPerson: true } };
    await save(fixture, { opened: [marked] });
    assert.deepEqual(
      (await known(fixture))?.open.map((one) => one.id),
      [first.id],
    );
    await save(fixture, { changed: [resolved(marked)] });
    const after = await known(fixture);
    assert.deepEqual(after?.open, []);
    assert.equal(after?.repeatCount, 1);
    assert.deepEqual(after?.carried, { priority: 'p1', severity: null });
  },

  async 'the last incident of a key is the one with the last number, whoever gave the ids'(
    fixture,
  ) {
    const [low, high] = [buildIncident(fixture), buildIncident(fixture)];
    assert.ok(low.id < high.id);
    await save(fixture, { opened: [{ ...resolved(high), repeat_count: 3 }] });
    await save(fixture, { opened: [{ ...resolved(low), repeat_count: 7 }] });
    assert.equal((await known(fixture))?.repeatCount, 8);
    const open = [buildIncident(fixture), buildIncident(fixture)];
    for (const one of open.toReversed()) await save(fixture, { opened: [one] });
    const ids = (await known(fixture))?.open.map(({ id }) => id);
    assert.deepEqual(
      ids,
      open.toReversed().map(({ id }) => id),
    );
  },

  async 'the key of a merged incident leads to the open end of the merges'(fixture) {
    const [a, b, c] = ['a', 'b', 'c'].map((dedup_key) => buildIncident(fixture, { dedup_key }));
    assert.ok(a && b && c);
    await save(fixture, { opened: [a, b, c] });
    const into = (from: Incident, to: Incident) => ({ ...resolved(from), merged_into_id: to.id });
    await save(fixture, { changed: [into(a, b), into(b, c)] });
    assert.deepEqual(
      (await known(fixture, 'a'))?.open.map((one) => one.id),
      [c.id],
    );
    await save(fixture, { changed: [resolved(c)] });
    assert.deepEqual((await known(fixture, 'a'))?.open, []);
  },

  async 'of a raw key the open incidents are known, and when the last other one was resolved'(
    fixture,
  ) {
    const { organization_id, integration_id } = keyOf(fixture);
    const key = { organization_id, integration_id, raw_key: 'undefined' };
    const read = async () => {
      const states = await inTransaction(fixture, (tx) => tx.rawKeyStates([key]));
      const { open = [], lastResolvedAt } = states.get(rawKeyText(key)) ?? {};
      return [open.map(({ id }) => id), lastResolvedAt?.toString()];
    };
    assert.deepEqual(await read(), [[], undefined]);
    const [a, b, other] = ['undefined', 'undefined', null].map((raw_key, index) =>
      buildIncident(fixture, { raw_key, dedup_key: `${index}` }),
    );
    assert.ok(a && b && other);
    await save(fixture, { opened: [a, b, other] });
    assert.deepEqual(await read(), [[a.id, b.id], undefined]);
    await save(fixture, { changed: [{ ...resolved(a), resolved_at: later(2) }] });
    assert.deepEqual(await read(), [[b.id], `${later(2)}`]);
    const merged = { ...resolved(b), resolved_at: later(1), merged_into_id: other.id };
    await save(fixture, { changed: [merged] });
    assert.deepEqual(await read(), [[other.id], `${later(2)}`]);
    // A later alert may bring it.
    await save(fixture, { changed: [{ ...resolved(other), resolved_at: later(3) }] });
    const late = buildIncident(fixture, { dedup_key: 'late' });
    await save(fixture, { opened: [late] });
    await save(fixture, { changed: [{ ...late, raw_key: 'undefined' }] });
    assert.deepEqual(await read(), [[late.id], `${later(2)}`]);
  },

  async 'an end is remembered with who sent it, and who had not'(fixture) {
    const key = { ...keyOf(fixture), isTimed: true } as const;
    const end = { by: 'group', endedAt: noon, takenAt: noon, putOff: null } as const;
    const read = async () => (await known(fixture, key.dedup_key, true))?.end;
    await save(fixture, { ends: [{ key, end }] });
    assert.deepEqual(plain(await read()), plain(end));
    const ofTwo = { ...end, reporter: 'http://a', stillReportedBy: ['http://b'] };
    await save(fixture, { ends: [{ key, end: ofTwo }] });
    assert.deepEqual(plain(await read()), plain(ofTwo));
  },

  async 'another of the same key is open, or not'(fixture) {
    const [a, b] = [buildIncident(fixture), buildIncident(fixture)];
    await save(fixture, { opened: [resolved(a), b] });
    assert.equal(await inTransaction(fixture, (tx) => tx.anotherIsOpen(a)), true);
    assert.equal(await inTransaction(fixture, (tx) => tx.anotherIsOpen(b)), false);
    const other = buildIncident(fixture, { dedup_key: 'other' });
    await save(fixture, { opened: [other] });
    await save(fixture, { changed: [{ ...resolved(b), merged_into_id: other.id }] });
    assert.equal(
      await inTransaction(fixture, (tx) => tx.anotherIsOpen(a)),
      true,
      'where its key leads',
    );
    await save(fixture, { changed: [resolved(other)] });
    assert.equal(await inTransaction(fixture, (tx) => tx.anotherIsOpen(a)), false);
  },

  async 'one that a person opened leads to the one that it was merged into'(fixture) {
    const opened = { integration_id: null, source_integration_id: null };
    const alone = buildIncident(fixture, { ...opened, dedup_key: 'alone' });
    const other = buildIncident(fixture, { dedup_key: 'other' });
    await save(fixture, { opened: [alone, other] });
    assert.equal(await inTransaction(fixture, (tx) => tx.anotherIsOpen(alone)), false);
    const merged = { ...resolved(alone), merged_into_id: other.id };
    await save(fixture, { changed: [merged] });
    assert.equal(await inTransaction(fixture, (tx) => tx.anotherIsOpen(merged)), true);
  },

  async 'incidents are due from their nearest timer on, the longest waiting first'(fixture) {
    const at = [later(3), later(1), later(2), null];
    const incidents = at.map((stepAt) => buildIncident(fixture, { stepAt, takenBy: null }));
    await save(fixture, { opened: incidents });
    const due = async (now: number, limit = 10) =>
      (await inTransaction(fixture, (tx) => tx.dueIncidents(later(now), limit))).map((one) =>
        incidents.findIndex((other) => other.id === one.id),
      );
    assert.deepEqual(await due(0.999), []);
    assert.deepEqual(await due(3), [1, 2, 0]);
    assert.deepEqual(await due(3, 2), [1, 2]);
    assert.equal(`${await fixture.ledger.nextIncident()}`, `${later(1)}`);
  },

  async 'a notice with a known key is not written again'(fixture) {
    const incident = await paged(fixture);
    await save(fixture, { intents: [buildIntent(incident, { why: 'again' })] });
    assert.deepEqual(
      (await claim(fixture)).map((one) => one.why),
      ['Step 1'],
    );
  },

  async 'claims take the most urgent first, then the newest, up to their limit'(fixture) {
    const incident = buildIncident(fixture);
    const notice = (key: string, rank: number) =>
      buildIntent(incident, { key, rank, address: key });
    await save(fixture, { opened: [incident], intents: [notice('old', 1), notice('first', 0)] });
    await save(fixture, { intents: [notice('new', 1)] }, later(1));
    const now = later(2);
    const keys = (all: readonly Claimed[]) => all.map((one) => one.key);
    assert.deepEqual(keys(await claim(fixture, { now, leaseUntil: later(3), limit: 2 })), [
      'first',
      'new',
    ]);
    assert.deepEqual(keys(await claim(fixture, { now, leaseUntil: later(3) })), ['old']);
  },

  async 'no receiver gets more than its share, and a busy one nothing'(fixture) {
    const incident = buildIncident(fixture);
    const to = (address: string) => (index: number) =>
      buildIntent(incident, { key: `${address}${index}`, address });
    const intents = [...[1, 2, 3].map(to('loud')), ...[1].map(to('calm'))];
    await save(fixture, { opened: [incident], intents });
    const claimed = await claim(fixture, { perRecipient: 2 });
    assert.deepEqual(claimed.map((one) => one.address).sort(), ['calm', 'loud', 'loud']);
    const busy = claimed.filter((one) => one.address === 'loud').map((one) => one.recipient_key);
    assert.deepEqual(await claim(fixture, { busy }), []);
    assert.equal((await claim(fixture, {})).length, 1);
  },

  async 'no more of an organisation or a channel is claimed than there is room for'(fixture) {
    const incident = buildIncident(fixture);
    const by = (channel: string) => (index: number) =>
      buildIntent(incident, { key: `${channel}${index}`, channel, address: `${channel}${index}` });
    const intents = [1, 2, 3].flatMap((index) => [by('slack')(index), by('email')(index)]);
    await save(fixture, { opened: [incident], intents });
    const any = { each: 10, of: new Map() };
    const rooms = { channels: any, organizations: any, calls: any, lanes: any };
    const claimed = async (fields: Partial<typeof rooms>) =>
      (await claim(fixture, { rooms: { ...rooms, ...fields } }))
        .map(({ channel }) => channel)
        .sort();
    const own = new Map([[incident.organization_id, 1]]);
    assert.equal((await claimed({ organizations: { each: 10, of: own } })).length, 1);
    const none = new Map([[incident.organization_id, 0]]);
    assert.deepEqual(await claimed({ organizations: { each: 10, of: none } }), []);
    assert.equal((await claimed({ organizations: { each: 2, of: new Map() } })).length, 2);
    const lanes = { each: 0, of: new Map() };
    const channels = { each: 10, of: new Map([['slack', 0]]) };
    assert.ok((await claimed({ channels })).every((channel) => channel === 'email'));
    assert.ok((await claimed({ lanes })).every((channel) => channel === 'slack'));
    const paced = [1, 2, 3].map(by('sms'));
    await save(fixture, { intents: paced });
    assert.deepEqual(await claimed({ lanes }), []);
    const lane = new Map([[`${incident.organization_id} sms`, 2]]);
    assert.deepEqual(await claimed({ lanes: { each: 0, of: lane } }), ['sms', 'sms']);
  },

  async 'a receiver may be given a share of its own'(fixture) {
    const incident = buildIncident(fixture);
    const to = (address: string) => (index: number) =>
      buildIntent(incident, { key: `${address}${index}`, address });
    const intents = [1, 2, 3, 4, 5].flatMap((index) => [to('quick')(index), to('calm')(index)]);
    await save(fixture, { opened: [incident], intents });
    const [first] = await claim(fixture, { limit: 1, perRecipient: 1 });
    const shares = new Map([[first?.recipient_key ?? '', 3]]);
    const claimed = await claim(fixture, { perRecipient: 1, shares });
    const toFirst = claimed.filter(({ address }) => address === first?.address);
    assert.deepEqual([toFirst.length, claimed.length - toFirst.length], [3, 1]);
  },

  async 'a claimed notice is not claimed again before its lease ends'(fixture) {
    await paged(fixture);
    assert.deepEqual(
      (await claim(fixture)).map((one) => one.attempt),
      [1],
    );
    assert.equal(`${await fixture.ledger.nextNotice()}`, `${later(1)}`);
    assert.equal(`${await fixture.ledger.nextNotice(noon)}`, `${later(1)}`);
    assert.equal(await fixture.ledger.nextNotice(later(1)), null);
    assert.deepEqual(await claim(fixture, { now: later(0.999) }), []);
    assert.deepEqual(
      (await claim(fixture, { now: later(1) })).map((one) => one.attempt),
      [2],
    );
  },

  async 'an unwanted notice is cancelled for good'(fixture) {
    const incident = await paged(fixture);
    const entry = { incident_id: incident.id, type: 'x', text: 'x', actor: null, details: null };
    const none = await inTransaction(fixture, (tx) =>
      tx.claim(request(), () => ({ reason: 'no', entry })),
    );
    assert.deepEqual(none, []);
    assert.equal(await fixture.ledger.nextNotice(), null);
    assert.deepEqual(await claim(fixture, { now: later(60) }), []);
  },

  async 'a confirmation stands whoever brings it'(fixture) {
    await paged(fixture);
    const [first] = await claim(fixture);
    const [second] = await claim(fixture, { now: later(1), leaseUntil: later(2) });
    assert.ok(first && second);
    await finish(fixture, attempted(first));
    await finish(fixture, attempted(second, { state: 'pending', wakeAt: later(3) }));
    assert.deepEqual(await claim(fixture, { now: later(60) }), []);
  },

  async 'a receipt that is written twice is told once'(fixture) {
    await paged(fixture);
    const [first] = await claim(fixture);
    assert.ok(first);
    const entry = { type: 'notice_sent', text: 'sent', actor: null, details: null };
    const receipt = attempted(first, { entry: { ...entry, incident_id: first.incident.id } });
    await finish(fixture, receipt);
    await finish(fixture, receipt);
    const sent = (await fixture.entryTypes()).filter((type) => type === 'notice_sent');
    assert.equal(sent.length, 1);
  },

  async 'a failure counts only while nobody has tried again since'(fixture) {
    await paged(fixture);
    const [first] = await claim(fixture);
    const [second] = await claim(fixture, { now: later(1), leaseUntil: later(2) });
    assert.ok(first && second);
    await finish(fixture, attempted(first, { state: 'failed', reason: 'late news' }));
    assert.equal(`${await fixture.ledger.nextNotice()}`, `${later(2)}`);
    await finish(fixture, attempted(second, { state: 'pending', wakeAt: later(5) }));
    assert.equal(`${await fixture.ledger.nextNotice()}`, `${later(5)}`);
  },

  async 'the end of a page tells its incident, and what is known of the pages of its round'(
    fixture,
  ) {
    const incident = await paged(fixture);
    const lin = { key: `${incident.id}/0/1/email/lin`, address: 'lin@example.test' };
    const [step, wave] = [1, 1];
    await save(fixture, { intents: [buildIntent(incident, { ...lin, step, wave, rank: 1 })] });
    const [one, ...behind] = await claim(fixture);
    assert.ok(one);
    assert.deepEqual(behind, []);
    const round = async () => {
      const rounds = await inTransaction(fixture, (tx) => tx.roundPages([incident], noon));
      return (rounds.get(incident.id) ?? []).map((page) => {
        const tried = page.isTried ? 'tried' : 'not tried';
        return `${page.step} in wave ${page.wave}: ${page.state}, ${tried}`;
      });
    };
    const ends = async (claimed: Claimed, state: 'pending' | 'failed' | 'sent') => {
      const { id } = incident;
      const entry = { incident_id: id, type: 'x', text: 'x', actor: null, details: null };
      const wakeAt = state === 'pending' ? later(1) : null;
      const ended = attempted(claimed, { state, reason: 'no', wakeAt, entry });
      return (await finish(fixture, ended)).map((touched) => touched.id);
    };
    assert.deepEqual(await round(), [
      '0 in wave 0: open, not tried',
      '1 in wave 1: open, not tried',
    ]);
    assert.deepEqual(await ends(one, 'failed'), [incident.id]);
    assert.deepEqual(await ends(one, 'failed'), []);
    const [other] = await claim(fixture);
    assert.ok(other?.about === 'incident');
    assert.equal(other.wave, 1);
    assert.deepEqual(await ends(other, 'pending'), [incident.id]);
    assert.deepEqual(await round(), ['0 in wave 0: over, tried', '1 in wave 1: open, tried']);
    const [again] = await claim(fixture, { now: later(1), leaseUntil: later(2) });
    assert.ok(again);
    assert.deepEqual(await ends(again, 'sent'), [incident.id]);
    assert.deepEqual((await round()).at(-1), '1 in wave 1: taken, tried');
  },

  async 'a page of a later step waits for no other once a page of that other’s step was taken'(
    fixture,
  ) {
    const incident = await paged(fixture);
    const to = (who: string, step: number) => {
      const address = `${who}@example.test`;
      return buildIntent(incident, { key: `${incident.id}/0/${step}/email/${who}`, address, step });
    };
    await save(fixture, { intents: [to('lin', 0)] });
    const first = await claim(fixture);
    assert.equal(first.length, 2);
    const again = { state: 'pending', reason: 'no answer', wakeAt: later(6) } as const;
    const [ada, lin] = first;
    assert.ok(ada && lin);
    for (const one of first) await finish(fixture, attempted(one, again));
    await save(fixture, { intents: [to('eve', 1)] }, later(5));
    const at = { now: later(5), leaseUntil: later(6) };
    assert.deepEqual(await claim(fixture, at), [], 'none was taken yet');
    await finish(fixture, attempted(ada, { state: 'sent' }));
    assert.deepEqual(
      (await claim(fixture, at)).map(({ address }) => address),
      ['eve@example.test'],
    );
  },

  async 'the all-clear goes once to each address that was tried, and to no other'(fixture) {
    const incident = buildIncident(fixture);
    const to = (key: string, address: string) => buildIntent(incident, { key, address });
    await save(fixture, { opened: [incident], intents: [to('1', 'lin')] });
    await save(fixture, { intents: [to('2', 'ada'), to('3', 'ada')] }, later(1));
    const now = later(1);
    const tried = await claim(fixture, { now, leaseUntil: later(2), limit: 2 });
    assert.deepEqual(new Set(tried.map((one) => one.address)), new Set(['ada']));
    for (let times = 0; times < 2; times += 1)
      await save(fixture, { changed: [resolved(incident)], allClear: [incident] }, now);
    const claimed = await claim(fixture, { now, leaseUntil: later(2) });
    assert.deepEqual(claimed.map((one) => `${one.kind} ${one.address}`).sort(), [
      'all_clear ada',
      'page lin',
    ]);
  },

  async 'whoever was paged for what was merged into it hears of its end, and why, once'(fixture) {
    const incidents = ['a', 'b', 'c'].map((dedup_key, index) =>
      buildIncident(fixture, { dedup_key, number: index + 1 }),
    );
    const [a, b, c] = incidents;
    assert.ok(a && b && c);
    const to = (incident: Incident, address: string) =>
      buildIntent(incident, { key: `${incident.id}/${address}`, address });
    const tried = [to(a, 'lin'), to(b, 'lin'), to(b, 'eve'), to(b, 'ada'), to(c, 'ada')];
    await save(fixture, { opened: incidents, intents: tried });
    assert.equal((await claim(fixture)).length, tried.length);
    const into = (from: Incident, to: Incident) => ({ ...resolved(from), merged_into_id: to.id });
    const merged = [into(a, b), into(b, c)];
    await save(fixture, { changed: merged, intents: [to(a, 'nobody')] });
    for (let times = 0; times < 2; times += 1)
      await save(fixture, { changed: [resolved(c)], allClear: [c] });
    const clears = (await claim(fixture)).filter(({ kind }) => kind === 'all_clear');
    assert.deepEqual(clears.map((one) => `${one.address}: ${one.why}`).sort(), [
      'ada: Step 1',
      'eve: Paged for INC-2, which was merged into this incident',
      'lin: Paged for INC-1, which was merged into this incident',
    ]);
    assert.deepEqual(new Set(clears.map(({ incident }) => incident.id)), new Set([c.id]));
  },

  async 'stored events wait in the order they came, until they are settled'(fixture) {
    const [late, early] = [buildEvent(fixture, later(2)), buildEvent(fixture, later(1))];
    const done = buildEvent(fixture);
    await inTransaction(fixture, (tx) =>
      tx.insertEvents([
        { event: late, decision: null },
        { event: early, decision: null },
        { event: done, decision: decided },
      ]),
    );
    assert.deepEqual(
      await inTransaction(fixture, (tx) => tx.withBacklog([keyOf(fixture)])),
      new Set([early.integration_id]),
    );
    const backlog = await inTransaction(fixture, (tx) => tx.backlog(10));
    assert.deepEqual(
      backlog.map((one) => one.id),
      [early.id, late.id],
    );
    assert.equal(new TextDecoder().decode(backlog[0]?.body), '{"title":"ü"}');
    assert.equal((await inTransaction(fixture, (tx) => tx.backlog(1))).length, 1);
    const fates = [early, late].map((event) => ({ event, decision: decided }));
    await inTransaction(fixture, (tx) => tx.settleEvents(fates));
    assert.equal(await fixture.ledger.hasBacklog(), false);
    assert.deepEqual(
      await inTransaction(fixture, (tx) => tx.withBacklog([keyOf(fixture)])),
      new Set(),
    );
  },

  async 'an event that is cut when it is settled is no longer stored whole'(fixture) {
    const event = buildEvent(fixture);
    await inTransaction(fixture, (tx) => tx.insertEvents([{ event, decision: null }]));
    const [key] = [keyOf(fixture)];
    assert.equal(
      await inTransaction(fixture, (tx) => tx.undecidedBytes(key)),
      event.body.byteLength,
    );
    const cut = { ...event, body: event.body.subarray(0, 5), cut_from: event.body.byteLength };
    await inTransaction(fixture, (tx) => tx.settleEvents([{ event: cut, decision: decided }]));
    assert.equal(await inTransaction(fixture, (tx) => tx.undecidedBytes(key)), 0);
    assert.deepEqual(await fixture.bodyOf(event.id), { body: '{"tit', cut_from: 14 });
  },

  async 'bytes are counted by integration and organisation, and anew each day'(fixture) {
    const { organization_id, integration_id } = keyOf(fixture);
    const other = { organization_id, integration_id: 'e'.repeat(24) };
    const keys = [keyOf(fixture), { ...other, dedup_key: '' }];
    const count = (bytes: number, of: object, now = noon, cutEvents = 0) =>
      inTransaction(fixture, (tx) =>
        tx.countBytes(
          [{ organization_id, integration_id, rows: {}, ...of, bytes, cutEvents }],
          now,
        ),
      );
    const spent = async (now = noon) => {
      const all = await inTransaction(fixture, (tx) => tx.spentBytes(keys, now));
      const by = new Map(all.map((one) => [one.integration_id, one]));
      return [integration_id, other.integration_id].map((id) => {
        const { integration, organization, cutEvents } = by.get(id) ?? {};
        return [integration, organization, cutEvents];
      });
    };
    assert.deepEqual(await spent(), [
      [0, 0, 0],
      [0, 0, 0],
    ]);
    await count(300, {}, noon, 2);
    await count(50, {}, noon, 1);
    await count(-100, {});
    await count(7, other);
    assert.deepEqual(await spent(), [
      [250, 257, 3],
      [7, 257, 0],
    ]);
    const rows = async (now = noon) => {
      const [own] = await inTransaction(fixture, (tx) => tx.spentBytes([keyOf(fixture)], now));
      return own?.rows;
    };
    await count(0, { rows: { dropped: 'a', ignored: 'b' } });
    await count(0, { rows: { ignored: 'c' } });
    assert.deepEqual(await rows(), { dropped: 'a', ignored: 'c' });
    const tomorrow = later(24 * 60);
    assert.deepEqual(await rows(tomorrow), {});
    assert.deepEqual(await spent(tomorrow), [
      [0, 0, 0],
      [0, 0, 0],
    ]);
    await count(20, {}, tomorrow);
    // A server whose clock is behind counts onto the day that another has begun.
    await count(5, {});
    await count(-90, {});
    assert.deepEqual(await spent(tomorrow), [
      [0, 0, 0],
      [0, 0, 0],
    ]);
    await count(5, {});
    assert.deepEqual(await spent(), [
      [5, 12, 0],
      [7, 12, 0],
    ]);
  },

  async 'what somebody did at a vendor acts once, and is done when it comes again'(fixture) {
    const { organizationId } = fixture.seeded;
    const incident = await paged(fixture);
    const connectionId = await fixture.addConnection();
    const reply = { organizationId, connectionId, eventId: '913527393' };
    const context = { ledger: fixture.ledger, clock: { now: () => noon }, committed() {} };
    const by = { type: 'user', id: fixture.seeded.ada, name: 'Ada', via: 'telegram' } as const;
    const escalate = (eventId: string) =>
      act(
        context,
        { organizationId, id: incident.id },
        {
          action: { type: 'escalate', by },
          mayTouch: () => true,
          reply: { ...reply, eventId },
        },
      );
    const results = [await escalate('1'), await escalate('1'), await escalate('1')];
    assert.deepEqual(
      results.map(({ result }) => result),
      ['done', 'done', 'done'],
    );
    const escalations = async () =>
      (await fixture.entryTypes()).filter((type) => type === 'escalated').length;
    assert.equal(await escalations(), 1);
    await escalate('2');
    assert.equal(await escalations(), 2);
    const unchanged = await act(
      context,
      { organizationId, id: incident.id },
      {
        action: { type: 'resolve', by },
        mayTouch: () => true,
        reply: { ...reply, eventId: '3' },
        reasonAgainst: () => 'it is not to be',
      },
    );
    assert.equal(unchanged.result, 'unchanged');
    const acted = (eventId: string) =>
      inTransaction(fixture, (tx) => tx.actedBefore({ ...reply, eventId }));
    const incidentId = incident.id;
    assert.deepEqual(
      [await acted('2'), await acted('3'), await acted('4')],
      [{ incidentId, unchanged: null }, { incidentId, unchanged: 'it is not to be' }, null],
    );
  },

  async 'what changes nothing is noted once for each person and way, and answered the same again'(
    fixture,
  ) {
    const { organizationId } = fixture.seeded;
    const { id } = await paged(fixture);
    const connectionId = await fixture.addConnection();
    const context = { ledger: fixture.ledger, clock: { now: () => noon }, committed() {} };
    const ada = { type: 'user', id: fixture.seeded.ada, name: 'Ada', via: 'slack' } as const;
    const bo = { type: 'user', id: 'b'.repeat(24), name: 'Bo', via: 'slack' } as const;
    const press = async (
      eventId: string,
      type: 'acknowledge' | 'unacknowledge' | 'resolve',
      by: Actor = ada,
    ) => {
      const done = await act(
        context,
        { organizationId, id },
        {
          action: { type, by },
          mayTouch: () => true,
          mayBeLate: true,
          reply: { organizationId, connectionId, eventId },
        },
      );
      return done.result === 'unchanged' ? done.reason : done.result;
    };
    const noted = async () =>
      (await fixture.entryTexts()).filter((text) => text.includes('which changed nothing'));
    assert.equal(await press('1', 'unacknowledge'), 'INC-1 is not acknowledged');
    assert.equal(await press('2', 'acknowledge', bo), 'done');
    assert.equal(await press('1', 'unacknowledge'), 'INC-1 is not acknowledged');
    const already = 'INC-1 is already acknowledged, by Bo';
    assert.equal(await press('3', 'acknowledge'), already);
    assert.equal(await press('4', 'acknowledge'), already);
    assert.equal(await press('5', 'acknowledge', { ...ada, via: 'sms' }), already);
    assert.equal(await press('6', 'acknowledge', bo), already);
    assert.equal(await press('7', 'resolve', bo), 'done');
    assert.equal(await press('3', 'acknowledge'), already);
    assert.equal(await press('2', 'acknowledge', bo), 'done');
    assert.equal(await press('8', 'unacknowledge'), 'INC-1 is already resolved, by Bo');
    assert.deepEqual(await noted(), [
      'Ada tried to unacknowledge in Slack, which changed nothing: it was not acknowledged',
      'Ada tried to acknowledge in Slack, which changed nothing: it was already acknowledged, by Bo',
      'Ada tried to acknowledge by SMS, which changed nothing: it was already acknowledged, by Bo',
      'Ada tried to unacknowledge in Slack, which changed nothing: it was already resolved, by Bo',
    ]);
  },

  async 'of those who change nothing through the API each is noted once while the state lasts'(
    fixture,
  ) {
    const { organizationId } = fixture.seeded;
    const { id } = await paged(fixture);
    const context = { ledger: fixture.ledger, clock: { now: () => noon }, committed() {} };
    const acts = (type: 'acknowledge' | 'unmute' | 'resolve', name = 'Ada') => {
      const by = { type: 'key', id: name, name, via: 'api' } as const;
      return act(context, { organizationId, id }, { action: { type, by }, mayTouch: () => true });
    };
    await acts('resolve');
    const results = [await acts('resolve'), await acts('resolve'), await acts('acknowledge')];
    assert.deepEqual(
      results.map(({ result }) => result),
      ['unchanged', 'unchanged', 'refused'],
    );
    for (let count = 0; count < 300; count += 1) await acts('resolve', `Bo ${count}`);
    const types = await fixture.entryTypes();
    assert.equal(
      types.filter((type) => type === 'unchanged').length,
      incidentsLimits.unchangedNoted,
    );
  },

  async 'who may not act is noted once, and of those who are unknown the first ten'(fixture) {
    const { organizationId, ada } = fixture.seeded;
    const incident = await paged(fixture);
    const { id } = incident;
    const context = { ledger: fixture.ledger, clock: { now: () => noon } };
    const tries = (who: Unentitled, mustBeOpen = false) =>
      noteRefused(
        context,
        { organizationId, id, mustBeOpen },
        { deed: 'resolve', via: 'slack', who },
      );
    const viewer = { person: { id: ada, name: 'Ada' }, why: 'a viewer cannot' };
    const strangers = Array.from({ length: 15 }, (_, index) => ({
      account: `a${index}`,
      name: `eve ${index}`,
    }));
    for (const who of [...strangers, viewer, ...strangers, viewer]) await tries(who);
    assert.deepEqual(
      (await fixture.entryTexts()).filter((text) => text.includes('refused')),
      [
        ...strangers
          .slice(0, 10)
          .map(
            ({ name }) => `An unknown person in Slack, ${name}, tried to resolve and was refused`,
          ),
        'Ada tried to resolve in Slack and was refused: a viewer cannot',
      ],
    );
    await save(fixture, { changed: [resolved(incident)] });
    await tries({ person: { id: 'c'.repeat(24), name: 'Bo' }, why: 'no' }, true);
    await noteRefused(
      context,
      { organizationId, id: 'f'.repeat(24) },
      { deed: 'resolve', via: 'slack', who: viewer },
    );
    assert.equal((await fixture.entryTypes()).filter((type) => type === 'refused').length, 11);
  },

  async 'where the message of a page shows the end, no all-clear is sent'(fixture) {
    const incident = await paged(fixture);
    const key = `${incident.id}/0/0/email/lin`;
    const lin = buildIntent(incident, { key, address: 'lin@example.test', recipient: 'Lin' });
    await save(fixture, { intents: [lin] });
    const [first, second] = (await claim(fixture)).toSorted((a, b) => (a.key < b.key ? -1 : 1));
    assert.ok(first && second);
    const message = { connectionId: null, place: 'chat', messageId: '7' };
    const posted = [{ ...message, shows: null, wakeAt: noon }];
    await finish(fixture, attempted(first, { posted }));
    await finish(fixture, attempted(second));
    const end = resolved(incident);
    await save(fixture, { changed: [end], allClear: [end] });
    const allClears = await claim(fixture);
    assert.deepEqual(
      allClears.map(({ kind, recipient }) => [kind, recipient]),
      [['all_clear', 'Lin']],
    );
  },

  async 'the configuration is read as it is'(fixture) {
    const { organizationId, integrationId, teamId } = fixture.seeded;
    const all = await inTransaction(fixture, (tx) => tx.configurations([organizationId], noon));
    const read = configurationIn(all, organizationId);
    assert.deepEqual(
      plain(routedIntegrationIn(read, integrationId)),
      plain(receivingIntegrationOf(fixture.seeded)),
    );
    const expected = configurationOf(fixture.seeded);
    for (const kind of ['people', 'schedules', 'teams'] as const)
      assert.deepEqual(plain([...read[kind]].sort()), plain([...expected[kind]].sort()), kind);
    assert.deepEqual(adminsOf(read, teamId), [fixture.seeded.boss]);
  },
};

/** Instants as text, so that equal values compare as equal. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const fixtures: readonly (readonly [string, () => Promise<LedgerFixture>])[] = [
  ['in memory', inMemory],
  ...(await databases('all')).map((server) => [server.name, () => onPostgres(server)] as const),
];

for (const [name, open] of fixtures)
  describe(name, () => {
    for (const [title, claims] of Object.entries(suite))
      test(title, async () => {
        await using fixture = await open();
        await claims(fixture);
      });
  });
