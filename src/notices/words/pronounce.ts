// Texts from machines as a voice can read them: without what would be spelled for minutes, with signs
// and units as words. In English.
import { lineOf, withoutLinks } from './wording.ts';

/** Beyond what anybody reads out. */
const LENGTH_READ = 1_000;
const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;
const HEX = /\b(?:0x[0-9a-f]+|(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,})\b/gi;
/** Ids of tools and times in milliseconds. */
const LONG_NUMBER = /\b\d{10,}\b/g;

const units: Readonly<Record<string, readonly [one: string, many: string]>> = {
  '%': ['percent', 'percent'],
  '‰': ['per mille', 'per mille'],
  ns: ['nanosecond', 'nanoseconds'],
  us: ['microsecond', 'microseconds'],
  µs: ['microsecond', 'microseconds'],
  ms: ['millisecond', 'milliseconds'],
  s: ['second', 'seconds'],
  sec: ['second', 'seconds'],
  m: ['minute', 'minutes'],
  min: ['minute', 'minutes'],
  h: ['hour', 'hours'],
  d: ['day', 'days'],
  B: ['byte', 'bytes'],
  kB: ['kilobyte', 'kilobytes'],
  KB: ['kilobyte', 'kilobytes'],
  MB: ['megabyte', 'megabytes'],
  GB: ['gigabyte', 'gigabytes'],
  TB: ['terabyte', 'terabytes'],
  KiB: ['kibibyte', 'kibibytes'],
  MiB: ['mebibyte', 'mebibytes'],
  GiB: ['gibibyte', 'gibibytes'],
  TiB: ['tebibyte', 'tebibytes'],
  req: ['request', 'requests'],
  Mbps: ['megabit per second', 'megabits per second'],
  Gbps: ['gigabit per second', 'gigabits per second'],
  '°C': ['degree Celsius', 'degrees Celsius'],
  '°F': ['degree Fahrenheit', 'degrees Fahrenheit'],
};
const periods: Readonly<Record<string, string>> = {
  s: 'second',
  sec: 'second',
  min: 'minute',
  m: 'minute',
  h: 'hour',
  d: 'day',
};
const months = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September'],
  ...['October', 'November', 'December'],
];
const DATE = /\b(\d{4})-(\d{2})-(\d{2})(?:T(?=\d))?/g;
const QUANTITY = new RegExp(
  `(?<![\\w.])(\\d+(?:\\.\\d+)?) ?(${Object.keys(units).sort(byLength).join('|')})(?:/(sec|min|s|m|h|d))?(?![\\w])`,
  'g',
);

/** In this order: the longer signs before those that they begin with. */
const signs: readonly (readonly [sign: RegExp, words: string])[] = [
  // Numbers of incidents, which a voice would read as a word and a dash.
  [/\bINC-(?=\d)/g, ' I N C, '],
  [/<(?![\s=])([^<>]*[^<>\s])>/g, ' $1 '],
  [/>=|≥/g, ' at least '],
  [/<=|≤/g, ' at most '],
  [/!=|≠/g, ' is not '],
  [/[-=]>|→/g, ' to '],
  [/==?/g, ' equals '],
  [/>/g, ' greater than '],
  [/</g, ' less than '],
  [/&/g, ' and '],
  [/@/g, ' at '],
  [/#(?=\d)/g, ' number '],
  [/\+(?=\d)/g, ' plus '],
  [/%/g, ' percent '],
  [/(?<![\p{L}\p{N}])-(?=\d)/gu, ' minus '],
  // A number that belongs to a name is spoken as people read the name to each other.
  [/(?<=\p{L})-(?=\d)|(?<=\d)-(?=\p{L})/gu, ' dash '],
  [/(?<=\p{L})\.(?=\p{L})/gu, ' dot '],
  [/(?<=[\p{L}\p{N}])\/(?=[\p{L}\p{N}])|\/(?=\p{L})/gu, ' slash '],
];

/** What a voice reads for a text from outside, in one line. */
export function spoken(text: string): string {
  const whole = withoutLinks(lineOf(text.slice(0, LENGTH_READ)))
    .replace(UUID, ' ')
    .replace(HEX, ' ');
  const dated = whole.replace(LONG_NUMBER, ' ').replace(DATE, date);
  const measured = dated.replace(QUANTITY, quantity);
  const worded = signs.reduce((one, [sign, words]) => one.replace(sign, words), measured);
  return withWordsApart(worded)
    .replace(/[^\p{L}\p{M}\p{N}\s.,:;!?'’]/gu, ' ')
    .replace(/\s+(?=[.,:;!?])/g, '')
    .replace(/([.,:;!?])(?:\s*[.,:;!?])+/g, '$1')
    .replace(/^[\s.,:;!?']+/, '')
    .replace(/\s+/g, ' ')
    .trim();
}

function date(written: string, year: string, month: string, day: string): string {
  const name = months[Number(month) - 1];
  return name === undefined ? written : `${Number(day)} ${name} ${year} `;
}

function quantity(_: string, amount: string, unit: string, period?: string): string {
  const [one, many] = units[unit] ?? [unit, unit];
  const per = period === undefined ? '' : ` per ${periods[period] ?? period}`;
  return `${amount} ${amount === '1' ? one : many}${per}`;
}

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

/** A whole number in words; digit by digit from a million on. */
export function spokenNumber(number: number): string {
  if (number >= 1_000_000) return spokenDigits(String(number));
  if (number >= 1_000) return joined(number, 1_000, 'thousand');
  if (number >= 100) return joined(number, 100, 'hundred');
  if (number < 20) return ones[number] ?? '';
  const rest = number % 10;
  const ten = tens[Math.floor(number / 10)] ?? '';
  return rest === 0 ? ten : `${ten}-${ones[rest]}`;
}

function joined(number: number, size: number, name: string): string {
  const rest = number % size;
  const start = `${spokenNumber(Math.floor(number / size))} ${name}`;
  return rest === 0 ? start : `${start} ${spokenNumber(rest)}`;
}
