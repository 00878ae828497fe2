// What a zone's clock shows, by Intl: not every browser has Temporal, which src/oncall is made of.
// The tests hold the two together.

const DAY = 86_400_000;
const SECOND = 1_000;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formats.set(zone, format);
  return format;
}

/** The local time at an instant, in milliseconds since 1970-01-01T00:00 on the local clock. */
export function wallAt(zone: string, at: number): number {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0;
  const [year, month, day] = [part('year'), part('month') - 1, part('day')];
  const seconds = Date.UTC(year, month, day, part('hour'), part('minute'), part('second'));
  return seconds + (((at % SECOND) + SECOND) % SECOND);
}

/**
 * The instant at which the clock first shows a local time; the first instant after the gap when it
 * is skipped.
 */
export function instantAt(zone: string, wall: number): number {
  const offsetAt = (at: number) => wallAt(zone, at) - at;
  // No clock is a day or more away from UTC.
  const [before, after] = [offsetAt(wall - DAY), offsetAt(wall + DAY)];
  if (offsetAt(wall - before) === before) return wall - before;
  if (offsetAt(wall - after) === after) return wall - after;
  let [last, first] = [wall - after, wall - before];
  while (first - last > SECOND) {
    const middle = Math.floor((first + last) / 2 / SECOND) * SECOND;
    if (offsetAt(middle) === before) last = middle;
    else first = middle;
  }
  return first;
}

/** The number of the local day, from 1970-01-01 on. */
export const dayAt = (zone: string, at: number): number => Math.floor(wallAt(zone, at) / DAY);
