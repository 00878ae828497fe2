// The turn that an edit finds running. Its true beginning and the end that was planned then are
// kept through all edits, so that no row of corrections moves its end step by step.
import { type Handoffs, handoffsOf } from '../handoffs.ts';
import { gridOf, type Rotation, type RunningTurn } from '../rotation.ts';
import type { Layer } from '../schedule.ts';
import { dayAt } from '../wall-clock.ts';
import { DAY, instantAt, instantOf, wallAt, type Zone, zoneOf } from '../zone.ts';

export type Running = {
  /** The turn's number. */
  readonly index: number;
  readonly plan: RunningTurn;
  /** The local time at which it ends as the layer is now. */
  readonly end: number;
};

export function runningTurn(layer: Layer, timezone: string, now: Temporal.Instant): Running {
  const { rotation, anchor, restriction, generated_at } = layer;
  const zone = zoneOf(timezone);
  const grid = gridOf({ ...rotation, anchor }, zone, restriction);
  const { index } = grid.turnAt(now.epochMilliseconds);
  const [begins, end] = [grid.wallOf(index), grid.wallOf(index + 1)];
  if (Temporal.Instant.compare(now, anchor.at) >= 0)
    return { index, end, plan: planOf(rotation, begins, end) };
  if (anchor.running) return { index, end, plan: anchor.running };
  // Servers of 0.1.0 keep no beginning: a first turn began with its layer.
  const began = Math.max(begins, wallAt(zone, generated_at.epochMilliseconds));
  return { index, end, plan: planOf(rotation, began, end) };
}

export const planOf = (
  { length, unit }: Rotation,
  began: number,
  plannedEnd: number,
): RunningTurn => ({
  began: wallText(began),
  planned_end: wallText(plannedEnd),
  length,
  unit,
});

type NewEnd = {
  readonly layer: Pick<Layer, 'rotation' | 'restriction'>;
  readonly plan: RunningTurn;
  readonly zone: Zone;
  readonly now: number;
};

/**
 * Where a running turn ends under another rotation: at the handoff nearest to the end that was
 * planned, or, if turns are longer or shorter now, to a whole new length after its beginning.
 */
export function newEnd({ plan, layer, zone, now }: NewEnd): Temporal.Instant {
  const { rotation, restriction } = layer;
  const handoffs = handoffsOf(rotation, zone, restriction);
  const isAsLong = plan.length === rotation.length && plan.unit === rotation.unit;
  const target = isAsLong ? wallOf(plan.planned_end) : endAfter(handoffs, wallOf(plan.began));
  return instantOf(handoffs.instantOn(firstAfter(handoffs, zone, now, nearest(handoffs, target))));
}

function endAfter(handoffs: Handoffs, began: number): number {
  const day = Math.round((began - handoffs.wallOn(0)) / DAY);
  return began + (handoffs.turnsAfter(day, 1) - day) * DAY;
}

/** The later of two that are equally near. */
function nearest(handoffs: Handoffs, target: number): number {
  const days = (target - handoffs.wallOn(0)) / DAY;
  const [earlier, later] = [
    handoffs.onOrBefore(Math.floor(days)),
    handoffs.onOrAfter(Math.ceil(days)),
  ];
  return days - earlier < later - days ? earlier : later;
}

/** The day itself, if its handoff is after now, or else the first day after it of which this holds. */
function firstAfter(handoffs: Handoffs, zone: Zone, now: number, day: number): number {
  let next = day;
  while (handoffs.instantOn(next) <= now)
    next = handoffs.onOrAfter(Math.max(next + 1, dayAt(zone, now) - 1));
  return next;
}

/** The instant of a running turn's end in a zone, which may be another since. */
export const endIn = ({ end }: Running, zone: Zone): Temporal.Instant =>
  instantOf(instantAt(zone, end));

/** The instant at which a running turn began, by the clock of its zone. */
export const beginningOf = ({ began }: RunningTurn, zone: Zone): number =>
  instantAt(zone, wallOf(began));

const wallText = (wall: number): string => instantOf(wall).toString().slice(0, -'Z'.length);
const wallOf = (text: string): number => Temporal.Instant.from(`${text}Z`).epochMilliseconds;
