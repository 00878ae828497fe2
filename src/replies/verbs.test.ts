import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import '../../test/seed.ts';
import { inGsm7 } from '../notices/words/gsm7.ts';
import { phrasesIn } from '../notices/words/phrases.ts';
import { languages } from '../resources/language.ts';
import { readCommand, readNumber, readText, spellings, type Verb, verbWords } from './verbs.ts';

/** What acts on INC-8, and the note that it leaves. */
const commands: readonly [string, Verb, string?][] = [
  ...['4 8', ' 4  8 ', '4-8', '4,8', '4.8', '4/8', '4: 8', '4 #8', '4 INC-8', '"4 8"', '4️⃣ 8️⃣'].map(
    (text): [string, Verb] => [text, 'acknowledge'],
  ),
  ...['ack 8', 'ack8', 'ACK INC-8', '8 ack', '8ack', '#8 ack', 'INC-8: ack', 'ack inc8'].map(
    (text): [string, Verb] => [text, 'acknowledge'],
  ),
  ...['ack-8', 'Ack: 8', '/ack 8', 'a 8', '8 a', 'ok 8', 'ok8', 'please ack 8', 'ok, ack 8'].map(
    (text): [string, Verb] => [text, 'acknowledge'],
  ),
  ...['6 8', 'resolve 8', 'Resolved 8', 'close incident 8', '8 r', 'c 8', '8resolve'].map(
    (text): [string, Verb] => [text, 'resolve'],
  ),
  ...['9 8', 'escalate 8', 'e 8', '8 escalate'].map((text): [string, Verb] => [text, 'escalate']),
  ...['bestätige 8', 'Übernehme 8', '8 quittiert', 'acquitter 8', 'je confirme 8'.slice(3)].map(
    (text): [string, Verb] => [text, 'acknowledge'],
  ),
  ...['reconozco 8', '8 confirmado'].map((text): [string, Verb] => [text, 'acknowledge']),
  ...['gelöst 8', 'geloest 8', '8 erledigt', 'löse 8', 'bitte schließen 8'].map(
    (text): [string, Verb] => [text, 'resolve'],
  ),
  ...['RÉSOLU 8', 'resolu 8', 'fermer 8', 'resuelto 8', 'por favor cerrar 8'].map(
    (text): [string, Verb] => [text, 'resolve'],
  ),
  ...['eskalieren 8', 'escalader 8', 'escalar 8'].map((text): [string, Verb] => [text, 'escalate']),
  ['ack 8 thanks', 'acknowledge', 'thanks'],
  ['Ack 8, Bo is on it 🙂', 'acknowledge', 'Bo is on it 🙂'],
  ['4 8 on my way', 'acknowledge', 'on my way'],
  ['ack 8 in 5 minutes', 'acknowledge', 'in 5 minutes'],
  ["ack 8. Can't fix it before 9", 'acknowledge', "Can't fix it before 9"],
  ['resolve 8\nDisk was not full', 'resolve', 'Disk was not full'],
  ['ack 8 👍', 'acknowledge'],
  ['👍 ack 8', 'acknowledge'],
  ['ack 8!', 'acknowledge'],
  ['4 8 ack', 'acknowledge'],
  ['ack 8\n-- \nBo Example\n+49 30 1234', 'acknowledge'],
  ['ack 8\nSent from my iPhone', 'acknowledge'],
  ['ack 8\n\nVon meinem iPhone gesendet', 'acknowledge'],
];
for (const [text, action, note = ''] of commands)
  test(`${JSON.stringify(text)} is to ${action} INC-8`, () =>
    assert.deepEqual(readText(text), { command: { action, number: 8, note } }));

test('digits that are a verb and a number are read as they stand: the verb comes first', () => {
  assert.deepEqual(readCommand('4 6'), { action: 'acknowledge', number: 6, note: '' });
  assert.deepEqual(readCommand('6 4'), { action: 'resolve', number: 4, note: '' });
});

for (const [text, action] of [
  ['ack', 'acknowledge'],
  ['4', 'acknowledge'],
  ['ok', 'acknowledge'],
  ['OK 👍', 'acknowledge'],
  ['Okay.', 'acknowledge'],
  ['ack\n--\nBo', 'acknowledge'],
  ['erledigt!', 'resolve'],
  ['9', 'escalate'],
] as const)
  test(`${JSON.stringify(text)} is to ${action}, and names no incident`, () =>
    assert.deepEqual(readText(text), { command: { action, number: null, note: '' } }));

const nothing = { action: null, number: null };
const one = (action: Verb | null, number: number | null = 8) => [{ action, number }];

/** What does nothing, and what may have been meant by it. */
const unclear: readonly [string, ReturnType<typeof one>][] = [
  [
    '48',
    [
      { action: 'acknowledge', number: 8 },
      { action: null, number: 48 },
    ],
  ],
  [
    '42',
    [
      { action: 'acknowledge', number: 2 },
      { action: null, number: 42 },
    ],
  ],
  ['8 4', one('acknowledge')],
  ['#42 6', one('resolve', 42)],
  ["can't resolve 8", one('resolve')],
  ['can’t resolve 8', one('resolve')],
  ['cannot ack 8', one('acknowledge')],
  ['do not ack 8', one('acknowledge')],
  ["don't ack 8", one('acknowledge')],
  ['ack 8 not', one('acknowledge')],
  ['not 8 ack', one('acknowledge')],
  ['8 nicht lösen', one('resolve')],
  ['löse 8 nicht', one('resolve')],
  ['erledigt 8, nein', one('resolve')],
  ['8 geht nicht', one(null)],
  ['ne pas fermer 8', one('resolve')],
  ["n'acquitte pas 8", one('acknowledge')],
  ['fermer 8 pas encore', one('resolve')],
  ['no puedo resolver 8', one('resolve')],
  ['no cerrar 8', one('resolve')],
  ['ack 8?', one('acknowledge')],
  ['who can ack 8', one('acknowledge')],
  ['8a', [nothing]],
  ['9:30', [nothing]],
  ['9.30 works', [nothing]],
  ['a 42 year old server', one('acknowledge', 42)],
  ['hello', [nothing]],
  ['', [nothing]],
  ['👍', [nothing]],
  ['8', one(null)],
  ['ack ack', one('acknowledge', null)],
  ['close enough', one('resolve', null)],
  ['ok but what about the other one', one('acknowledge', null)],
  ['ack\nno, wait', one('acknowledge', null)],
  ['ack 0', one('acknowledge', null)],
  ['ack 8am', one('acknowledge', null)],
  ['4 1e3', one(null, 4)],
  ['constructor', [nothing]],
  ['toString 4', one(null, 4)],
  ['Liked “INC-8 Shop: Disk full - 4 8 ack, 6 8 resolve”', one('acknowledge')],
  ['I am driving. I will answer later.', [nothing]],
];
for (const [text, guesses] of unclear)
  test(`${JSON.stringify(text)} does nothing`, () =>
    assert.deepEqual(readText(text), { unclear: { guesses, isSeveral: false } }));

for (const text of [
  'ack 8 9',
  'ack 8, 9',
  'ack 8 and 9',
  '4 8 9',
  'ack 8 resolve 9',
  'ack 8 resolve',
])
  test(`${text} asks for more than one thing, and does none`, () =>
    assert.deepEqual(readText(text), {
      unclear: { guesses: one('acknowledge'), isSeveral: true },
    }));

test('an incident is named by its number, with or without what stands before it', () => {
  assert.deepEqual(['42', '#42', 'INC-42', 'inc42'].map(readNumber), [42, 42, 42, 42]);
  for (const word of ['', 'x42', '42x', '0', '4.2', '42 43']) assert.equal(readNumber(word), null);
});

const anyNumber = fc.integer({ min: 1, max: 999_999_999 });
const someWords = fc.constantFrom('ack', 'ok', 'resolve', 'close', 'escalate', 'quittiert', 'clos');
const anyNegation = fc.constantFrom(
  "can't",
  'not',
  'nicht',
  'kein',
  'pas',
  'jamais',
  'no',
  'nunca',
);
const separators = fc.constantFrom('', ' ', '  ', '-', ': ', ' #', ' INC-', ' - ');

test('a word and a number act on that number, in either order', () => {
  fc.assert(
    fc.property(
      someWords,
      separators,
      anyNumber,
      fc.boolean(),
      (word, between, number, isFirst) => {
        const gap = isFirst ? between : between.replace(/#|INC-/, '');
        const text = isFirst ? `${word}${gap}${number}` : `${number}${gap}${word}`;
        assert.equal(readCommand(text)?.number, number, text);
      },
    ),
  );
});

test('digits alone never act on a number, however many there are', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^\d{2,12}$/), (text) => assert.equal(readCommand(text), null)),
  );
});

test('what is negated in the same sentence never acts', () => {
  fc.assert(
    fc.property(someWords, anyNumber, anyNegation, fc.nat(3), (word, number, negation, at) => {
      const text = [word, String(number), 'the', 'disk'].toSpliced(at, 0, negation).join(' ');
      assert.equal(readCommand(text), null, text);
    }),
  );
});

test('whatever is written, it acts on no number that is not in it', () => {
  const parts = fc.constantFrom(
    ...[
      'ack',
      '4',
      '8',
      '42',
      ' ',
      '\n',
      '.',
      ',',
      '-',
      '#',
      'INC-',
      'not',
      'nicht',
      '😀',
      'é',
      '?',
    ],
    ...['resolve', 'und', '9', ':', '"', "can't", '--', 'ß', '٤', '𝟒', '\u0000', '\u202e'],
  );
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.array(parts, { maxLength: 12 }).map((all) => all.join('')),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const number = readCommand(text)?.number ?? null;
      if (number !== null) assert.ok(new RegExp(`(?<!\\d)${number}(?!\\d)`).test(text), text);
    }),
    { numRuns: 2_000 },
  );
});

test('a long text is read at once', () => {
  for (const part of ['a', ' ', '#', 'inc ', '8 ', 'ack ', ', ', '4'])
    readText(part.repeat(4_096 / part.length));
});

test('no word asks for two things, in whichever language and spelling', () => {
  const meanings = new Map<string, string>();
  for (const [verb, words] of Object.entries(verbWords))
    for (const spelling of words.flatMap(spellings)) {
      assert.ok([undefined, verb].includes(meanings.get(spelling)), spelling);
      meanings.set(spelling, verb);
    }
});

for (const [text, action] of [
  ['bestätigen 42', 'acknowledge'],
  ['BESTAETIGEN 42', 'acknowledge'],
  ['bestatigen 42', 'acknowledge'],
  ['ubernommen 42', 'acknowledge'],
  ['acquitter 42', 'acknowledge'],
  ['Acquitté 42', 'acknowledge'],
  ['acquitte 42', 'acknowledge'],
  ['reconocer 42', 'acknowledge'],
  ['resolver 42', 'resolve'],
  ['erledigt 42', 'resolve'],
  ['lösen 42', 'resolve'],
  ['loesen 42', 'resolve'],
  ['schliessen 42', 'resolve'],
  ['résoudre 42', 'resolve'],
  ['resoudre 42', 'resolve'],
  ['cloturer 42', 'resolve'],
  ['escalar 42', 'escalate'],
] as const)
  test(`"${text}" asks to ${action}`, () =>
    assert.deepEqual(readText(text), { command: { action, number: 42, note: '' } }));

test('an English word is no German verb without its umlaut', () => {
  assert.ok('unclear' in readText('lose 42'));
});

test('each verb of a menu is understood', () => {
  for (const language of languages)
    for (const [action, word] of Object.entries(phrasesIn(language).short.verb))
      for (const text of [`${word} 42`, `${inGsm7(word)} 42`])
        assert.deepEqual(readText(text), { command: { action, number: 42, note: '' } }, text);
});

test('a button as a text does what it says', () => {
  for (const language of languages) {
    const { acknowledge, resolve, escalate } = phrasesIn(language).button;
    for (const [action, word] of Object.entries({ acknowledge, resolve, escalate }))
      assert.deepEqual(readText(`${word} 42`), { command: { action, number: 42, note: '' } });
  }
});
