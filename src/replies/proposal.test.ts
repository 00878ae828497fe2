import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Status } from '../incidents/incident.ts';
import { encodingOf, inGsm7, segmentsOf } from '../notices/words/gsm7.ts';
import { type Language, phrasesIn } from '../notices/words/phrases.ts';
import { languages } from '../resources/language.ts';
import { proposalFor } from './proposal.ts';
import { readText, type Verb } from './verbs.ts';

const any = () => true;
const open = (...all: readonly (readonly [number, Status])[]) =>
  all.map(([number, status]) => ({ number, status }));

const propose = (
  text: string,
  incidents: ReturnType<typeof open>,
  may: (verb: Verb) => boolean = any,
) => {
  const read = readText(text);
  const { guesses, isSeveral } =
    'unclear' in read ? read.unclear : { guesses: [read.command], isSeveral: false };
  return proposalFor({ guesses, isSeveral, open: incidents, may });
};

const eight = open([8, 'triggered'], [7, 'acknowledged']);

for (const [text, incidents, answer] of [
  ['48', eight, 'Nothing was changed. To acknowledge INC-8, send: 4 8'],
  [
    '48',
    open([48, 'triggered']),
    'Nothing was changed. For INC-48, send: 4 48 to acknowledge, 6 48 to resolve, 9 48 to escalate',
  ],
  ["can't resolve 8", eight, 'Nothing was changed. To resolve INC-8, send: 6 8'],
  ['ack', eight, 'Nothing was changed. To acknowledge INC-8, send: 4 8'],
  [
    'resolve',
    eight,
    'Nothing was changed. Open: INC-8, INC-7 (acknowledged). Send, for example: 4 8',
  ],
  ['what is 7?', eight, 'Nothing was changed. For INC-7, send: 6 7 to resolve, 9 7 to escalate'],
  [
    'not ack 9',
    eight,
    'Nothing was changed. Open: INC-8, INC-7 (acknowledged). Send, for example: 4 8',
  ],
  [
    'I am driving',
    eight.slice(0, 1),
    'Nothing was changed. For INC-8, send: 4 8 to acknowledge, 6 8 to resolve, 9 8 to escalate',
  ],
  [
    'ack 8 and 7',
    eight,
    'Nothing was changed: ask for one thing at a time. To acknowledge INC-8, send: 4 8',
  ],
  ['hello', [], 'Nothing was changed: no open incident was paged here.'],
] as const)
  test(`${text} is answered by what to send: ${answer}`, () =>
    assert.equal(propose(text, [...incidents]), answer));

test('nothing is proposed that may not be done', () => {
  const mayAcknowledge = (verb: Verb) => verb === 'acknowledge';
  const answer = 'Nothing was changed. To acknowledge INC-8, send: 4 8';
  for (const text of ["can't resolve 8", '48', 'hm, 8'])
    assert.equal(propose(text, eight, mayAcknowledge), answer);
  assert.equal(propose('7?', eight, mayAcknowledge), 'Nothing was changed.');
});

test('each fits one SMS', () => {
  const many = open(
    ...Array.from({ length: 10 }, (_, index): [number, Status] => [
      123_456_789 - index,
      index % 2 === 0 ? 'triggered' : 'acknowledged',
    ]),
  );
  for (const text of ['ack', 'ack 8 and 7', '123456789 is what', 'no', 'resolve 123456788 not']) {
    const answer = propose(text, many);
    assert.equal(encodingOf(answer).name, 'GSM-7');
    assert.ok(answer.length <= 160, `${answer.length}: ${answer}`);
  }
});

const inLanguages: readonly (readonly [Language, text: string])[] = [
  [
    'de',
    'Es wurde nichts geändert. Offen: INC-42, INC-7 (bestätigt). Senden Sie zum Beispiel: 4 42',
  ],
  ['fr', "Rien n'a changé. Ouverts : INC-42, INC-7 (acquitté). Envoyez, par exemple : 4 42"],
  ['es', 'Sin cambios. Abiertos: INC-42, INC-7 (reconocido). Responda, por ejemplo: 4 42'],
];
for (const [language, text] of inLanguages)
  test(`what to send instead is in the language of whoever wrote: ${language}`, () => {
    const open = [
      { number: 42, status: 'triggered' },
      { number: 7, status: 'acknowledged' },
    ] as const;
    const proposing = { guesses: [], isSeveral: false, open, may: () => true };
    assert.equal(proposalFor(proposing, phrasesIn(language)), text);
  });

test('a proposal is one SMS in every language', () => {
  const open = Array.from({ length: 40 }, (_, at) => ({
    number: 900_000_000 + at,
    status: at % 2 === 0 ? ('triggered' as const) : ('acknowledged' as const),
  }));
  for (const language of languages)
    for (const guesses of [[], [{ action: 'resolve' as const, number: 900_000_001 }]])
      for (const isSeveral of [false, true]) {
        const proposing = { guesses, isSeveral, open, may: () => true };
        const text = inGsm7(proposalFor(proposing, phrasesIn(language)));
        assert.equal(segmentsOf(text), 1, text);
      }
});
