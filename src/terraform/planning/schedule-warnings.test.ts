import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { putAt } from '../../../test/terraform/put-at.ts';
import { editLayers } from '../../oncall/revisions/edits.ts';
import type { Layer } from '../../oncall/schedule.ts';
import { oncallSchedule } from '../../resources/oncall-schedule.ts';
import { fromJson } from '../convert.ts';
import { Unknown, type Value } from '../protocol/value.ts';
import { resourceAttributes } from '../schema.ts';
import { scheduleWarnings } from './schedule-warnings.ts';

const attributes = resourceAttributes(oncallSchedule);
const people = { ada: 'Ada', grace: 'Grace', linus: 'Linus', ken: 'Ken', joan: 'Joan' };
const nameOf = (id: string) => new Map(Object.entries(people)).get(id) ?? id;
const unknown = new Unknown();

type Declared = { users: (string | null)[]; rotation: { length: number; unit: 'days' } };
const layer = (...users: string[]): Declared => ({ users, rotation: { length: 1, unit: 'days' } });

/** As /config answers it. */
const stored = (layers: object[], timezone = 'Etc/UTC') => ({
  id: 'a',
  counter: 1,
  version: 2,
  name: 's',
  timezone,
  layers: layers.map((one, index) => ({ id: `l${index}`, ...one, anchor: { at: 'x', turn: 0 } })),
});
const plannedAs = (layers: object[], timezone = 'Etc/UTC') =>
  fromJson(attributes, { name: 's', timezone, layers });
const warned = (before: ReturnType<typeof stored>, planned: Value) =>
  scheduleWarnings({ before, planned, nameOf, now: Date.parse('2026-06-01T00:00Z') });
const messages = (before: object[], planned: object[]) =>
  warned(stored(before), plannedAs(planned)).map(({ message }) => message);

const [ada, grace, both] = [layer('ada'), layer('grace'), layer('ada', 'grace')];
const regenerated = 'its shifts are regenerated.';

const changes = [
  { what: 'nothing, when nothing changes', before: [ada, both], after: [ada, both], messages: [] },
  {
    what: 'nothing of layers that only move',
    before: [ada, both],
    after: [both, ada],
    messages: [],
  },
  {
    what: '2.6.2 of an edited layer',
    before: [ada, grace],
    after: [ada, both],
    messages: [`Layer 2 (Ada, Grace) is edited: ${regenerated}`],
  },
  {
    what: '2.6.2 of an added layer, wherever it is',
    before: [grace],
    after: [both, grace],
    messages: [`Layer 1 (Ada, Grace) is added: ${regenerated}`],
  },
  {
    what: '2.6.2 of a removed layer, by the people it had',
    before: [ada, grace],
    after: [ada],
    messages: ['Layer 2 (Grace) is removed: its shifts end.'],
  },
  {
    what: 'of another rotation',
    before: [ada],
    after: [{ ...ada, rotation: { length: 2, unit: 'days' } }],
    messages: [`Layer 1 (Ada) is edited: ${regenerated}`],
  },
  {
    what: 'few names of many, and each person once',
    before: [ada],
    after: [layer('ken', 'ada', 'ken', 'joan', 'grace', 'linus')],
    messages: [`Layer 1 (Ken, Ada, Joan, 2 more) is edited: ${regenerated}`],
  },
  {
    what: '2.6.3 nothing of what a layer keeps that it does not change',
    before: [
      { ...ada, users: ['ada', null], starts_at: '2027-01-01T00:00:00Z' },
      { ...both, rotation: { ...both.rotation, since: '2026-01-01', counts: 'open' } },
    ],
    after: [{ ...both, name: 'Days' }, ada, grace],
    messages: [`Layer 3 (Grace) is added: ${regenerated}`],
  },
  {
    what: '2.6.3 of turns with nobody, which it ends',
    before: [{ ...ada, users: ['ada', null] }],
    after: [grace],
    messages: [
      'Layer 1 loses turns with nobody: Terraform cannot express this.',
      `Layer 1 (Grace) is edited: ${regenerated}`,
    ],
  },
  {
    what: '2.6.3 of how turns are counted',
    before: [{ ...ada, rotation: { ...ada.rotation, since: '2026-01-01', counts: 'open' } }, both],
    after: [grace, both],
    messages: [
      'Layer 1 loses the date 2026-01-01 that its turns are counted from and turns that count only open days: Terraform cannot express this.',
      `Layer 1 (Grace) is edited: ${regenerated}`,
    ],
  },
  {
    what: '2.6.3 loudly of a layer that would begin and had not',
    before: [ada, { ...ada, starts_at: '2027-01-01T00:00:00Z' }],
    after: [ada, grace],
    messages: [
      'Layer 2 STARTS AT ONCE and puts people on call: it had not started, and Terraform removes its start at 2027-01-01T00:00:00Z.',
      'Layer 2 loses its start at 2027-01-01T00:00:00Z: Terraform cannot express this.',
      `Layer 2 (Grace) is edited: ${regenerated}`,
    ],
  },
  {
    what: '2.6.3 of the start and the end of a layer, which its diff does not show',
    before: [ada, { ...ada, starts_at: '2026-01-01T00:00:00Z', ends_at: '2026-02-01T00:00:00Z' }],
    after: [ada, grace],
    messages: [
      'Layer 2 loses its start at 2026-01-01T00:00:00Z and its end at 2026-02-01T00:00:00Z: Terraform cannot express this.',
      `Layer 2 (Grace) is edited: ${regenerated}`,
    ],
  },
];
const dated = { ...ada, users: ['ada', null], ends_at: '2026-02-01T00:00:00Z' };

test('2.6.3 a plan that leaves the layers as they are tells of no loss', () => {
  const unchanged = [{ ...ada, users: ['ada', null] }];
  const renamed = putAt(plannedAs(unchanged), ['name'], 'other');
  const isUnknown = putAt(plannedAs(unchanged), ['layers'], unknown);
  for (const planned of [renamed, isUnknown])
    assert.deepEqual(warned(stored([dated]), planned), []);
  assert.deepEqual(
    warned(stored([dated]), plannedAs(unchanged, 'Europe/Berlin')).map(({ message }) => message),
    [`Layer 1 (Ada) is edited: ${regenerated}`],
  );
});

for (const { what, before, after, messages: expected } of changes)
  test(`a plan tells ${what}`, () => assert.deepEqual(messages(before, after), expected));

test('another zone edits every layer, whoever has its turns', () => {
  const planned = putAt(plannedAs([ada, both], 'Europe/Berlin'), ['layers', 1, 'users'], unknown);
  const paths = warned(stored([ada, both]), planned);
  assert.deepEqual(
    paths.map(({ path }) => path),
    ['layers[0]', 'layers[1]'],
  );
});

const hidden = [
  { what: 'the layers', at: ['layers'], after: [grace, both] },
  { what: 'a layer', at: ['layers', 0], after: [grace, both] },
  { what: 'people', at: ['layers', 0, 'users'], after: [grace, both] },
  { what: 'a person of as many', at: ['layers', 1, 'users', 1], after: [ada, layer('ada', 'ken')] },
  { what: 'the zone', at: ['timezone'], after: [ada, both] },
];
for (const { what, at, after } of hidden) {
  test(`a plan tells nothing of a layer that may stay: ${what} unknown`, () => {
    assert.deepEqual(warned(stored([ada, both]), putAt(plannedAs(after), at, unknown)), []);
  });
}

test('a plan tells of a layer that changes whatever is unknown of it', () => {
  const after = plannedAs([ada, layer('ken', 'linus')]);
  const problems = warned(stored([ada, both]), putAt(after, ['layers', 1, 'users', 1], unknown));
  const message = `Layer 2 (Ken) is edited: ${regenerated}`;
  assert.deepEqual(problems, [{ path: 'layers[1]', code: 'layer_regenerated', layer: 2, message }]);
});

const anyLayer = fc.record({
  users: fc.subarray(['ada', 'grace', 'linus'], { minLength: 1, maxLength: 2 }),
  rotation: fc.record({ length: fc.constantFrom(1, 2), unit: fc.constant('days' as const) }),
});
const anyLayers = fc.array(anyLayer, { minLength: 1, maxLength: 3 });

test('a plan tells of exactly the layers that the service regenerates', () => {
  const [was, now] = ['2026-01-01T12:00:00Z', '2026-02-01T12:00:00Z'].map((text) =>
    Temporal.Instant.from(text),
  ) as [Temporal.Instant, Temporal.Instant];
  let ids = 0;
  const made = { now: was, past: [], isActive: () => true, nextId: () => `l${ids++}` };
  const zone = fc.constantFrom('Etc/UTC', 'Europe/Berlin');
  fc.assert(
    fc.property(anyLayers, anyLayers, zone, (before, after, timezone) => {
      const first = { timezone: 'Etc/UTC', layers: before };
      const layers = editLayers({ ...made, before: null, after: first });
      const old = { timezone: 'Etc/UTC', layers };
      const next = editLayers({ ...made, now, before: old, after: { timezone, layers: after } });
      const isNew = ({ generated_at }: Layer) => generated_at.equals(now);
      const problems = warned(stored(before), plannedAs(after, timezone));
      assert.deepEqual(
        problems.flatMap(({ path }) => (path === 'layers' ? [] : [path])),
        next.flatMap((one, index) => (isNew(one) ? [`layers[${index}]`] : [])),
      );
      const gone = layers.filter(({ id }) => next.every((one) => one.id !== id));
      assert.equal(problems.filter(({ path }) => path === 'layers').length, gone.length);
    }),
  );
});

test('what is unknown invents no difference', () => {
  const parts = [[], ['users'], ['users', 0], ['rotation'], ['rotation', 'length']];
  const anyPath = fc
    .tuple(fc.nat({ max: 2 }), fc.constantFrom(...parts))
    .map(([index, part]) => ['layers', index, ...part]);
  const firstWords = ({ path, message }: { path: string; message: string }) =>
    path === 'layers' ? message.slice(0, 'Layer 1'.length) : path;
  fc.assert(
    fc.property(anyLayers, anyLayers, fc.array(anyPath, { maxLength: 2 }), (old, after, paths) => {
      const whole = plannedAs(after);
      const some = paths.reduce<Value>((planned, path) => putAt(planned, path, unknown), whole);
      const all = warned(stored(old), whole).map(firstWords);
      for (const one of warned(stored(old), some).map(firstWords))
        assert.ok(all.includes(one), one);
    }),
    { numRuns: 2_000 },
  );
});
