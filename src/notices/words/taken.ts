import { clockIn } from '../../resources/declaration/time-zone.ts';
import { defaultLanguage, type Language } from '../../resources/language.ts';
import type { AnyNotice } from '../kind.ts';
import type { ActionTaken } from '../kinds/incident.ts';
import { english, type Phrases } from './en.ts';
import { phrasesIn } from './phrases.ts';
import { phraseOf } from './wording.ts';

/** As `Acknowledged by Ada (phone), 03:12`, on the clock of its readers. */
export const takenLine = (notice: AnyNotice, taken: ActionTaken): string =>
  `${takenBy(taken, notice.language)}, ${takenAt(notice, taken)}`;

/** The same without the time. */
export function takenBy(
  { action, by, via, isAutomatic = false }: ActionTaken,
  language: Language = defaultLanguage,
): string {
  const { taken, automatic, byTelephone } = phrasesIn(language);
  const way = via === english.byTelephone ? byTelephone : via;
  const from = way === undefined ? '' : ` (${phraseOf(way)})`;
  const name = isAutomatic ? automatic(phraseOf(by)) : phraseOf(by);
  const doer = `${name}${from}`;
  return isKnown(action) ? taken[action](doer) : `${action} by ${doer}`;
}

const isKnown = (action: string): action is keyof Phrases['taken'] =>
  Object.hasOwn(english.taken, action);

export function takenAt({ timezone }: AnyNotice, { at }: ActionTaken): string {
  const time = clockIn(timezone ?? 'UTC', at).toPlainTime();
  const clock = time.toString({ smallestUnit: 'minute', roundingMode: 'trunc' });
  return `${clock}${timezone ? '' : ' UTC'}`;
}
