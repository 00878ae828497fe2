// What the on-call functions cost: one busy schedule, asked over and over. No server, no database.
import { coverageOf } from '../src/oncall/coverage.ts';
import { onCallAt } from '../src/oncall/on-call.ts';
import { anchorOf } from '../src/oncall/rotation.ts';
import type { Layer, Schedule } from '../src/oncall/schedule.ts';
import { shiftsIn } from '../src/oncall/shifts.ts';
import { quantile } from './load.ts';
import type { Report } from './report.ts';

const timezone = 'Europe/Berlin';
const from = Temporal.Instant.from('2026-01-05T09:00:00Z');
const inYears = (years: number) => from.toZonedDateTimeISO(timezone).add({ years }).toInstant();

/** Two layers round the clock, and eight in whose hours others take over. */
function busySchedule(): Schedule {
  const layers = Array.from({ length: 10 }, (_, index): Layer => {
    const isDaily = index % 2 === 0;
    const rotation = isDaily
      ? ({ length: 1, unit: 'days', handoff: '09:00' } as const)
      : ({ length: 1, unit: 'weeks', handoff: '10:00', handoff_day: 'monday' } as const);
    const users = Array.from({ length: 8 }, (_each, user) => `user${index}-${user}`);
    return {
      id: `layer${index}`,
      users,
      rotation,
      ...(index > 1 && { restriction: { type: 'weekly', windows: windowsOf(index) } }),
      anchor: anchorOf(rotation, timezone, from),
      generated_at: from,
    };
  });
  return { revisions: [{ from, archived: false, timezone, layers }], overrides: [] };
}

const windowsOf = (index: number) =>
  ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'].map((day) => ({
    from_day: day,
    from_time: `${String(6 + index).padStart(2, '0')}:00`,
    to_day: day,
    to_time: `${String(7 + index).padStart(2, '0')}:30`,
  }));

/** Milliseconds that each of many runs took, in ascending order, after some that do not count. */
function timed(runs: number, work: (run: number) => unknown): readonly number[] {
  for (let run = 0; run < runs / 4; run += 1) work(run);
  const took = Array.from({ length: runs }, (_, run) => {
    const begins = performance.now();
    work(run);
    return performance.now() - begins;
  });
  return took.sort((one, other) => one - other);
}

const milliseconds = (took: readonly number[]) =>
  `p50 ${quantile([...took], 0.5).toFixed(1)} ms, p99 ${quantile([...took], 0.99).toFixed(1)} ms`;
const microseconds = (took: readonly number[]) =>
  milliseconds(took.map((each) => each * 1_000)).replaceAll(' ms', ' µs');

/** Copies are as new: a request has just read its schedule, and nothing of it is prepared. */
export function measureOncall(report: Report): void {
  const schedule = busySchedule();
  const year = { from, to: inYears(1) };
  const took = timed(200, () => shiftsIn({ ...schedule }, year));
  const count = shiftsIn(schedule, year).length;
  report('a year of a schedule with 10 layers', milliseconds(took), `${count} shifts`);

  const instants = Array.from({ length: 5_000 }, (_, run) => from.add({ hours: run * 17 }));
  const at = (run: number) => instants[run] ?? from;
  const first = timed(5_000, (run) => onCallAt({ ...schedule }, at(run)));
  report('on call at an instant, 10 layers, just read', microseconds(first));
  const again = timed(5_000, (run) => onCallAt(schedule, at(run)));
  report('on call at an instant, asked again', microseconds(again));

  const decade = { from, to: inYears(10) };
  const missing = (user: string) => (user === 'user5-3' ? 'is not active' : null);
  const proof = timed(50, () => coverageOf({ ...schedule }, decade, missing));
  const { gaps } = coverageOf(schedule, decade, missing);
  report('the gaps of ten years of 10 layers', milliseconds(proof), `${gaps.length} gaps`);
}
