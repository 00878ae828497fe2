import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AttemptResult, ClaimRequest, Decision } from '../../src/engine/ledger.ts';
import { keyText } from '../../src/engine/ledger.ts';
import type { Claimed } from '../../src/engine/sending/claimed.ts';
import {
  adminsOf,
  configurationIn,
  receivingIntegrationIn,
} from '../../src/incidents/configuration.ts';
import type { Incident } from '../../src/incidents/incident.ts';
import { databases } from '../database.ts';
import { later, noon } from '../incident-life.ts';
import {
  ask,
  buildEvent,
  buildIncident,
  buildIntent,
  configurationOf,
  type Desk,
  inMemory,
  keyOf,
  onPostgres,
  receiverOf,
  save,
} from './desk.ts';

const request = (given: Partial<ClaimRequest> = {}): ClaimRequest => ({
  ...{ now: noon, leaseUntil: later(1), limit: 10, busy: [], perRecipient: 4 },
  ...given,
});
const claim = async (desk: Desk, given: Partial<ClaimRequest> = {}) => {
  const claimed = await ask(desk, (tx) => tx.claim(request(given), () => null));
  return claimed.filter((notice) => notice.about === 'incident');
};
const attempted = (claimed: Claimed, given: Partial<AttemptResult> = {}): AttemptResult => ({
  ...{ claimed, finishedAt: noon, state: 'sent', reason: null },
  ...{ answer: null, status: null, wakeAt: null, entry: null },
  ...given,
});
const finish = (desk: Desk, one: AttemptResult) => ask(desk, (tx) => tx.finish([one]));
const decided: Decision = { outcome: 'ignored', reason: 'nothing open', alerts: [] };
const known = async (desk: Desk, dedup_key = 'disk') => {
  const key = keyOf(desk, dedup_key);
  return (await ask(desk, (tx) => tx.keyStates([key]))).get(keyText(key));
};
const resolved = (incident: Incident): Incident => ({
  ...incident,
  status: 'resolved',
  escalation: { ...incident.escalation, stepAt: null },
});
/** One incident with one page, saved. */
async function paged(desk: Desk): Promise<Incident> {
  const incident = buildIncident(desk);
  await save(desk, { opened: [incident], intents: [buildIntent(incident)] });
  return incident;
}

type Case = (desk: Desk) => Promise<void>;
const suite: Readonly<Record<string, Case>> = {
  async 'opened incidents get numbers in order, and come back as they were saved'(desk) {
    const [a, b] = [buildIncident(desk), buildIncident(desk, { dedup_key: 'cpu' })];
    assert.deepEqual(
      await save(desk, { opened: [a, b] }),
      new Map([
        [a.id, 1],
        [b.id, 2],
      ]),
    );
    const ids = [a.id, b.id];
    const { organization_id } = a;
    const back = await ask(desk, (tx) => tx.lockIncidents(organization_id, ids));
    assert.deepEqual(
      plain(back),
      plain([
        { ...a, number: 1 },
        { ...b, number: 2 },
      ]),
    );
  },

  async 'nothing of a transaction that throws stays'(desk) {
    const incident = buildIncident(desk);
    const failing = desk.ledger.transact(async (tx) => {
      await tx.insertEvents([{ event: buildEvent(desk), decision: null }]);
      const intents = [buildIntent(incident)];
      const changes = { opened: [incident], changed: [], entries: [], intents, allClear: [] };
      await tx.save(changes, noon);
      throw new Error('no');
    });
    await assert.rejects(failing, /^Error: no$/);
    assert.equal(await known(desk), undefined);
    assert.equal(await desk.ledger.nextNotice(), null);
    assert.equal(await desk.ledger.hasBacklog(), false);
    assert.deepEqual([...(await save(desk, { opened: [buildIncident(desk)] })).values()], [1]);
  },

  async 'a key is known by its open incidents, how often it came, and what a person set'(desk) {
    assert.equal(await known(desk), undefined);
    const first = buildIncident(desk, { priority: 'p1' });
    const { escalation } = first;
    const marked = { ...first, escalation: { ...escalation, prioritySetByPerson: true } };
    await save(desk, { opened: [marked] });
    assert.deepEqual(
      (await known(desk))?.open.map((one) => one.id),
      [first.id],
    );
    await save(desk, { changed: [resolved(marked)] });
    const after = await known(desk);
    assert.deepEqual(after?.open, []);
    assert.equal(after?.repeatCount, 1);
    assert.deepEqual(after?.carried, { priority: 'p1', severity: null });
  },

  async 'the last incident of a key is the one with the last number, whoever gave the ids'(desk) {
    const [low, high] = [buildIncident(desk), buildIncident(desk)];
    assert.ok(low.id < high.id);
    await save(desk, { opened: [{ ...resolved(high), repeat_count: 3 }] });
    await save(desk, { opened: [{ ...resolved(low), repeat_count: 7 }] });
    assert.equal((await known(desk))?.repeatCount, 8);
    const open = [buildIncident(desk), buildIncident(desk)];
    for (const one of open.toReversed()) await save(desk, { opened: [one] });
    const ids = (await known(desk))?.open.map(({ id }) => id);
    assert.deepEqual(
      ids,
      open.toReversed().map(({ id }) => id),
    );
  },

  async 'the key of a merged incident leads to the open end of the merges'(desk) {
    const [a, b, c] = ['a', 'b', 'c'].map((dedup_key) => buildIncident(desk, { dedup_key }));
    assert.ok(a && b && c);
    await save(desk, { opened: [a, b, c] });
    const into = (from: Incident, to: Incident) => ({ ...resolved(from), merged_into_id: to.id });
    await save(desk, { changed: [into(a, b), into(b, c)] });
    assert.deepEqual(
      (await known(desk, 'a'))?.open.map((one) => one.id),
      [c.id],
    );
    await save(desk, { changed: [resolved(c)] });
    assert.deepEqual((await known(desk, 'a'))?.open, []);
  },

  async 'another of the same key is open, or not'(desk) {
    const [a, b] = [buildIncident(desk), buildIncident(desk)];
    await save(desk, { opened: [resolved(a), b] });
    assert.equal(await ask(desk, (tx) => tx.anotherIsOpen(a)), true);
    assert.equal(await ask(desk, (tx) => tx.anotherIsOpen(b)), false);
    const other = buildIncident(desk, { dedup_key: 'other' });
    await save(desk, { opened: [other] });
    await save(desk, { changed: [{ ...resolved(b), merged_into_id: other.id }] });
    assert.equal(await ask(desk, (tx) => tx.anotherIsOpen(a)), true, 'where its key leads');
    await save(desk, { changed: [resolved(other)] });
    assert.equal(await ask(desk, (tx) => tx.anotherIsOpen(a)), false);
  },

  async 'incidents are due from their nearest timer on, the longest waiting first'(desk) {
    const at = [later(3), later(1), later(2), null];
    const incidents = at.map((stepAt) => buildIncident(desk, { stepAt }));
    await save(desk, { opened: incidents });
    const due = async (now: number, limit = 10) =>
      (await ask(desk, (tx) => tx.dueIncidents(later(now), limit))).map((one) =>
        incidents.findIndex((other) => other.id === one.id),
      );
    assert.deepEqual(await due(0.999), []);
    assert.deepEqual(await due(3), [1, 2, 0]);
    assert.deepEqual(await due(3, 2), [1, 2]);
    assert.equal(`${await desk.ledger.nextIncident()}`, `${later(1)}`);
  },

  async 'a notice with a known key is not written again'(desk) {
    const incident = await paged(desk);
    await save(desk, { intents: [buildIntent(incident, { why: 'again' })] });
    assert.deepEqual(
      (await claim(desk)).map((one) => one.why),
      ['Step 1'],
    );
  },

  async 'claims take the most urgent first, then the newest, up to their limit'(desk) {
    const incident = buildIncident(desk);
    const notice = (key: string, rank: number) =>
      buildIntent(incident, { key, rank, address: key });
    await save(desk, { opened: [incident], intents: [notice('old', 1), notice('first', 0)] });
    await save(desk, { intents: [notice('new', 1)] }, later(1));
    const now = later(2);
    const keys = (all: readonly Claimed[]) => all.map((one) => one.key);
    assert.deepEqual(keys(await claim(desk, { now, leaseUntil: later(3), limit: 2 })), [
      'first',
      'new',
    ]);
    assert.deepEqual(keys(await claim(desk, { now, leaseUntil: later(3) })), ['old']);
  },

  async 'no receiver gets more than its share, and a busy one nothing'(desk) {
    const incident = buildIncident(desk);
    const to = (address: string) => (index: number) =>
      buildIntent(incident, { key: `${address}${index}`, address });
    const intents = [...[1, 2, 3].map(to('loud')), ...[1].map(to('calm'))];
    await save(desk, { opened: [incident], intents });
    const claimed = await claim(desk, { perRecipient: 2 });
    assert.deepEqual(claimed.map((one) => one.address).sort(), ['calm', 'loud', 'loud']);
    const busy = claimed.filter((one) => one.address === 'loud').map((one) => one.recipient_key);
    assert.deepEqual(await claim(desk, { busy }), []);
    assert.equal((await claim(desk, {})).length, 1);
  },

  async 'no more of an organisation or a channel is claimed than there is room for'(desk) {
    const incident = buildIncident(desk);
    const by = (channel: string) => (index: number) =>
      buildIntent(incident, { key: `${channel}${index}`, channel, address: `${channel}${index}` });
    const intents = [1, 2, 3].flatMap((index) => [by('slack')(index), by('email')(index)]);
    await save(desk, { opened: [incident], intents });
    const any = { each: 10, of: new Map() };
    const rooms = { channels: any, organizations: any, calls: any };
    const claimed = async (given: Partial<typeof rooms>) =>
      (await claim(desk, { rooms: { ...rooms, ...given } })).map(({ channel }) => channel).sort();
    const own = new Map([[incident.organization_id, 1]]);
    assert.equal((await claimed({ organizations: { each: 10, of: own } })).length, 1);
    const none = new Map([[incident.organization_id, 0]]);
    assert.deepEqual(await claimed({ organizations: { each: 10, of: none } }), []);
    assert.equal((await claimed({ organizations: { each: 2, of: new Map() } })).length, 2);
    const channels = { each: 10, of: new Map([['slack', 0]]) };
    assert.ok((await claimed({ channels })).every((channel) => channel === 'email'));
    assert.ok((await claimed({})).every((channel) => channel === 'slack'));
  },

  async 'a receiver may be given a share of its own'(desk) {
    const incident = buildIncident(desk);
    const to = (address: string) => (index: number) =>
      buildIntent(incident, { key: `${address}${index}`, address });
    const intents = [1, 2, 3, 4, 5].flatMap((index) => [to('quick')(index), to('calm')(index)]);
    await save(desk, { opened: [incident], intents });
    const [first] = await claim(desk, { limit: 1, perRecipient: 1 });
    const shares = new Map([[first?.recipient_key ?? '', 3]]);
    const claimed = await claim(desk, { perRecipient: 1, shares });
    const toFirst = claimed.filter(({ address }) => address === first?.address);
    assert.deepEqual([toFirst.length, claimed.length - toFirst.length], [3, 1]);
  },

  async 'a claimed notice is not claimed again before its lease ends'(desk) {
    await paged(desk);
    assert.deepEqual(
      (await claim(desk)).map((one) => one.attempt),
      [1],
    );
    assert.equal(`${await desk.ledger.nextNotice()}`, `${later(1)}`);
    assert.equal(`${await desk.ledger.nextNotice(noon)}`, `${later(1)}`);
    assert.equal(await desk.ledger.nextNotice(later(1)), null);
    assert.deepEqual(await claim(desk, { now: later(0.999) }), []);
    assert.deepEqual(
      (await claim(desk, { now: later(1) })).map((one) => one.attempt),
      [2],
    );
  },

  async 'an unwanted notice is cancelled for good'(desk) {
    const incident = await paged(desk);
    const entry = { incident_id: incident.id, type: 'x', text: 'x', actor: null, details: null };
    const none = await ask(desk, (tx) => tx.claim(request(), () => ({ reason: 'no', entry })));
    assert.deepEqual(none, []);
    assert.equal(await desk.ledger.nextNotice(), null);
    assert.deepEqual(await claim(desk, { now: later(60) }), []);
  },

  async 'a confirmation stands whoever brings it'(desk) {
    await paged(desk);
    const [first] = await claim(desk);
    const [second] = await claim(desk, { now: later(1), leaseUntil: later(2) });
    assert.ok(first && second);
    await finish(desk, attempted(first));
    await finish(desk, attempted(second, { state: 'pending', wakeAt: later(3) }));
    assert.deepEqual(await claim(desk, { now: later(60) }), []);
  },

  async 'a receipt that is written twice is told once'(desk) {
    await paged(desk);
    const [first] = await claim(desk);
    assert.ok(first);
    const entry = { type: 'notice_sent', text: 'sent', actor: null, details: null };
    const receipt = attempted(first, { entry: { ...entry, incident_id: first.incident.id } });
    await finish(desk, receipt);
    await finish(desk, receipt);
    const told = (await desk.said()).filter((type) => type === 'notice_sent');
    assert.equal(told.length, 1);
  },

  async 'a failure counts only while nobody has tried again since'(desk) {
    await paged(desk);
    const [first] = await claim(desk);
    const [second] = await claim(desk, { now: later(1), leaseUntil: later(2) });
    assert.ok(first && second);
    await finish(desk, attempted(first, { state: 'failed', reason: 'late news' }));
    assert.equal(`${await desk.ledger.nextNotice()}`, `${later(2)}`);
    await finish(desk, attempted(second, { state: 'pending', wakeAt: later(5) }));
    assert.equal(`${await desk.ledger.nextNotice()}`, `${later(5)}`);
  },

  async 'a page that fails for good tells its incident, and which steps have others'(desk) {
    const incident = await paged(desk);
    const lin = { key: `${incident.id}/0/1/email/lin`, address: 'lin@example.test' };
    await save(desk, { intents: [buildIntent(incident, { ...lin, step: 1, rank: 1 })] });
    const [one, other] = await claim(desk);
    assert.ok(one && other);
    const entry = { incident_id: incident.id, type: 'x', text: 'x', actor: null, details: null };
    const fails = async (claimed: Claimed) => {
      const told = await finish(desk, attempted(claimed, { state: 'failed', reason: 'no', entry }));
      const steps = await ask(desk, (tx) => tx.pagedSteps(incident));
      return { told: told.map(({ id }) => id), steps: [...steps] };
    };
    assert.deepEqual(await fails(one), { told: [incident.id], steps: [1] });
    assert.deepEqual(await fails(other), { told: [incident.id], steps: [] });
  },

  async 'the all-clear goes once to each address that was tried, and to no other'(desk) {
    const incident = buildIncident(desk);
    const to = (key: string, address: string) => buildIntent(incident, { key, address });
    await save(desk, { opened: [incident], intents: [to('1', 'lin')] });
    await save(desk, { intents: [to('2', 'ada'), to('3', 'ada')] }, later(1));
    const now = later(1);
    const tried = await claim(desk, { now, leaseUntil: later(2), limit: 2 });
    assert.deepEqual(new Set(tried.map((one) => one.address)), new Set(['ada']));
    for (let times = 0; times < 2; times += 1)
      await save(desk, { changed: [resolved(incident)], allClear: [incident] }, now);
    const claimed = await claim(desk, { now, leaseUntil: later(2) });
    assert.deepEqual(claimed.map((one) => `${one.kind} ${one.address}`).sort(), [
      'all_clear ada',
      'page lin',
    ]);
  },

  async 'whoever was paged for what was merged into it hears of its end, and why, once'(desk) {
    const incidents = ['a', 'b', 'c'].map((dedup_key, index) =>
      buildIncident(desk, { dedup_key, number: index + 1 }),
    );
    const [a, b, c] = incidents;
    assert.ok(a && b && c);
    const to = (incident: Incident, address: string) =>
      buildIntent(incident, { key: `${incident.id}/${address}`, address });
    const tried = [to(a, 'lin'), to(b, 'lin'), to(b, 'eve'), to(b, 'ada'), to(c, 'ada')];
    await save(desk, { opened: incidents, intents: tried });
    assert.equal((await claim(desk)).length, tried.length);
    const into = (from: Incident, to: Incident) => ({ ...resolved(from), merged_into_id: to.id });
    const merged = [into(a, b), into(b, c)];
    await save(desk, { changed: merged, intents: [to(a, 'nobody')] });
    for (let times = 0; times < 2; times += 1)
      await save(desk, { changed: [resolved(c)], allClear: [c] });
    const clears = (await claim(desk)).filter(({ kind }) => kind === 'all_clear');
    assert.deepEqual(clears.map((one) => `${one.address}: ${one.why}`).sort(), [
      'ada: Step 1',
      'eve: Paged for INC-2, which was merged into this incident',
      'lin: Paged for INC-1, which was merged into this incident',
    ]);
    assert.deepEqual(new Set(clears.map(({ incident }) => incident.id)), new Set([c.id]));
  },

  async 'stored events wait in the order they came, until they are settled'(desk) {
    const [late, early] = [buildEvent(desk, later(2)), buildEvent(desk, later(1))];
    const done = buildEvent(desk);
    await ask(desk, (tx) =>
      tx.insertEvents([
        { event: late, decision: null },
        { event: early, decision: null },
        { event: done, decision: decided },
      ]),
    );
    assert.deepEqual(
      await ask(desk, (tx) => tx.withBacklog([keyOf(desk)])),
      new Set([early.integration_id]),
    );
    const backlog = await ask(desk, (tx) => tx.backlog(10));
    assert.deepEqual(
      backlog.map((one) => one.id),
      [early.id, late.id],
    );
    assert.equal(new TextDecoder().decode(backlog[0]?.body), '{"title":"ü"}');
    assert.equal((await ask(desk, (tx) => tx.backlog(1))).length, 1);
    const fates = [early, late].map((event) => ({ event, decision: decided }));
    await ask(desk, (tx) => tx.settleEvents(fates));
    assert.equal(await desk.ledger.hasBacklog(), false);
    assert.deepEqual(await ask(desk, (tx) => tx.withBacklog([keyOf(desk)])), new Set());
  },

  async 'the configuration is read as it is'(desk) {
    const { organizationId, integrationId, teamId } = desk.place;
    const all = await ask(desk, (tx) => tx.configurations([organizationId], noon));
    const read = configurationIn(all, organizationId);
    assert.deepEqual(
      plain(receivingIntegrationIn(read, integrationId)),
      plain(receiverOf(desk.place)),
    );
    const expected = configurationOf(desk.place);
    for (const kind of ['people', 'schedules', 'teams'] as const)
      assert.deepEqual(plain([...read[kind]].sort()), plain([...expected[kind]].sort()), kind);
    assert.deepEqual(adminsOf(read, teamId), [desk.place.boss]);
  },
};

/** Instants as text, so that equal values compare as equal. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const places: readonly (readonly [string, () => Promise<Desk>])[] = [
  ['in memory', inMemory],
  ...(await databases()).map((server) => [server.name, () => onPostgres(server)] as const),
];

for (const [name, open] of places)
  describe(name, () => {
    for (const [title, claims] of Object.entries(suite))
      test(title, async () => {
        await using desk = await open();
        await claims(desk);
      });
  });
