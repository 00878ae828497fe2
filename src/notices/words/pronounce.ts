// Texts from machines as a voice can read them: without what would be spelled for minutes, with signs
// and units as words.
import { defaultLanguage, type Language } from '../../resources/language.ts';
import { german } from './voices/de.ts';
import { english } from './voices/en.ts';
import { spanish } from './voices/es.ts';
import { french } from './voices/fr.ts';
import { type Pronunciation, type Sign, type UnitName, unitNames } from './voices/pronunciation.ts';
import { lineOf, withoutLinks } from './wording.ts';

/** Beyond what anybody reads out. */
const LENGTH_READ = 1_000;
const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;
const HEX = /\b(?:0x[0-9a-f]+|(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,})\b/gi;
/** Ids of tools and times in milliseconds. */
const LONG_NUMBER = /\b\d{10,}\b/g;

const pronunciations: Readonly<Record<Language, Pronunciation>> = {
  en: english,
  de: german,
  fr: french,
  es: spanish,
};

const DATE = /\b(\d{4})-(\d{2})-(\d{2})(?:T(?=\d))?/g;
const QUANTITY = new RegExp(
  `(?<![\\w.])(\\d+(?:\\.\\d+)?) ?(${unitNames.toSorted(byLength).join('|')})(?:/(sec|min|s|m|h|d))?(?![\\w])`,
  'g',
);

/** In this order: the longer signs before those that they begin with. */
const signs: readonly (readonly [written: RegExp, sign: Sign])[] = [
  [/>=|≥/g, 'atLeast'],
  [/<=|≤/g, 'atMost'],
  [/!=|≠/g, 'isNot'],
  [/[-=]>|→/g, 'to'],
  [/==?/g, 'equals'],
  [/>/g, 'greater'],
  [/</g, 'less'],
  [/&/g, 'and'],
  [/@/g, 'at'],
  [/#(?=\d)/g, 'number'],
  [/\+(?=\d)/g, 'plus'],
  [/%/g, 'percent'],
  [/(?<![\p{L}\p{N}])-(?=\d)/gu, 'minus'],
  // A number that belongs to a name is spoken as people read the name to each other.
  [/(?<=\p{L})-(?=\d)|(?<=\d)-(?=\p{L})/gu, 'dash'],
  [/(?<=\p{L})\.(?=\p{L})/gu, 'dot'],
  [/(?<=[\p{L}\p{N}])\/(?=[\p{L}\p{N}])|\/(?=\p{L})/gu, 'slash'],
];

/** What a voice of that language reads for a text from outside, in one line. */
export function spoken(text: string, language: Language = defaultLanguage): string {
  const voice = pronunciations[language];
  const whole = withoutLinks(lineOf(text.slice(0, LENGTH_READ)))
    .replace(UUID, ' ')
    .replace(HEX, ' ');
  const dated = whole.replace(LONG_NUMBER, ' ').replace(DATE, dateIn(voice));
  const measured = dated.replace(QUANTITY, quantityIn(voice));
  const lettered = measured
    // Numbers of incidents, which a voice would read as a word and a dash.
    .replace(/\bINC-(?=\d)/g, ' I N C, ')
    .replace(/<(?![\s=])([^<>]*[^<>\s])>/g, ' $1 ');
  const worded = signs.reduce(
    (one, [written, sign]) => one.replace(written, ` ${voice.signs[sign]} `),
    lettered,
  );
  return withWordsApart(worded)
    .replace(/[^\p{L}\p{M}\p{N}\s.,:;!?'’]/gu, ' ')
    .replace(/\s+(?=[.,:;!?])/g, '')
    .replace(/([.,:;!?])(?:\s*[.,:;!?])+/g, '$1')
    .replace(/^[\s.,:;!?']+/, '')
    .replace(/\s+/g, ' ')
    .trim();
}

const dateIn =
  ({ months, date }: Pronunciation) =>
  (written: string, year: string, month: string, day: string): string => {
    const name = months[Number(month) - 1];
    return name === undefined ? written : `${date(Number(day), name, year)} `;
  };

const quantityIn =
  ({ units, per, decimal }: Pronunciation) =>
  (_: string, amount: string, unit: UnitName, period?: UnitName): string => {
    const [one, many] = units[unit];
    const quantity = `${amount.replace('.', decimal)} ${amount === '1' ? one : many}`;
    return period === undefined ? quantity : per(quantity, units[period][0]);
  };

/** `diskFull` and `HTTPServer` are two words each. */
const withWordsApart = (text: string) =>
  text.replace(/(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll}{2})/gu, ' ');

function byLength(one: string, other: string): number {
  return other.length - one.length;
}

/** One by one, with pauses: `0, 4, 2`. */
export const spokenDigits = (digits: string): string => Array.from(digits).join(', ');

const ones = [
  ...['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'],
  ...['eleven', 'twelve', 'thirteen', 'fourteen', 'fifteen', 'sixteen', 'seventeen', 'eighteen'],
  'nineteen',
];
const tens = [
  ...['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'],
];

/** A whole number, in words where a voice may read its digits as a year; digit by digit from a million on. */
export function spokenNumber(number: number, language: Language = defaultLanguage): string {
  if (number >= 1_000_000) return spokenDigits(String(number));
  return language === 'en' ? inEnglish(number) : String(number);
}

function inEnglish(number: number): string {
  if (number >= 1_000) return joined(number, 1_000, 'thousand');
  if (number >= 100) return joined(number, 100, 'hundred');
  if (number < 20) return ones[number] ?? '';
  const rest = number % 10;
  const ten = tens[Math.floor(number / 10)] ?? '';
  return rest === 0 ? ten : `${ten}-${ones[rest]}`;
}

function joined(number: number, size: number, name: string): string {
  const rest = number % size;
  const start = `${inEnglish(Math.floor(number / size))} ${name}`;
  return rest === 0 ? start : `${start} ${inEnglish(rest)}`;
}
