import type { Json } from './alert.ts';

const ASCII = /^[ -~]*$/;
const ACCENTS = /[\u0300-\u036f]/g;

/**
 * A word without case, accents, spaces, `_` and `-`, as words are compared, in whichever of their
 * forms its characters are written; blank for what is no word.
 */
export function plain(value: Json | undefined): string {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string' || value.length > 100) return '';
  const letters = ASCII.test(value) ? value : value.normalize('NFKD').replace(ACCENTS, '');
  return letters.toLowerCase().replace(/[\s_-]/g, '');
}
