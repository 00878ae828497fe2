import { clockIn } from '../../resources/declaration/time-zone.ts';
import type { ActionTaken, Notice } from '../notice.ts';
import { phraseOf } from './wording.ts';

/** As `Acknowledged by Ada (phone), 03:12`, on the clock of its readers. */
export function takenLine(notice: Notice, { action, by, via, at }: ActionTaken): string {
  const { timezone } = notice;
  const time = clockIn(timezone ?? 'UTC', at).toPlainTime();
  const clock = time.toString({ smallestUnit: 'minute', roundingMode: 'trunc' });
  const from = via === undefined ? '' : ` (${phraseOf(via)})`;
  return `${action} by ${phraseOf(by)}${from}, ${clock}${timezone ? '' : ' UTC'}`;
}
