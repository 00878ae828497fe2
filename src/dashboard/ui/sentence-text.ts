import { visibleText } from '../../resources/visible-text.ts';
import { partsOf } from './instants.ts';
import { momentText } from './moment-text.ts';

/** A sentence of the API where only plain text can be, such as in a tooltip. */
export const sentenceText = (text: string, now: number): string =>
  partsOf(text)
    .map((part) => ('at' in part ? momentText(part.at, now) : visibleText(part.text)))
    .join('');
