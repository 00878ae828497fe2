import { counted } from '../resources/plural.ts';

/** Of the two largest units that it has. */
export function durationText(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  const units: readonly (readonly [number, string])[] = [
    [86_400, 'day'],
    [3_600, 'hour'],
    [60, 'minute'],
    [1, 'second'],
  ];
  const first = units.findIndex(([size]) => seconds >= size);
  const parts: string[] = [];
  let left = seconds;
  for (const [size, unit] of units.slice(Math.max(first, 0), Math.max(first, 0) + 2)) {
    const count = Math.floor(left / size);
    left -= count * size;
    if (count > 0) parts.push(counted(count, unit));
  }
  return parts.join(' ') || '0 seconds';
}
