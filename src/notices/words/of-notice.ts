// The phrases of a notice, in the language of its reader.
import { defaultLanguage } from '../../resources/language.ts';
import type { AnyNotice } from '../kind.ts';
import { type Phrases, phrasesIn } from './phrases.ts';
import { phraseOf } from './wording.ts';

type Localized = Pick<AnyNotice, 'language'>;

export const phrasesOf = ({ language = defaultLanguage }: Localized): Phrases =>
  phrasesIn(language);

export const isEnglish = ({ language = defaultLanguage }: Localized): boolean =>
  language === defaultLanguage;

/** It was decided and stored in English: in other languages it is left out. Decision 0099. */
export const whyOf = (notice: Pick<AnyNotice, 'language' | 'why'>): string =>
  isEnglish(notice) ? phraseOf(notice.why) : '';
