import assert from 'node:assert/strict';
import { test } from 'node:test';
import { localText } from './axis.ts';
import { draggedTo, type Edge, type EdgeMove, steppedTo, viewAround, viewFor } from './drafting.ts';

const HOUR = 3_600_000;
const at = (text: string) => Date.parse(`${text}Z`);
const span = (start: string, end: string) => ({ start: at(start), end: at(end) });
const texts = ({ start, end }: { start: number; end: number }, zone = 'Etc/UTC') =>
  [start, end].map((one) => localText(zone, one));

const draft = span('2026-11-24T08:00', '2026-11-24T16:00');
const around = {
  handoffs: [at('2026-11-24T07:10'), at('2026-11-24T17:00')],
  now: at('2026-11-24T06:05'),
};

test('a dragged edge snaps to a handoff that is near, else to a quarter, and keeps to the draft', () => {
  const cases: [Edge, string, [string, string]][] = [
    ['start', '2026-11-24T07:20', ['07:10', '16:00']],
    ['start', '2026-11-24T08:40', ['08:45', '16:00']],
    ['start', '2026-11-24T03:00', ['06:05', '16:00']],
    ['start', '2026-11-24T20:00', ['15:45', '16:00']],
    ['end', '2026-11-24T16:50', ['08:00', '17:00']],
    ['end', '2026-11-24T15:20', ['08:00', '15:15']],
    ['end', '2026-11-24T02:00', ['08:00', '08:15']],
  ];
  for (const [edge, to, expected] of cases) {
    const dragged = draggedTo(draft, { edge, at: at(to), nearMs: HOUR / 4 }, around);
    assert.deepEqual(
      texts(dragged).map((text) => text.slice(11)),
      expected,
      `${edge} ${to}`,
    );
  }
});

test('a key moves an edge to the next quarter or handoff, and nowhere when there is none', () => {
  const odd = { ...draft, start: at('2026-11-24T08:07') };
  const cases: [Edge, EdgeMove, [string, string]][] = [
    ['start', 'earlier', ['08:00', '16:00']],
    ['start', 'later', ['08:15', '16:00']],
    ['start', 'earlier handoff', ['07:10', '16:00']],
    ['end', 'earlier', ['08:07', '15:45']],
    ['end', 'later handoff', ['08:07', '17:00']],
    ['end', 'earlier handoff', ['08:07', '08:22']],
  ];
  for (const [edge, move, expected] of cases)
    assert.deepEqual(
      texts(steppedTo(odd, { edge, move }, around)).map((text) => text.slice(11)),
      expected,
      `${edge} ${move}`,
    );
  const none = { ...around, handoffs: [] };
  assert.deepEqual(steppedTo(draft, { edge: 'start', move: 'earlier handoff' }, none), draft);
});

test('where the clock moves an edge goes on by quarters of an hour, as the clock then says', () => {
  const free = { handoffs: [], now: 0 };
  const cases: [string, string, string, string[]][] = [
    ['Europe/Berlin', '2026-03-29T00:30', 'spring', ['01:30', '01:45', '03:00', '03:15']],
    ['Europe/Berlin', '2026-10-25T00:30', 'autumn', ['02:30', '02:45', '02:00', '02:15']],
    [
      'Australia/Lord_Howe',
      '2026-10-03T15:00',
      'half an hour',
      ['01:30', '01:45', '02:30', '02:45'],
    ],
    ['Asia/Kathmandu', '2026-10-25T00:30', 'no change', ['06:15', '06:30', '06:45', '07:00']],
  ];
  for (const [zone, start, title, expected] of cases) {
    let one = { start: at(start) - HOUR, end: at(start) };
    const shown = expected.map(() => {
      const text = localText(zone, one.end).slice(11);
      one = steppedTo(one, { edge: 'end', move: 'later' }, free);
      return text;
    });
    assert.deepEqual(shown, expected, `${zone}, ${title}`);
  }
});

test('what is shown around a draft stays as long as the draft has room in it', () => {
  const view = viewAround(draft);
  assert.deepEqual(texts(view), ['2026-11-23T08:00', '2026-11-25T16:00']);
  assert.equal(viewFor(view, { ...draft, end: at('2026-11-25T15:45') }), view);
  const longer = { ...draft, end: view.end };
  assert.deepEqual(viewFor(view, longer), viewAround(longer));
});
