import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wholeOf } from './axis.ts';
import { barText } from './bar-text.ts';
import { finalBars, layerBars, overrideBars } from './bars.ts';

const at = (day: number, hour = 0) => new Date(Date.UTC(2026, 11, day, hour)).toISOString();
const people = { names: { ada: 'Ada Byron', lin: 'Lin Yutang' }, hues: new Map() };
const now = Date.parse(at(1));
const view = { start: Date.parse(at(3)), end: Date.parse(at(4)) };
const ofNight = { shift_start: at(3, 22), shift_end: at(4, 6) };
const night = { user_id: 'ada', layer: 0, start: at(3, 22), end: at(4), ...ofNight };
const gap = (start: string, end: string | null) => ({
  start,
  end,
  layer: 0,
  reason: 'outside_windows',
  message: 'Layer 1 is outside its hours.',
});
const textsOf = (bars: ReturnType<typeof finalBars>) =>
  bars.map((bar) => barText(bar, 'Etc/UTC', now));
const noted = '. Layer 1 is outside its hours.';

test('what the view cuts is read and covered as the whole that it is', () => {
  const bars = finalBars({ shifts: [night], gaps: [gap(at(2, 6), at(3, 22))] }, people);
  assert.deepEqual(textsOf(bars), [
    `Nobody, Wed, Dec 2, 6:00 AM – Thu 10:00 PM${noted}`,
    'Ada Byron, Thu, Dec 3, 10:00 PM – Fri 6:00 AM',
  ]);
  assert.deepEqual(
    bars.map(({ start, end, whole }) => [start, end, whole]),
    [
      [
        Date.parse(at(2, 6)),
        Date.parse(at(3, 22)),
        { start: Date.parse(at(2, 6)), end: Date.parse(at(3, 22)) },
      ],
      [
        Date.parse(at(3, 22)),
        view.end,
        { start: Date.parse(at(3, 22)), end: Date.parse(at(4, 6)) },
      ],
    ],
  );
  const { layer: _, ...own } = night;
  assert.deepEqual(textsOf(layerBars([own], people)), textsOf(bars).slice(1));
  const override = { ...own, override_id: '1', replaces_user_id: 'lin' };
  assert.match(
    textsOf(overrideBars([override], people))[0] ?? '',
    /^Ada Byron for Lin Yutang, .* 6:00 AM$/,
  );
});

test('a gap by design is shown as intended, without a cause', () => {
  const declared = { ...gap(at(3), at(3, 22)), by_design: true } as const;
  const bars = finalBars({ shifts: [night], gaps: [declared] }, people);
  assert.deepEqual(
    bars.map(({ kind }) => kind),
    ['by design', 'shift'],
  );
  assert.deepEqual(textsOf(bars.slice(0, 1)), [
    'Nobody, as intended, Thu, Dec 3, 12:00 AM – 10:00 PM',
  ]);
});

test('a gap without an end says so, and an inactive person is on call until it begins', () => {
  const [own, hole] = finalBars({ shifts: [night], gaps: [gap(at(3, 23), null)] }, people);
  assert.deepEqual(textsOf([own, hole].flatMap((bar) => bar ?? [])), [
    'Ada Byron, Thu, Dec 3, 10:00 PM – 11:00 PM',
    `Nobody, Thu, Dec 3, 11:00 PM, with no end${noted}`,
  ]);
  assert.deepEqual(hole?.whole, { start: Date.parse(at(3, 23)), end: null });
});

test('a drag to the edge of the view takes all of what the edge cuts', () => {
  const bars = finalBars(
    { shifts: [{ ...night, start: at(3), shift_start: at(2, 22) }], gaps: [] },
    people,
  );
  const [start, end] = [Date.parse(at(3, 12)), Date.parse(at(3, 20))];
  assert.deepEqual(wholeOf(view, { start, end }, bars, now), { start, end });
  assert.deepEqual(wholeOf(view, { start, end: view.end }, bars, now), {
    start,
    end: Date.parse(at(4, 6)),
  });
  assert.deepEqual(
    wholeOf(view, { start: view.start, end }, bars, now).start,
    Date.parse(at(2, 22)),
  );
  assert.deepEqual(wholeOf(view, { start: view.start, end }, bars, view.start).start, view.start);
  const endless = finalBars({ shifts: [], gaps: [gap(at(2), null)] }, people);
  assert.equal(wholeOf(view, { start, end: view.end }, endless, now).end, null);
  assert.deepEqual(wholeOf(view, { ...view }, [], now), view);
});
