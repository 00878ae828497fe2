// The alphabets of SMS. A text that keeps to GSM 03.38 has 160 characters in one segment; one other
// character makes it UCS-2, of which one segment has 70.

const BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡' +
  'ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
/** Each is sent as two. */
const EXTENDED = '^{}\\[~]|€';

const widths: ReadonlyMap<string, number> = new Map([
  ...[...BASIC].map((one) => [one, 1] as const),
  ...[...EXTENDED].map((one) => [one, 2] as const),
]);

/** What neither alphabet has and does not decompose into what they have. */
const replacements: Readonly<Record<string, string>> = {
  '‘': "'",
  '’': "'",
  '‚': "'",
  '‛': "'",
  '′': "'",
  '`': "'",
  '´': "'",
  '‹': '<',
  '›': '>',
  '“': '"',
  '”': '"',
  '„': '"',
  '‟': '"',
  '″': '"',
  '«': '"',
  '»': '"',
  '‐': '-',
  '‑': '-',
  '‒': '-',
  '–': '-',
  '—': '-',
  '―': '-',
  '−': '-',
  '⁃': '-',
  '•': '*',
  '·': '.',
  '…': '...',
  '⁄': '/',
  '×': 'x',
  '÷': '/',
  '±': '+-',
  '¬': '!',
  '→': '->',
  '←': '<-',
  '⇒': '=>',
  '↔': '<->',
  '≥': '>=',
  '≤': '<=',
  '≠': '!=',
  '≈': '~',
  '°': ' deg ',
  µ: 'u',
  μ: 'u',
  '©': '(c)',
  '®': '(R)',
  '¦': '|',
  '¢': 'c',
  '№': 'No',
  ı: 'i',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  œ: 'oe',
  Œ: 'OE',
  þ: 'th',
  Þ: 'Th',
  ð: 'd',
};

/** Emoji, what joins them, and what has no width. */
const DECORATION = /^[\p{Extended_Pictographic}\p{Emoji_Modifier}\u200b-\u200d\u2060\ufeff]/u;
/** A character with the marks that stand on it. */
const MARKED = /\P{M}\p{M}*|\p{M}+/gu;

/** The text with as much of it in GSM 03.38 as can be read that way. */
export const inGsm7 = (text: string): string => text.normalize('NFC').replace(MARKED, inAlphabet);

function inAlphabet(character: string): string {
  if (widths.has(character)) return character;
  const bare = Array.from(
    character.normalize('NFKD').replace(/\p{M}/gu, ''),
    (one) => replacements[one] ?? one,
  ).join('');
  const replaced = replacements[character] ?? bare;
  if (isGsm7(replaced)) return replaced;
  return DECORATION.test(character) ? '' : character;
}

export function isGsm7(text: string): boolean {
  return Array.from(text).every((one) => widths.has(one));
}

/** How much one segment holds of it is measured in. */
type Encoding = {
  readonly name: 'GSM-7' | 'UCS-2';
  /** What a message of one segment holds, and each segment of a longer one. */
  readonly single: number;
  readonly joined: number;
  readonly widthOf: (character: string) => number;
  /** Ends a text that was cut. */
  readonly ellipsis: string;
};

const gsm7: Encoding = {
  name: 'GSM-7',
  single: 160,
  joined: 153,
  ellipsis: '...',
  widthOf: (character) => widths.get(character) ?? 0,
};
const ucs2: Encoding = {
  name: 'UCS-2',
  single: 70,
  joined: 67,
  ellipsis: '…',
  widthOf: (character) => character.length,
};

export const encodingOf = (text: string): Encoding => (isGsm7(text) ? gsm7 : ucs2);

export const lengthIn = ({ widthOf }: Encoding, text: string): number =>
  Array.from(text).reduce((sum, one) => sum + widthOf(one), 0);

/** In how many segments a text is sent, and billed. No character is divided between two. */
export function segmentsOf(text: string): number {
  const encoding = encodingOf(text);
  if (lengthIn(encoding, text) <= encoding.single) return 1;
  let segments = 1;
  let used = 0;
  for (const character of text) {
    const width = encoding.widthOf(character);
    if (used + width > encoding.joined) {
      segments += 1;
      used = 0;
    }
    used += width;
  }
  return segments;
}

/** At most `max` long in that encoding, with an ellipsis where it was cut; empty if nothing fits. */
export function cutIn(encoding: Encoding, text: string, max: number): string {
  if (lengthIn(encoding, text) <= max) return text;
  const room = max - encoding.ellipsis.length;
  let cut = '';
  let used = 0;
  for (const character of text) {
    used += encoding.widthOf(character);
    if (used > room) break;
    cut += character;
  }
  return cut === '' ? '' : cut.trimEnd() + encoding.ellipsis;
}
