// Which numbers may be called and texted: only those that begin with what an admin has allowed.
// Whoever earns from calls to a number makes others call it, so nothing is allowed by itself.

import { premiumPrefixOf } from './premium-numbers.ts';

export const phoneNumberPattern = '^\\+[1-9][0-9]{6,14}$';
/** Whose numbers begin with a zero from abroad, too. */
const zeroCountries: ReadonlySet<string> = new Set(['39', '378']);

/** Comes along when a number is copied: soft hyphens, and marks of the direction of text. */
const invisible = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060\ufeff]/g;

/**
 * A number as people write it, as it is dialed from abroad: without blanks, hyphens and brackets,
 * and without the zero that only those in the country dial: +49 (0)151 2345678. The text itself if
 * it is no such number.
 */
export function dialed(written: string): string {
  const text = written
    .normalize('NFKC')
    .replace(invisible, '')
    .trim()
    .replace(/^tel:/i, '')
    .replace(/^00(?=[1-9])/, '+');
  if (!/^\+[1-9][\d\s()[\]./\u00b7\u2010-\u2015\u2212-]{5,40}$/.test(text)) return written;
  const abroad = text.replace(/^\+(\d{1,3})([\s./-]*)[([]\s*0\s*[)\]]/, (whole, code: string) =>
    zeroCountries.has(code) ? whole : `+${code}`,
  );
  return `+${abroad.replace(/\D/g, '')}`;
}

/** Not of what is never allowed. */
export const prefixPattern = '^\\+(?!88[123]|979)[1-9][0-9]{0,14}$';

/** Satellite and international networks, where the caller pays the most. */
const neverAllowed = ['+881', '+882', '+883', '+979'] as const;

/**
 * Area codes of +1 that belong neither to Canada nor to a state of the United States, with 900, whose
 * numbers charge their caller.
 */
const othersOfNorthAmerica: ReadonlySet<string> = new Set([
  ...['242', '246', '264', '268', '284', '340', '345', '441', '473', '649', '658', '664', '670'],
  ...['671', '684', '721', '758', '767', '784', '787', '809', '829', '849', '868', '869', '876'],
  ...['900', '939'],
]);
/** Of +1 with an area code. */
const WITH_AREA = 5;

export const noPrefix = 'begins with no prefix that an admin has allowed';

export const prefixExample = `+49; ${neverAllowed.join(', ')} are never allowed`;

/** Why a number may not be called; null: it may. */
export function reasonAgainstNumber(
  number: string,
  allowedPrefixes: readonly string[],
): string | null {
  const never = neverAllowed.find((prefix) => number.startsWith(prefix));
  if (never !== undefined)
    return `begins with ${never}, an international network that Pager never calls`;
  const longest = longestPrefix(number, allowedPrefixes);
  if (longest === null) return noPrefix;
  if (!number.startsWith('+1')) return null;
  if (!/^\+1[2-9][0-9]{9}$/.test(number)) return 'must have ten digits after +1';
  const area = number.slice(0, WITH_AREA);
  if (longest.length >= WITH_AREA || !othersOfNorthAmerica.has(area.slice(2))) return null;
  return `begins with ${area}, which the prefix +1 does not include: an admin must allow ${area} separately`;
}

/**
 * The same before a number is proved, when a country does not allow its premium numbers: they have to
 * be allowed by name. What was proved before stays.
 */
export function reasonAgainstNewNumber(
  number: string,
  allowedPrefixes: readonly string[],
): string | null {
  const against = reasonAgainstNumber(number, allowedPrefixes);
  if (against !== null) return against;
  const premium = premiumPrefixOf(number);
  const longest = longestPrefix(number, allowedPrefixes) ?? '';
  if (premium === null || longest.length >= premium.length) return null;
  return `begins with ${premium}, a premium-rate prefix that ${longest} does not include: an admin must allow ${premium} separately`;
}

/** Of those that the number begins with. */
function longestPrefix(number: string, prefixes: readonly string[]): string | null {
  const matching = prefixes.filter((prefix) => number.startsWith(prefix));
  return matching.toSorted((a, b) => b.length - a.length)[0] ?? null;
}
