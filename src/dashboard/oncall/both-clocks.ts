// A time on the clock of a zone and, where that shows another one, on the reader's.
import { ownZone } from '../ui/zones.ts';
import { wallAt } from './clock.ts';
import { words } from './words.ts';

/** `America/New_York` as `New York`. */
const cityOf = (zone: string): string => (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ');

/** Zones with other names can show the same time. */
export const isOtherTime = (zone: string, own: string, at: number): boolean =>
  wallAt(zone, at) !== wallAt(own, at);

/** `22:00 Berlin · 16:00 your time`. */
export function onBothClocks(
  zone: string,
  at: number,
  text: (zone: string) => string,
  own: string | null = ownZone(),
): string {
  if (own === null || !isOtherTime(zone, own, at)) return text(zone);
  return words.bothClocks(text(zone), cityOf(zone), text(own));
}
