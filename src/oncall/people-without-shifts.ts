// People in a rotation who never have a shift: their turns always fall outside the windows, or a
// higher layer always has somebody.
import { countedPerWeek } from './handoffs.ts';
import { isAfter } from './order.ts';
import type { Interval, Layer, Schedule } from './schedule.ts';
import { instantOf } from './zone.ts';

/** A person in a layer who has no shift, or none after the one that ends at `until`. */
export type Idle = { readonly user_id: string; readonly until: Temporal.Instant | null };

const DAY = 86_400_000;
const WEEK = 7;

/**
 * `heldUntil`: until when each person was on call last in the interval. Somebody is idle only if the
 * interval is long enough to prove it: turns and windows repeat in it, or the layer ends.
 */
export function idleIn(
  schedule: Schedule,
  { from, to }: Interval,
  heldUntil: ReadonlyMap<string, number>,
): readonly Idle[] {
  const revision = schedule.revisions.at(-1);
  if (revision === undefined || revision.archived) return [];
  const idle = new Map<string, Idle>();
  const busy = new Set<string>();
  for (const layer of revision.layers) {
    const start = Math.max(from.epochMilliseconds, timeOf(layer.starts_at) ?? -Infinity);
    const ends = timeOf(layer.ends_at) ?? Infinity;
    // Whoever ended a layer did so on purpose.
    if (ends <= start) continue;
    const isRepeated = start + periodOf(layer) <= Math.min(to.epochMilliseconds, ends);
    const isProved = isRepeated || ends <= to.epochMilliseconds;
    // The turn that runs at the start may be short, and the only one that falls into a window.
    const first = isRepeated ? start + turnOf(layer) : start;
    for (const user_id of layer.users) {
      if (user_id === null) continue;
      const last = heldUntil.get(user_id);
      if (!isProved || (last !== undefined && last > first)) busy.add(user_id);
      else idle.set(user_id, { user_id, until: last === undefined ? null : instantOf(last) });
    }
  }
  // Whoever is inactive is missing, which is another matter.
  for (const { user_id, end } of schedule.inactive ?? [])
    if (end === null || isAfter(end, to)) busy.add(user_id);
  return [...idle.values()].filter(({ user_id }) => !busy.has(user_id));
}

const timeOf = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : Temporal.Instant.from(text).epochMilliseconds;

/** The days of a turn that count. */
const daysOf = ({ rotation: { length, unit } }: Layer): number =>
  unit === 'weeks' ? length * WEEK : length;

/** A day more for a change of the clock. */
function turnOf(layer: Layer): number {
  const days = daysOf(layer);
  const perWeek = countedPerWeek(layer);
  return ((perWeek === WEEK ? days : Math.ceil(days / perWeek) * WEEK) + 1) * DAY;
}

/** After which turns fall on the same weekdays again, and one turn for the one that runs. */
function periodOf(layer: Layer): number {
  const days = daysOf(layer) * layer.users.length;
  const perWeek = countedPerWeek(layer);
  return (days % perWeek === 0 ? days / perWeek : days) * WEEK * DAY + turnOf(layer);
}
