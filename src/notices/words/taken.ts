import { clockIn } from '../../resources/declaration/time-zone.ts';
import type { AnyNotice } from '../kind.ts';
import type { ActionTaken } from '../kinds/incident.ts';
import { phraseOf } from './wording.ts';

/** As `Acknowledged by Ada (phone), 03:12`, on the clock of its readers. */
export const takenLine = (notice: AnyNotice, taken: ActionTaken): string =>
  `${takenBy(taken)}, ${takenAt(notice, taken)}`;

/** The same without the time. */
export function takenBy({ action, by, via }: ActionTaken): string {
  const from = via === undefined ? '' : ` (${phraseOf(via)})`;
  return `${action} by ${phraseOf(by)}${from}`;
}

export function takenAt({ timezone }: AnyNotice, { at }: ActionTaken): string {
  const time = clockIn(timezone ?? 'UTC', at).toPlainTime();
  const clock = time.toString({ smallestUnit: 'minute', roundingMode: 'trunc' });
  return `${clock}${timezone ? '' : ' UTC'}`;
}
