import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ChangeEffects, Effect, ScheduleEffects } from './change-effects.ts';
import { type Detail, reportEffects } from './report.ts';

const effect = (code: string, message: string): Effect => ({ code, message });

const schedule = (more: Partial<ScheduleEffects> = {}): ScheduleEffects => ({
  name: 'Web',
  timezone: 'Europe/Berlin',
  isNew: false,
  onCall: null,
  gaps: [],
  gapsCount: 0,
  moves: [],
  movesCount: 0,
  notified: [],
  noticesAreCut: false,
  ...more,
});

const change = (more: Partial<ChangeEffects> = {}): ChangeEffects => ({
  kind: 'oncall_schedule',
  name: 'Web',
  title: `Effects of changing the on-call schedule "${more.name ?? 'Web'}"`,
  path: 'layers',
  isCreation: false,
  effects: [effect('shifts_move', 'One shift moves in the next 60 days: …')],
  schedules: [],
  layers: [],
  unknown: undefined,
  ...more,
});

const regenerated = (name: string, ...layers: number[]): ChangeEffects =>
  change({
    name,
    schedules: [schedule({ name })],
    layers,
    effects: layers.map((layer) =>
      effect('layer_regenerated', `Layer ${layer} (Ada L) is edited: its shifts are regenerated.`),
    ),
  });

const moved = (name: string, before: string, after: string): ChangeEffects =>
  change({
    name,
    schedules: [schedule({ name, moves: [{ before, after }], movesCount: 1 })],
    effects: [
      effect('shifts_move', `One shift moves in the next 60 days: ${after} instead of ${before}.`),
    ],
  });

const many = (count: number, made: (name: string) => ChangeEffects) =>
  Array.from({ length: count }, (_, index) => made(`s${index + 1}`));

const texts = (changes: readonly ChangeEffects[], detail: Detail = 'summary') =>
  reportEffects(changes, { detail }).map(({ summary, detail }) => `${summary}\n${detail}`);

test('one change is reported as it is, at its attribute', () => {
  const one = change({ effects: [effect('gap', 'Nobody is on call.'), effect('new', 'More.')] });
  const [report, ...others] = reportEffects([one], { detail: 'summary' });
  assert.deepEqual(others, []);
  assert.equal(report?.summary, 'Effects of changing the on-call schedule "Web"');
  assert.equal(report?.detail, 'Nobody is on call.\nMore.');
  assert.deepEqual(report?.attribute, { steps: [{ attribute_name: 'layers' }] });
});

test('the organization is named, so that those of another provider block are not left out', () => {
  const summaries = (changes: readonly ChangeEffects[]) =>
    reportEffects(changes, { detail: 'summary', organization: 'Acme' }).map(
      ({ summary }) => summary,
    );
  const one = 'Effects of changing the on-call schedule "Web" in "Acme"';
  assert.deepEqual(summaries([change()]), [one]);
  const two = 'Effects of 2 changes in "Acme" (on-call schedule "Web" and 1 more)';
  assert.deepEqual(summaries([change(), change()]), [two]);
});

test('a few changes are reported whole, in one warning, the gravest first', () => {
  const lost = change({ name: 'Lost', effects: [effect('gap', 'Nobody is on call.')] });
  const [text, ...others] = texts([change(), lost]);
  assert.deepEqual(others, []);
  assert.equal(
    text,
    `Effects of 2 changes (on-call schedule "Lost" and 1 more): coverage is lost in 1
Effects of changing the on-call schedule "Lost":
Nobody is on call.

Effects of changing the on-call schedule "Web":
One shift moves in the next 60 days: …`,
  );
});

test('many changes are counted by kind, and every regenerated layer is named', () => {
  const gap = { from: '2026-11-28T21:00:00Z', to: '2026-11-29T05:00:00Z' };
  const changes = [
    ...many(46, (name) => regenerated(name, 1)),
    moved('Payments', 'Ada L', 'Grace L'),
    change({
      name: 'Nights',
      layers: [1, 2],
      schedules: [
        schedule({
          name: 'Nights',
          gaps: [gap],
          gapsCount: 3,
          onCall: { before: 'Ada L', after: 'Grace L' },
          notified: [{ id: 'g', name: 'Grace L', isReached: true }],
        }),
      ],
      effects: [
        effect('on_call_changes', 'On call now: Ada L. After this change: Grace L.'),
        effect('gap', 'Nobody is on call from 2026-11-28T22:00+01:00 to 2026-11-29T06:00+01:00.'),
        effect('notified', 'Grace L will be notified.'),
      ],
    }),
    change({
      name: 'Same',
      schedules: [
        schedule({
          notified: [
            { id: 'e', name: 'Eve M', isReached: true },
            { id: 'k', name: 'Ken T', isReached: false },
          ],
        }),
      ],
      effects: [effect('notified', 'Eve M will be notified.')],
    }),
    change({
      kind: 'integration',
      name: 'Shop',
      effects: [effect('pages_stop', 'Events of the integration page nobody.')],
    }),
    change({ kind: 'service', name: 'Web', effects: [effect('of_a_newer_server', 'It glows.')] }),
  ];
  const [text = ''] = texts(changes);
  const [counted] = text.split('\n\n- ');
  assert.equal(
    counted,
    `Effects of 51 changes (integration "Shop" and 50 more): coverage is lost in 2
Coverage is lost in 2: integration "Shop" (events page nobody); on-call schedule "Nights" (nobody on call Sat, Nov 28, 22:00 to Sun, Nov 29, 06:00 and in 2 more gaps).

1 integration: events page nobody (1).

49 on-call schedules: 46 unchanged for people; nobody on call (1); on call now changes in 1 (Nights: Ada L to Grace L); 1 shift moves (Ada L to Grace L); 2 people (Grace L, Eve M) notified; 1 person (Eve M) notified of a new shift although their hours stay; 1 person (Ken T) cannot be notified.

1 service: of a newer server (1).

Regenerated layers: Nights 1, 2; ${many(46, (name) => regenerated(name, 1))
      .map(({ name }) => `${name} 1`)
      .join('; ')}.`,
  );
  assert.match(text, /- integration "Shop": Events of the integration page nobody\./);
  assert.match(text, /- on-call schedule "Nights": Nobody is on call from .* On call now: Ada L/);
  assert.match(text, /set effects = "all" in the provider block\.$/);
});

test('why effects are unknown is reported once, with the number of changes', () => {
  const all = [
    change({ name: 'a', effects: [], unknown: 'The server is too old.' }),
    change({ name: 'b', effects: [], unknown: 'The server is too old.' }),
  ];
  assert.deepEqual(texts(all), [
    'The effects of some changes are unknown\nThe server is too old. Changes: 2.',
  ]);
});

const codes = [
  'gap',
  'step_reaches_nobody',
  'shifts_move',
  'notified',
  'pages_stop',
  'layer_loses',
];
const anyText = fc.string({ unit: fc.constantFrom('a', 'b', ' '), minLength: 1, maxLength: 300 });
const anyEffect = fc.record({ code: fc.constantFrom(...codes), message: anyText });
const anyChanges = fc
  .array(
    fc.record({
      effects: fc.array(anyEffect, { minLength: 1, maxLength: 6 }),
      layers: fc.uniqueArray(fc.integer({ min: 1, max: 5 }), { maxLength: 3 }),
      kind: fc.constantFrom('oncall_schedule', 'escalation_policy', 'integration'),
    }),
    { minLength: 2, maxLength: 200 },
  )
  .map((all) =>
    all.map(({ effects, layers, kind }, index) =>
      change({ name: `r${index}.`, kind, effects, layers }),
    ),
  );

test('a report names every loss and every layer, and fits a screen beside them', () => {
  fc.assert(
    fc.property(anyChanges, (changes) => {
      const [text = ''] = texts(changes);
      const isWhole = !text.includes('effects = "all"');
      for (const { name, effects, layers } of changes) {
        const isLost = effects.some(({ code }) => code === 'gap' || code === 'step_reaches_nobody');
        if (isLost || isWhole) assert.ok(text.includes(`"${name}"`), name);
        if (layers.length > 0 && !isWhole)
          assert.ok(text.includes(`${name} ${layers.join(', ')}`), name);
      }
      if (text.includes('overage is lost') || isWhole) return;
      const beside = text.split('\n').filter((line) => !line.startsWith('Regenerated layers'));
      const lines = beside.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / 76)), 0);
      assert.ok(lines <= 36, String(lines));
    }),
    { numRuns: 300 },
  );
});

test('with all effects, nothing is left out', () => {
  fc.assert(
    fc.property(anyChanges, (changes) => {
      const [text = ''] = texts(changes, 'all');
      for (const { title, effects } of changes) {
        assert.ok(text.includes(title));
        for (const { message } of effects) assert.ok(text.includes(message));
      }
    }),
    { numRuns: 100 },
  );
});
