import assert from 'node:assert/strict';
import { test } from 'node:test';
import { opened } from '../../test/incident-life.ts';
import { incidentsLimits } from '../limits/incidents.ts';
import { isNoted, type PastEntry, soAlready, unchanged } from './actions-without-effect.ts';
import type { Actor, Status } from './incident.ts';

const person = (name: string, via: Actor['via'] = 'slack'): Actor => ({
  type: 'user',
  id: name.toLowerCase(),
  name,
  via,
});
const ada = person('Ada');
const bo = person('Bo');

const past = (type: string, by: Actor | null): PastEntry => ({
  type,
  account: null,
  actor: by && { type: by.type, id: by.id ?? null, name: by.name, via: by.via },
});
const inStatus = (status: Status) => ({ ...opened().incident, number: 7, status });

const states: readonly (readonly [action: string, Status, ReturnType<typeof soAlready>])[] = [
  ['acknowledge', 'triggered', null],
  ['acknowledge', 'acknowledged', 'already acknowledged'],
  ['acknowledge', 'resolved', 'already resolved'],
  ['unacknowledge', 'triggered', 'not acknowledged'],
  ['unacknowledge', 'acknowledged', null],
  ['unacknowledge', 'resolved', 'already resolved'],
  ['escalate', 'triggered', null],
  ['escalate', 'acknowledged', null],
  ['escalate', 'resolved', 'already resolved'],
  ['resolve', 'acknowledged', null],
  ['resolve', 'resolved', 'already resolved'],
  ['perform', 'resolved', null],
  ['note', 'resolved', null],
];
for (const [action, status, already] of states)
  test(`to ${action} what is ${status} ${already === null ? 'is decided' : 'changes nothing'}`, () => {
    assert.equal(soAlready(inStatus(status), action), already);
  });

const acknowledged = past('acknowledged', bo);
const already = { state: 'already acknowledged' };
const cases: readonly {
  readonly title: string;
  readonly status?: Status;
  /** The last first. */
  readonly timeline: readonly PastEntry[];
  readonly by?: Actor;
  readonly deed?: string;
  readonly because?: { readonly state: string } | { readonly reason: string };
  readonly reason?: string;
  readonly isRepeat?: boolean;
  readonly text: string | null;
}[] = [
  {
    title: 'who comes second is named with who was first',
    timeline: [acknowledged],
    text: 'Ada tried to acknowledge in Slack, which changed nothing: it was already acknowledged, by Bo',
  },
  {
    title: 'the second press of the same person there is not noted',
    timeline: [past('unchanged', ada), acknowledged],
    text: null,
  },
  {
    title: 'from elsewhere it is',
    timeline: [past('unchanged', person('Ada', 'telegram')), acknowledged],
    text: 'Ada tried to acknowledge in Slack, which changed nothing: it was already acknowledged, by Bo',
  },
  {
    title: 'another person is noted beside them',
    timeline: [past('unchanged', person('Lin')), acknowledged],
    by: person('Ada', 'phone'),
    text: 'Ada tried to acknowledge by phone, which changed nothing: it was already acknowledged, by Bo',
  },
  {
    title: 'what was noted of an earlier state is of no account',
    timeline: [acknowledged, past('unchanged', ada), past('opened', null)],
    text: 'Ada tried to acknowledge in Slack, which changed nothing: it was already acknowledged, by Bo',
  },
  {
    title: 'whoever repeats what they did themselves is not noted',
    timeline: [past('acknowledged', person('Ada', 'telegram'))],
    reason: 'INC-7 is already acknowledged, by Ada',
    isRepeat: true,
    text: null,
  },
  {
    title: 'to do something else to what they did themselves is no repeat',
    status: 'resolved',
    timeline: [past('resolved', ada)],
    because: { state: 'already resolved' },
    reason: 'INC-7 is already resolved, by Ada',
    text: 'Ada tried to acknowledge in Slack, which changed nothing: it was already resolved, by Ada',
  },
  {
    title: 'who merged it has resolved it',
    status: 'resolved',
    timeline: [past('merged', bo)],
    because: { state: 'already resolved' },
    reason: 'INC-7 is already resolved, by Bo',
    text: 'Ada tried to acknowledge in Slack, which changed nothing: it was already resolved, by Bo',
  },
  {
    title: 'nobody made it not acknowledged',
    status: 'triggered',
    timeline: [past('unacknowledged', bo)],
    deed: 'unacknowledge',
    because: { state: 'not acknowledged' },
    reason: 'INC-7 is not acknowledged',
    text: 'Ada tried to unacknowledge in Slack, which changed nothing: it was not acknowledged',
  },
  {
    title: 'a button of an earlier step has a reason of its own, which nobody is named in',
    timeline: [acknowledged],
    deed: 'escalate',
    because: { reason: 'it was escalated after this message' },
    reason: 'it was escalated after this message',
    text: 'Ada tried to escalate in Slack, which changed nothing: it was escalated after this message',
  },
  {
    title: 'where the timeline was removed, nobody is named',
    timeline: [],
    reason: 'INC-7 is already acknowledged',
    text: 'Ada tried to acknowledge in Slack, which changed nothing: it was already acknowledged',
  },
  {
    title: 'whoever uses a link of a chat is known by name alone',
    timeline: [past('unchanged', { type: 'user', name: 'Ops', via: 'chat' }), acknowledged],
    by: { type: 'user', name: 'Ops', via: 'chat' },
    text: null,
  },
];
for (const { title, timeline, reason, text, isRepeat = false, ...fields } of cases)
  test(title, () => {
    const { status = 'acknowledged', by = ada, deed = 'acknowledge', because = already } = fields;
    const result = unchanged(inStatus(status), timeline, { by, deed, because });
    assert.equal(result.entry?.text ?? null, text);
    assert.equal(result.reason, reason ?? 'INC-7 is already acknowledged, by Bo');
    assert.equal(result.isRepeat, isRepeat);
    if (result.entry) assert.deepEqual([result.entry.type, result.entry.actor], ['unchanged', by]);
  });

test('while one state lasts, only so many are noted', () => {
  const names = Array.from({ length: incidentsLimits.unchangedNoted }, (_, index) => `P${index}`);
  const noted = names.map((name) => past('unchanged', person(name)));
  assert.equal(isNoted([...noted.slice(1), acknowledged], ada), false);
  assert.equal(isNoted([...noted, acknowledged], ada), true);
  assert.equal(isNoted(noted, ada), true);
});
