import type { Bar } from './bar.ts';
import { spanText } from './times.ts';

/** What is read aloud, and stands in the tooltip. */
export const barText = (bar: Bar, zone: string, now: number): string =>
  [`${bar.full}, ${spanText(zone, bar.whole, now)}`, bar.note ?? []].flat().join('. ');
