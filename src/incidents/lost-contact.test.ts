import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildConfiguration, buildPerson, buildRota } from '../../test/configuration.ts';
import { layer, made, override, schedule } from '../../test/schedules.ts';
import { sendingLimits } from '../limits/sending.ts';
import type { Configuration } from './configuration.ts';
import { readersOfLoss, strikeOf } from './lost-contact.ts';

const now = made.add({ hours: 1 });
const ada = buildPerson('ada', {
  addresses: {
    email: ['other@example.test'],
    sms: ['+491'],
    telegram: ['47', '48'],
    'push-notification': ['ada'],
  },
});
const boss = buildPerson('boss', { role: 'admin' });
const owner = buildPerson('owner', { role: 'owner' });
const people = [ada, buildPerson('lin'), boss, owner];
const channels = new Set(['email', 'sms', 'telegram', 'push-notification']);
const onlyLin = schedule([layer({ users: ['lin'] })]);
const sms = { userId: 'ada', channel: 'sms', address: '+491', isLast: true };

const notified = (fields: Parameters<typeof buildConfiguration>[0] = {}, lost = sms) =>
  readersIn(buildConfiguration({ people, channels, ...fields }), lost);
const readersIn = (configuration: Configuration, lost: typeof sms) =>
  readersOfLoss(configuration, lost, now).map(
    ({ channel, address, isOwn }) => `${channel} ${address}${isOwn ? '' : ' as admin'}`,
  );
const own = ['email ada@example.test', 'push-notification ada', 'telegram 47'];
/** Everybody is in the only team. */
const teamAdmins = ['email boss@example.test as admin', 'email owner@example.test as admin'];
/** Lin is on call all the time, but for an override by Ada. */
const adaFrom = (start: string, end: string) =>
  schedule([layer({ users: ['lin'] })], [override(start, end, { user_id: 'ada' })]);

test('a person is told by the address they sign in with, by push and in Telegram', () => {
  assert.deepEqual(notified(), own);
  assert.deepEqual(notified({ channels: new Set(['email']) }), own.slice(0, 1));
  assert.deepEqual(notified({ schedules: [buildRota('rota', onlyLin)] }), own);
});

test('nobody is told by the contact that is lost', () => {
  const [email = '', push = '', telegram = ''] = own;
  const chat = { ...sms, channel: 'telegram', address: '47', isLast: false };
  assert.deepEqual(notified({}, chat), [email, push, 'telegram 48']);
  const browser = { ...sms, channel: 'push-notification', address: 'Firefox' };
  assert.deepEqual(notified({}, { ...browser, isLast: false }), own);
  assert.deepEqual(notified({}, browser), [email, telegram]);
});

test('nobody is told of somebody who has left, or cannot be read', () => {
  assert.deepEqual(notified({ people: [{ ...ada, active: false }] }), []);
  assert.deepEqual(notified({ unreadable: new Set(['ada']) }), []);
});

for (const [title, start, end, isSoon] of [
  ['now', '2026-03-02T09:00:00Z', '2026-03-02T11:00:00Z', true],
  ['within 24 hours', '2026-03-03T09:00:00Z', '2026-03-03T11:00:00Z', true],
  ['only later', '2026-03-03T11:00:00Z', '2026-03-03T12:00:00Z', false],
  ['no more', '2026-03-02T09:00:00Z', '2026-03-02T10:00:00Z', false],
] as const)
  test(`of a person on call ${title}, ${isSoon ? 'the team’s admins are' : 'nobody else is'} told`, () => {
    const rota = buildRota('rota', adaFrom(start, end));
    const expected = isSoon ? [...own, ...teamAdmins] : own;
    assert.deepEqual(notified({ schedules: [rota] }), expected);
    assert.deepEqual(notified({ schedules: [{ ...rota, archived: true }] }), own);
  });

test('where the team has no other admin, the owners are told', () => {
  const schedules = [buildRota('rota', schedule([layer({ users: ['ada'] })]))];
  const whole = buildConfiguration({ people, channels, schedules });
  const team = { id: 'team', rules: [], playbooks: [] };
  const inTeam = (...memberIds: readonly string[]) => ({
    ...whole,
    teams: new Map([['team', { ...team, memberIds }]]),
  });
  const owners = [...own, 'email owner@example.test as admin'];
  assert.deepEqual(readersIn(inTeam('ada', 'lin'), sms), owners);
  assert.deepEqual(readersIn(inTeam('lin'), sms), owners, 'a person without a team');
  assert.deepEqual(readersIn(inTeam('ada', 'boss'), sms), [
    ...own,
    'email boss@example.test as admin',
  ]);
  const admin = new Map(whole.people).set('ada', { ...ada, role: 'admin' });
  assert.deepEqual(readersIn({ ...inTeam('ada', 'lin'), people: admin }, sms), owners);
});

const seconds = (count: number) => now.add({ seconds: count });
const { strikesApart } = sendingLimits;
const strikes: Readonly<
  Record<string, { before: number | null; provedAt: number | null; strike: string }>
> = {
  'the first report only warns': { before: null, provedAt: -9, strike: 'first' },
  'a report soon after counts for nothing': {
    before: 1 - strikesApart,
    provedAt: null,
    strike: 'again',
  },
  'a report some minutes later is the second': {
    before: -strikesApart,
    provedAt: -strikesApart,
    strike: 'second',
  },
  'a report from before the contact was proved does not count': {
    before: -strikesApart,
    provedAt: -1,
    strike: 'first',
  },
};

test('a bounce is forgotten after a day, unlike a report about a number', () => {
  const day = seconds(-86_400);
  const reported = { before: day, provedAt: null };
  assert.equal(strikeOf({ ...reported, channel: 'email' }, now), 'second');
  const before = day.subtract({ seconds: 1 });
  assert.equal(strikeOf({ ...reported, before, channel: 'email' }, now), 'first');
  assert.equal(strikeOf({ ...reported, before, channel: 'sms' }, now), 'second');
});

for (const [title, { before, provedAt, strike }] of Object.entries(strikes))
  test(`an invalid number: ${title}`, () => {
    const at = (count: number | null) => (count === null ? null : seconds(count));
    assert.equal(
      strikeOf({ before: at(before), provedAt: at(provedAt), channel: 'sms' }, now),
      strike,
    );
  });
