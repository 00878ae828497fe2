import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildConfiguration, buildRota } from '../../test/configuration.ts';
import { instant, layer, schedule } from '../../test/schedules.ts';
import type { Declared } from '../oncall/revisions/edits.ts';
import { effectsOf } from './change-preview.ts';
import { type ChangeContext, type ProposedChange, sidesOf } from './change-sides.ts';
import type { ProposedPolicy, ProposedSchedule } from './proposed-record.ts';

const now = instant('2026-03-09T12:00:00Z');
const rotation = { length: 1, unit: 'weeks' } as const;
const declared = (...users: readonly (string | null)[]): Declared => ({
  timezone: 'Europe/Berlin',
  layers: [{ users, rotation }],
});

const web = buildRota('web', schedule([layer({ users: ['ada'] })]), { name: 'Web' });
const byWeb = { via: 'email', oncall_schedule_id: 'web' } as const;
const policy = {
  id: 'policy',
  name: 'Web',
  archived: false,
  delayMinutes: 0,
  steps: [{ targets: [byWeb] }],
};

const context: ChangeContext = {
  configuration: buildConfiguration({ schedules: [web], policies: [policy] }),
  now,
  years: 1,
  nextEdits: new Map(),
  inactive: new Set(),
  past: new Map(),
  policies: [policy],
  inoperative: () => [],
};

const ofSchedule = (fields: Partial<ProposedSchedule>): ProposedChange => ({
  record: {
    kind: 'schedule',
    id: 'web',
    archived: false,
    name: 'Web',
    declared: declared('ada'),
    ...fields,
  },
  planned: [],
});

const ofPolicy = (fields: Partial<ProposedPolicy> = {}): ProposedPolicy => ({
  kind: 'policy',
  id: 'policy',
  archived: false,
  name: 'Web',
  steps: policy.steps,
  isUnknown: () => false,
  ...fields,
});

function messagesOf(change: ProposedChange): readonly string[] {
  const sides = sidesOf(change, context);
  return sides === null ? ['nothing'] : effectsOf(sides).warnings.map(({ message }) => message);
}

const cases = [
  { title: 'a save that changes nothing', change: ofSchedule({}), expected: [] },
  {
    title: 'somebody else is on call',
    change: ofSchedule({ declared: declared('lin') }),
    expected: [
      'On call now: ada. After this change: lin.',
      'One shift moves in the next 60 days: from 2026-03-09T13:00+01:00 on, lin instead of ada.',
    ],
  },
  {
    title: 'turns with nobody, in which a step reaches nobody either',
    change: ofSchedule({ declared: declared(null) }),
    expected: [
      'On call now: ada. After this change: nobody.',
      'Nobody is on call from 2026-03-09T13:00+01:00 on: layer 1 has an empty turn.',
      'One shift moves in the next 60 days: from 2026-03-09T13:00+01:00 on, nobody instead of ada.',
      'Step 1 of the escalation policy "Web" reaches nobody: nobody is on call (on call of Web).',
    ],
  },
  {
    title: 'an archived schedule, of which only what pages by it is left',
    change: ofSchedule({ archived: true, declared: null }),
    expected: [
      'On call now: ada. After this change: nobody.',
      'Step 1 of the escalation policy "Web" reaches nobody: the schedule is archived (on call of Web).',
    ],
  },
  {
    title: 'a schedule of which not everything is known',
    change: ofSchedule({ declared: null }),
    expected: ['nothing'],
  },
  {
    title: 'a policy that pages somebody who is not active',
    change: {
      record: ofPolicy({ steps: [{ targets: [{ via: 'email', user_id: 'stranger' }] }] }),
      planned: [],
    },
    expected: [
      'Step 1 of the escalation policy "Web" reaches nobody: the user is not active (stranger).',
    ],
  },
  {
    title: 'an archived policy',
    change: { record: ofPolicy({ archived: true }), planned: [] },
    expected: ['nothing'],
  },
  {
    title: 'a policy that the same run moves away from the schedule',
    change: {
      ...ofSchedule({ archived: true, declared: null }),
      planned: [ofPolicy({ steps: [{ targets: [{ via: 'email', user_id: 'lin' }] }] })],
    },
    expected: ['On call now: ada. After this change: nobody.'],
  },
  {
    title: 'a policy of which the same run leaves one step unknown',
    change: {
      ...ofSchedule({ archived: true, declared: null }),
      planned: [ofPolicy({ steps: stepsWithHole(), isUnknown: (step) => step === 0 })],
    },
    expected: [
      'On call now: ada. After this change: nobody.',
      'Step 2 of the escalation policy "Web" reaches nobody: the schedule is archived (on call of Web).',
    ],
  },
] satisfies readonly { title: string; change: ProposedChange; expected: readonly string[] }[];

for (const { title, change, expected } of cases)
  test(`a change is previewed: ${title}`, () => {
    assert.deepEqual(messagesOf(change), expected);
  });

test('a gap that lasts longer than the years that were searched is followed to its end', () => {
  const gapsOf = (fields: Partial<Declared['layers'][number]>) => {
    const edited = { timezone: 'Europe/Berlin', layers: [{ users: ['ada'], rotation, ...fields }] };
    const sides = sidesOf(ofSchedule({ declared: edited }), context);
    const gaps = sides === null ? [] : effectsOf(sides).gaps;
    return gaps.map(({ from, to }) => `${from}/${to ?? ''}`);
  };
  const [begins, ends] = ['2029-03-05T08:00:00Z', '2026-05-01T08:00:00Z'];
  assert.deepEqual(gapsOf({ starts_at: begins }), [`${now}/${begins}`]);
  assert.deepEqual(gapsOf({ ends_at: ends }), [`${ends}/`]);
  assert.deepEqual(gapsOf({ starts_at: '2039-03-05T08:00:00Z' }), [`${now}/`]);
});

test('what is computed in a thread has only the schedules and the people that the change concerns', () => {
  const others = buildRota('db', schedule([layer({ users: ['lin'] })]));
  const configuration = buildConfiguration({ schedules: [web, others], policies: [policy] });
  const sides = sidesOf(ofSchedule({ declared: declared('boss') }), { ...context, configuration });
  assert.deepEqual([...(sides?.configuration.schedules.keys() ?? [])], ['web']);
  assert.deepEqual([...(sides?.configuration.people.keys() ?? [])], ['ada', 'boss']);
});

/** The reader leaves a hole in the place of what is unknown. */
function stepsWithHole(): ProposedPolicy['steps'] {
  const steps: ProposedPolicy['steps'][number][] = [];
  steps[1] = { targets: [byWeb] };
  return steps;
}

test('a step is said to reach nobody only outside the hours by design of all its schedules', () => {
  const hours = (from_time: string, to_time: string) =>
    ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'].map(
      (day, index, days) => ({
        from_day: day,
        from_time,
        to_day: to_time > from_time ? day : (days[(index + 1) % 7] ?? day),
        to_time,
      }),
    );
  const rota = (id: string, windows: ReturnType<typeof hours>, byDesign?: typeof windows) =>
    buildRota(id, {
      ...schedule([layer({ users: ['ada'], restriction: { type: 'weekly', windows } })]),
      ...(byDesign && { uncovered_by_design: byDesign }),
    });
  const [day, night] = [hours('08:00', '20:00'), hours('20:00', '08:00')];
  const [evening, late] = [hours('18:00', '20:00'), hours('20:00', '18:00')];
  const target = (id: string) => ({ via: 'email', oncall_schedule_id: id }) as const;
  const spansOf = (...rotas: readonly ReturnType<typeof rota>[]) => {
    const targets = rotas.map(({ id }) => target(id));
    const record = ofPolicy({ id: null, steps: [{ targets }] });
    const sides = sidesOf(
      { record, planned: [] },
      { ...context, configuration: buildConfiguration({ schedules: rotas }) },
    );
    assert.ok(sides);
    return effectsOf(sides).unreachableSteps.map(({ from, to }) => `${from}/${to}`);
  };
  assert.deepEqual(spansOf(rota('night', night, day)), []);
  assert.deepEqual(spansOf(rota('night', night, late)), [
    '2026-03-09T17:00:00Z/2026-03-09T19:00:00Z',
  ]);
  // Somebody is meant to be on call by the other one.
  assert.deepEqual(spansOf(rota('night', night, day), rota('evening', evening)), [
    '2026-03-09T12:00:00Z/2026-03-09T17:00:00Z',
  ]);
  const both = [rota('night', night, day), rota('evening', evening, hours('20:00', '18:00'))];
  assert.deepEqual(spansOf(...both), []);
});

test('what a change leaves open within the hours by design is listed apart, and warned of as no gap', () => {
  const windows = [
    { from_day: 'monday', from_time: '20:00', to_day: 'monday', to_time: '08:00' },
  ] as const;
  const uncovered_by_design = [
    { from_day: 'monday', from_time: '10:00', to_day: 'monday', to_time: '20:00' },
  ];
  const layers = [{ users: ['ada'], rotation, restriction: { type: 'weekly' as const, windows } }];
  const proposed = { timezone: 'Europe/Berlin', layers, uncovered_by_design };
  const sides = sidesOf(ofSchedule({ declared: proposed }), context);
  assert.ok(sides);
  const { gaps, gapsCount, gapsByDesign, gapsByDesignCount, warnings } = effectsOf(sides);
  const texts = (periods: typeof gaps) =>
    periods.slice(0, 1).map(({ from, to }) => `${from}/${to}`);
  assert.deepEqual([texts(gaps), gapsCount], [['2026-03-16T07:00:00Z/2026-03-16T09:00:00Z'], 52]);
  assert.deepEqual(
    [texts(gapsByDesign), gapsByDesignCount],
    [['2026-03-09T12:00:00Z/2026-03-09T19:00:00Z'], 53],
  );
  assert.deepEqual(
    warnings.filter(({ code }) => code === 'gap').map(({ message }) => message),
    [
      'Nobody is on call from 2026-03-16T08:00+01:00 to 2026-03-16T10:00+01:00, and 51 more times in a year: layer 1 is outside its hours.',
    ],
  );
});

test('a change by Terraform keeps the hours by design', () => {
  const uncovered_by_design = [
    { from_day: 'monday', from_time: '00:00', to_day: 'monday', to_time: '00:00' },
  ];
  const stored = buildRota('web', { ...web.schedule, uncovered_by_design });
  const configuration = buildConfiguration({ schedules: [stored] });
  const change = ofSchedule({ declared: declared(null) });
  const countOf = (isManaged: boolean) => {
    const sides = sidesOf(change, { ...context, configuration, isManaged });
    return sides && effectsOf(sides).gapsCount;
  };
  assert.deepEqual([countOf(true), countOf(false)], [0, 1]);
});
