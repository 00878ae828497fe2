import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildConfiguration, buildPerson } from '../../test/configuration.ts';
import { type AdminsOf, adminReaders, usagePercent } from './admin-notices.ts';

const people = [
  buildPerson('ada'),
  buildPerson('boss', {
    role: 'admin',
    addresses: { email: ['boss@example.test'], sms: ['+491'], telegram: ['47'] },
  }),
  buildPerson('owner', { role: 'owner', addresses: { email: ['owner@example.test'] } }),
];
const channels = new Set(['email', 'sms', 'telegram', 'push-notification']);
const whole = buildConfiguration({ people, channels });

const readers = (of: AdminsOf, failing: readonly string[] = [], configuration = whole) =>
  adminReaders(configuration, of, new Set(failing)).map(
    ({ channel, userId, why }) => `${channel} ${userId}: ${why}`,
  );

const everyAdmin = 'you are an admin of the organization';
const ofTeam = 'you are an admin of its team';
const owner = 'email owner: you are an owner of the organization';

test('the admins of a team are notified, and where there is no team, the owners', () => {
  const [team] = whole.teams.keys();
  assert.ok(team);
  assert.deepEqual(readers(team), [`email boss: ${ofTeam}`, `email owner: ${ofTeam}`]);
  assert.deepEqual(readers('all'), [`email boss: ${everyAdmin}`, `email owner: ${everyAdmin}`]);
  assert.deepEqual(readers(null), [owner]);
  assert.deepEqual(readers('unknown'), [owner]);
});

test('while e-mail fails, whoever has no push is notified by Telegram or SMS', () => {
  assert.deepEqual(readers('all', ['email']), [`telegram boss: ${everyAdmin}`]);
  assert.deepEqual(readers('all', ['email', 'telegram']), [`sms boss: ${everyAdmin}`]);
  assert.deepEqual(readers('all', ['email', 'telegram', 'sms']), []);
});

for (const { used, limit, percent } of [
  { used: 0, limit: 0, percent: 100 },
  { used: 79, limit: 100, percent: undefined },
  { used: 80, limit: 100, percent: 80 },
  { used: 99, limit: 100, percent: 80 },
  { used: 100, limit: 100, percent: 100 },
  { used: 8, limit: 9, percent: 80 },
])
  test(`${used} of ${limit} alerts used is a warning at ${percent ?? 'no'} percent`, () => {
    assert.equal(usagePercent(used, limit), percent);
  });
