// Temporal answers a question about a zone in microseconds, and a year of shifts asks thousands of
// them. Inside this folder an instant is a number of epoch milliseconds, and a wall time one of
// milliseconds since 1970-01-01T00:00 on the local clock (ADR 0013). A finer instant counts as the
// millisecond that it lies in.
import { memoryLimits } from '../limits/memory.ts';
import { clockIn } from '../resources/declaration/time-zone.ts';

export const DAY = 86_400_000;

/** A span in which a zone's clock kept one offset from UTC. */
type OffsetPeriod = { readonly from: number; readonly to: number; readonly offset: number };

/** The known offsets of a zone by blocks of time, and the period that was used last. */
export type Zone = {
  readonly name: string;
  readonly blocks: Map<number, readonly OffsetPeriod[]>;
  last: OffsetPeriod;
};

// Some 13 months; each costs one to three questions to Temporal, once.
const BLOCK = 400 * DAY;
const LAST_INSTANT = 8.64e15;
const NEVER: OffsetPeriod = { from: Infinity, to: Infinity, offset: 0 };

const zones = new Map<string, Zone>();

/** The offsets of a zone, remembered between calls. */
export function zoneOf(name: string): Zone {
  const cached = zones.get(name);
  if (cached) return cached;
  if (zones.size >= memoryLimits.zones) zones.clear();
  const zone = { name, blocks: new Map(), last: NEVER };
  zones.set(name, zone);
  return zone;
}

/** What the zone's clock shows at an instant. */
export function wallAt(zone: Zone, at: number): number {
  return at + periodAt(zone, at).offset;
}

/**
 * The instant at which a zone's clock first shows a wall time: the first instant after the gap when
 * the time is skipped, its first occurrence when there are two. Never earlier for a later time.
 */
export function instantAt(zone: Zone, wall: number): number {
  // No clock is a day or more away from UTC.
  for (let period = periodAt(zone, wall - DAY); ; period = periodAt(zone, period.to)) {
    const at = wall - period.offset;
    if (at < period.to) return Math.max(at, period.from);
  }
}

/** Local times that the zone's clock skips. */
export type ClockGap = { readonly from: number; readonly to: number };

/** What the clock skips at the instants from one, included, to another, excluded. */
export function gapsIn(zone: Zone, from: number, to: number): readonly ClockGap[] {
  const gaps: ClockGap[] = [];
  for (let period = periodAt(zone, from - 1); period.to < to; ) {
    const { to: at, offset } = period;
    period = periodAt(zone, at);
    if (period.offset > offset) gaps.push({ from: at + offset, to: at + period.offset });
  }
  return gaps;
}

/** The millisecond as an instant, the nearest there is when time itself ends before. */
export function instantOf(at: number): Temporal.Instant {
  const possible = Math.min(Math.max(at, -LAST_INSTANT), LAST_INSTANT);
  return Temporal.Instant.fromEpochMilliseconds(possible);
}

function periodAt(zone: Zone, at: number): OffsetPeriod {
  const { last } = zone;
  if (at >= last.from && at < last.to) return last;
  const number = Math.floor(at / BLOCK);
  const block = zone.blocks.get(number) ?? readBlock(zone, number);
  const period = block.findLast(({ from }) => from <= at);
  if (!period) throw new RangeError(`there is no instant ${at}`);
  zone.last = period;
  return period;
}

function readBlock(zone: Zone, number: number): readonly OffsetPeriod[] {
  if (zone.blocks.size >= memoryLimits.zoneBlocks) zone.blocks.clear();
  const end = (number + 1) * BLOCK;
  const block: OffsetPeriod[] = [];
  let from = number * BLOCK;
  let zoned = clockIn(zone.name, instantOf(from));
  while (from < end) {
    const next = zoned.getTimeZoneTransition('next');
    const to = Math.min(next?.epochMilliseconds ?? end, end);
    block.push({ from, to, offset: zoned.offsetNanoseconds / 1e6 });
    from = to;
    if (next) zoned = next;
  }
  zone.blocks.set(number, block);
  return block;
}
