// What somebody asks for by a text, such as `ack 42`: the same by SMS and in every chat.

export type Verb = 'acknowledge' | 'resolve' | 'escalate';

export type Command = {
  readonly action: Verb;
  /** Of the incident; null: they named none. */
  readonly number: number | null;
  /** What else they wrote; empty: nothing. */
  readonly note: string;
};

/** What cannot be done for sure is not done. */
export type Unclear = {
  /** What may be wanted, to propose it: the likeliest first. */
  readonly guesses: readonly Guess[];
  /** Several incidents, or several things, are asked for at once. */
  readonly isSeveral: boolean;
};

export type Guess = { readonly action: Verb | null; readonly number: number | null };

/** Of telephones; the same digits are written in texts. */
export const keys: ReadonlyMap<string, Verb> = new Map([
  ['4', 'acknowledge'],
  ['6', 'resolve'],
  ['9', 'escalate'],
]);

/** In the languages of short texts, whatever the reader’s is, in the forms that people write in a hurry. */
export const verbWords: Readonly<Record<Verb, readonly string[]>> = {
  acknowledge: [
    ...['a', 'ack', 'acked', 'acknowledge', 'acknowledged', 'ok', 'okay'],
    ...['bestätigen', 'bestätige', 'bestätigt', 'übernehmen', 'übernehme', 'übernommen'],
    ...['quittieren', 'quittiere', 'quittiert'],
    ...['acquitter', 'acquitte', 'acquitté', 'confirmer', 'confirme', 'confirmé'],
    ...['reconocer', 'reconozco', 'reconocido', 'confirmar', 'confirmo', 'confirmado'],
  ],
  resolve: [
    ...['r', 'resolve', 'resolved', 'c', 'close', 'closed'],
    ...['lösen', 'löse', 'gelöst', 'behoben', 'erledigt'],
    ...['schließen', 'schließe', 'geschlossen'],
    ...['résoudre', 'résolu', 'fermer', 'ferme', 'fermé', 'clore', 'clos', 'clôturer', 'clôturé'],
    ...['resolver', 'resuelve', 'resuelto', 'cerrar', 'cierra', 'cerrado'],
  ],
  // Not what is over: an answer that somebody's machine sends back would escalate once more.
  escalate: [
    ...['e', 'escalate', 'eskalieren', 'eskaliere'],
    ...['escalader', 'escalade', 'escalar', 'escala', 'escalo'],
  ],
};

/** What a word would be without its accents, and is in another language. */
const otherWords = new Set(['lose']);

/** With and without accents, and as Germans write without umlauts. */
export function spellings(word: string): readonly string[] {
  const written = word.replaceAll('ß', 'ss');
  const spelled = written.replace(/[äöü]/g, (vowel) => `${withoutMarks(vowel)}e`);
  const bare = withoutMarks(written);
  return [...new Set([word, written, spelled, bare])].filter((one) => !otherWords.has(one));
}

const withoutMarks = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '');

const verbs: ReadonlyMap<string, Verb> = new Map(
  Object.entries(verbWords).flatMap(([verb, words]) =>
    words.flatMap(spellings).map((spelling) => [spelling, verb as Verb] as const),
  ),
);

const verbOf = (word: string): Verb | null => verbs.get(word.toLowerCase()) ?? null;

/** Whatever language the rest is in: a person who cannot, or did not, is not taken to have done it. */
const negations = new Set([
  ...['no', 'not', 'never', 'none', 'nobody', 'cannot', 'unable', 'cant', 'dont', 'wont', 'didnt'],
  ...['doesnt', 'isnt', 'wasnt', 'couldnt', 'wouldnt', 'shouldnt', 'havent', 'hasnt'],
  ...['nicht', 'nich', 'nein', 'nie', 'niemals', 'nix', 'kein', 'keine', 'keinen', 'keiner'],
  ...['ne', 'pas', 'non', 'jamais', 'rien', 'aucun', 'aucune', 'impossible'],
  ...['nunca', 'jamás', 'jamas', 'tampoco', 'imposible'],
]);

const isNegation = (word: string): boolean =>
  negations.has(word) || /n['’]t$/.test(word) || /^n['’]/.test(word);

const isNegated = (text: string): boolean =>
  (text.toLowerCase().match(/[\p{L}'’]+/gu) ?? []).some(isNegation);

const SEPARATOR = String.raw`[\s\-–—:.,/=#_+]`;
const INCIDENT = String.raw`(?:(?:inc|incident|incidente|incidencia|vorfall)[\s:#-]*|#\s*)?`;
/** `42`, `#42`, `INC-42`, `incident 42`; no part of a time, of a decimal, or of a longer number. */
const NUMBER = String.raw`${INCIDENT}([1-9]\d{0,8})(?!\d)(?![.,:]\d)`;
/** An `ok` before a number is the verb itself. */
const POLITE = String.raw`(?:(?:(?:ok|okay)(?![\s,:]+${INCIDENT}\d)|please|pls|plz|bitte|svp|stp|por\s+favor|s['’]il\s+(?:te|vous)\s+pla[iî]t)[\s,:]+)?`;
const START = String.raw`^[\s/.,:\-]*${POLITE}`;

const keyFirst = new RegExp(`${START}([469])(${SEPARATOR}+)${NUMBER}(?!\\p{L})`, 'iu');
const wordFirst = new RegExp(`${START}(\\p{L}+)(${SEPARATOR}*)${NUMBER}(?!\\p{L})`, 'iu');
const numberFirst = new RegExp(`${START}${NUMBER}(${SEPARATOR}*)(\\p{L}+)(?![\\p{L}\\d])`, 'iu');
const bare = new RegExp(`${START}([469]|\\p{L}+)[\\s.,:!-]*$`, 'iu');
/** Such as `9:30`, which names nobody's incident. */
const time = /^[:.]$/;

/** Nobody's words, as programs add them below: after a line that begins a signature, or of a telephone. */
const signature =
  /^\s*(?:--\s*$|(?:sent (?:from|via)|gesendet (?:von|mit)|von meinem|envoyé (?:de|depuis)|enviado (?:desde|con))\b)/iu;

export function withoutSignature(text: string): string {
  const lines = text.split('\n');
  const signed = lines.findIndex((line, at) => at > 0 && signature.test(line));
  return (signed < 0 ? lines : lines.slice(0, signed)).join('\n');
}

/** A verb and a number, and maybe a note. */
export function readText(
  text: string,
): { readonly command: Command } | { readonly unclear: Unclear } {
  const written = withoutSignature(text.normalize('NFC')).trim();
  // Each as long as before, so that the note is found again.
  const plain = written.replace(/[^\p{L}\p{N}\s'’\-–—:.,;/=#_+!?&]/gu, ({ length }) =>
    ' '.repeat(length),
  );
  const read = named(plain) ?? unnamed(plain);
  if (read === null) return { unclear: { guesses: guessesIn(plain), isSeveral: false } };
  const { action, number, length, isShort } = read;
  const rest = plain.slice(length);
  const isSeveral = number !== null && hasAnother(rest, { action, number });
  const [sentence = ''] = rest.split(/[.!;](?=\s|$)|\n/, 1);
  const isSure = !isNegated(sentence) && !sentence.includes('?') && !(isShort && /\S/.test(rest));
  if (isSeveral || !isSure) return { unclear: { guesses: [{ action, number }], isSeveral } };
  const note = noteIn(written.slice(length));
  return { command: { action, number, note: isRepeated(note, read) ? '' : note } };
}

type Read = {
  readonly action: Verb;
  readonly number: number | null;
  /** Of what was read. */
  readonly length: number;
  /** A letter, which also begins sentences. */
  readonly isShort: boolean;
};

function named(text: string): Read | null {
  const digit = keyFirst.exec(text);
  if (digit !== null) {
    const [all, key = '', between = '', number = ''] = digit;
    const action = keys.get(key);
    if (action === undefined || (time.test(between) && number.length === 2)) return null;
    return { action, number: Number(number), length: all.length, isShort: false };
  }
  const [all = '', word = '', between = '', number = ''] = wordFirst.exec(text) ?? [];
  const inOrder = wordRead({ all, word, between, number });
  if (inOrder !== null) return inOrder;
  const [whole = '', first = '', middle = '', last = ''] = numberFirst.exec(text) ?? [];
  return wordRead({ all: whole, word: last, between: middle, number: first });
}

type Matched = Readonly<Record<'all' | 'word' | 'between' | 'number', string>>;

function wordRead({ all, word, between, number }: Matched): Read | null {
  const action = verbOf(word);
  const isShort = word.length === 1;
  if (action === null || (isShort && between === '')) return null;
  return { action, number: Number(number), length: all.length, isShort };
}

function unnamed(text: string): Read | null {
  const [all = '', word = ''] = bare.exec(text) ?? [];
  const action = keys.get(word) ?? verbOf(word);
  return action === null ? null : { action, number: null, length: all.length, isShort: false };
}

const more = new RegExp(`^(?:${SEPARATOR}|&|and|und|et|y)*${NUMBER}(?!\\p{L})`, 'iu');
const pairs = new RegExp(
  `(?<!\\p{L})(\\p{L}{2,})${SEPARATOR}*${NUMBER}|(?<!\\d)${NUMBER}${SEPARATOR}*(\\p{L}{2,})`,
  'giu',
);

/** Another number right after the first, or another verb with one. */
function hasAnother(rest: string, { action, number }: Guess): boolean {
  const [, next] = more.exec(rest) ?? [];
  if (next !== undefined && Number(next) !== number) return true;
  const verb = verbOf(/^[^\p{L}]*(\p{L}+)[^\p{L}]*$/u.exec(rest)?.[1] ?? '');
  if (verb !== null && verb !== action) return true;
  return [...rest.matchAll(pairs)].some(
    ([, before, , , after]) => verbOf(before ?? '') !== null || verbOf(after ?? '') !== null,
  );
}

/** As whoever copies the menu of a page writes it: `4 42 ack`. */
const isRepeated = (note: string, { action, number }: Read): boolean =>
  verbOf(note) === action || note === String(number);

const glued = /^\s*(([469])([1-9]\d{0,7}))[\s.!]*$/;
const keyLast = new RegExp(`^\\s*${NUMBER}${SEPARATOR}+([469])[\\s.!]*$`, 'iu');
const anyNumber = new RegExp(`(?<![\\p{L}\\d]|\\d[.,:])${NUMBER}(?!\\p{L})`, 'iu');

/** The first verb and the first number in it, wherever they stand. */
function guessesIn(text: string): readonly Guess[] {
  const [, whole, key = '', number] = glued.exec(text) ?? [];
  if (whole !== undefined)
    return [
      { action: keys.get(key) ?? null, number: Number(number) },
      { action: null, number: Number(whole) },
    ];
  const [, first, last = ''] = keyLast.exec(text) ?? [];
  if (first !== undefined) return [{ action: keys.get(last) ?? null, number: Number(first) }];
  const [, digits] = anyNumber.exec(text) ?? [];
  const [action = null] = (text.match(/\p{L}{2,}/gu) ?? []).flatMap((word) => verbOf(word) ?? []);
  return [{ action, number: digits === undefined ? null : Number(digits) }];
}

/** Without what only parts it from the command; a note has a letter or a digit. */
function noteIn(rest: string): string {
  const note = rest.replace(/^[\s\-–—:.,;/!]+/u, '').trim();
  return /[\p{L}\p{N}]/u.test(note) ? note : '';
}

/** A verb, and maybe a number and a note. Null: it is something else. */
export function readCommand(text: string): Command | null {
  const read = readText(text);
  return 'command' in read ? read.command : null;
}

/** As the verbs have it: `42`, `#42` or `INC-42`. Null: it is something else. */
export function readNumber(word: string): number | null {
  const [, number] = onlyNumber.exec(word) ?? [];
  return number === undefined ? null : Number(number);
}

const onlyNumber = new RegExp(`^${NUMBER}$`, 'iu');
