import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildConfiguration, buildRota } from '../../test/configuration.ts';
import { instant, layer, override, schedule } from '../../test/schedules.ts';
import type { ChangeContext } from './change-sides.ts';
import { effectsOfDeactivation, sidesOfDeactivation } from './deactivation.ts';
import type { ProposedRecord } from './proposed-record.ts';

const now = instant('2026-03-09T12:00:00Z');
const [ada, bob] = ['ada', 'bob'].map((user) => layer({ users: [user] })) as [
  ReturnType<typeof layer>,
  ReturnType<typeof layer>,
];
const cover = override('2026-03-10T00:00:00Z', '2026-03-11T00:00:00Z', { user_id: 'ada' });
const schedules = [
  buildRota('alone', schedule([ada]), { name: 'Alone' }),
  buildRota('above', schedule([bob, ada]), { name: 'Above' }),
  buildRota('below', schedule([ada, bob]), { name: 'Below' }),
  buildRota('cover', schedule([bob], [cover]), { name: 'Cover' }),
  buildRota('off', schedule([ada]), { name: 'Archived', archived: true }),
];
const context: ChangeContext = {
  configuration: buildConfiguration({ schedules }),
  now,
  years: 10,
  nextEdits: new Map(),
  past: new Map(),
  inactive: new Set(),
  policies: [],
  inoperative: () => [],
};
const effects = (planned: readonly ProposedRecord[] = []) =>
  effectsOfDeactivation(
    sidesOfDeactivation(
      { userId: 'ada', scheduleIds: schedules.map(({ id }) => id), planned, recorded: new Map() },
      context,
    ),
  );
const messages = (planned?: readonly ProposedRecord[]) =>
  effects(planned).flatMap(({ warnings }) => warnings.map(({ message }) => message));

test('each schedule says whom it leaves alone, who comes instead, and when', () => {
  assert.deepEqual(messages(), [
    'On-call schedule "Alone": On call now: ada. After this change: nobody.',
    'On-call schedule "Alone": Nobody is on call from 2026-03-09T13:00+01:00 on: layer 1 has ada, who is not active.',
    'On-call schedule "Alone": One shift moves in the next 60 days: from 2026-03-09T13:00+01:00 on, nobody instead of ada.',
    'On-call schedule "Above": On call now: ada. After this change: bob.',
    'On-call schedule "Above": One shift moves in the next 60 days: from 2026-03-09T13:00+01:00 on, bob instead of ada.',
    'On-call schedule "Cover": One shift moves in the next 60 days: from 2026-03-10T01:00+01:00 to 2026-03-11T01:00+01:00, bob instead of ada.',
  ]);
  const [alone] = effects();
  assert.deepEqual(
    [alone?.gapsCount, `${alone?.gaps[0]?.from}`, alone?.gaps[0]?.to],
    [1, `${now}`, null],
  );
});

test('what the same run has changed before is counted as done', () => {
  const saved: ProposedRecord = {
    kind: 'schedule',
    id: 'alone',
    archived: false,
    name: 'Alone',
    declared: {
      timezone: 'Europe/Berlin',
      layers: [{ users: ['bob'], rotation: { length: 1, unit: 'weeks' } }],
    },
  };
  assert.equal(
    messages([saved]).some((message) => message.includes('"Alone"')),
    false,
  );
});
