import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readOut } from '../channels/twilio/twiml.ts';
import { chatChannels, languageOn, personalChannels } from '../resources/channels.ts';
import { type Language, languages } from '../resources/language.ts';
import { sampleCodeNotice } from './kinds/code.ts';
import { sampleCoverRequestNotice } from './kinds/cover-request.ts';
import { type AlertsJoined, type IncidentNotice, sampleNotice } from './kinds/incident.ts';
import { sampleShiftNotice } from './kinds/shift.ts';
import { summaryOf } from './kinds/summary.ts';
import type { Notice } from './notice.ts';
import { ntfyMessageOf } from './ntfy.ts';
import { pushEditOf, pushMessageOf } from './push.ts';
import { smsOf } from './sms.ts';
import { speechOf } from './speech.ts';
import { plainTelegramMessageOf, telegramMessageOf } from './telegram.ts';
import { testPage } from './test-page.ts';
import { whatsAppMessageOf, whatsAppVariablesOf } from './whatsapp.ts';
import { english } from './words/en.ts';
import { inGsm7, isGsm7, segmentsOf } from './words/gsm7.ts';
import { joinedLine } from './words/joined.ts';
import { phrasesIn } from './words/phrases.ts';

const handles = { acknowledge: 'h1', resolve: 'h2', escalate: 'h3' };
const now = Temporal.Instant.from('2026-11-21T08:00:00Z');
const ada = { by: 'Ada', at: now };
const end = now.add({ hours: 8 });

/** What comes from outside, or is a name. */
const outside = ['Kapazität', 'Zahlung', 'Muster', 'Ada', 'db-1', 'Europe/Berlin', 'Graph'];
const page = (change: Partial<IncidentNotice> = {}, incident = {}): IncidentNotice =>
  sampleNotice(
    { handles, organization: { id: 'o', name: 'Muster' }, ...change },
    { title: 'Kapazität db-1', service: 'Zahlung', details: 'mount: db-1', ...incident },
  );

const notices: Readonly<Record<string, (language: Language) => Notice>> = {
  page: (language) => page({ language }),
  'page of a second step': (language) => page({ language, unansweredSteps: 1 }),
  'page of a fourth step': (language) => page({ language, unansweredSteps: 3 }),
  'acknowledged page': (language) =>
    page(
      { language, taken: { action: 'Acknowledged', via: 'phone', ...ada } },
      { status: 'acknowledged' },
    ),
  'page that a timer ended': (language) =>
    page(
      { language, taken: { action: 'Resolved', isAutomatic: true, by: 'the timer', at: now } },
      { status: 'resolved' },
    ),
  'page without a title': (language) => page({ language }, { title: '' }),
  'page of a viewer': (language) => page({ language, readOnlyRole: 'viewer' }),
  'warning that nobody was paged': (language) => page({ language, kind: 'nobody_paged' }),
  'warning that not all were paged': (language) => page({ language, kind: 'not_all_paged' }),
  'all-clear': (language) => page({ language, kind: 'all_clear' }, { status: 'resolved' }),
  assignment: (language) => page({ language, kind: 'assigned', recipient: 'Ada' }),
  'assignment without a name': (language) => page({ language, kind: 'assigned' }),
  'added responder': (language) => page({ language, kind: 'responder_added', recipient: 'Ada' }),
  storm: (language) =>
    page({ language, kind: 'storm', otherStorms: { numbers: [43, 44], more: 3 } }),
  'test page': (language) =>
    testPage({
      organization: { id: 'o', name: 'Muster' },
      why: 'you asked for it',
      gotIt: { link: 'https://pager.example.com/t/1', handle: 'h4' },
      service: 'Zahlung',
      url: 'https://pager.example.com/me',
      language,
      now,
    }),
  summary: (language) =>
    summaryOf([
      page({ language }),
      ...Array.from({ length: 12 }, (_, at) =>
        page({ language }, { id: String(at), number: 50 + at, title: '' }),
      ),
    ]),
  'summary of unanswered pages': (language) =>
    summaryOf([page({ language, unansweredSteps: 1 }), page({ language })]),
  'start of a shift': (language) => shiftOf(language, {}),
  'end of a shift': (language) => shiftOf(language, { kind: 'shift_end' }),
  'changed shifts': (language) =>
    shiftOf(
      language,
      { kind: 'shift_change' },
      {
        shift: null,
        changes: [
          { type: 'gained', start: now, end },
          { type: 'lost', start: now, end: null },
        ],
      },
    ),
  'end of being on call': (language) =>
    shiftOf(language, { kind: 'shift_change' }, { shift: null, taken_off: true }),
  'request for cover': (language) =>
    sampleCoverRequestNotice(
      {
        person: 'Ada',
        requester: 'Ada',
        comment: 'Muster',
        schedule: { id: 's', name: 'Zahlung', timezone: 'Europe/Berlin' },
      },
      { language, organization: { id: 'o', name: 'Muster' } },
    ),
  code: (language) => ({
    ...sampleCodeNotice(),
    organization: { id: 'o', name: 'Muster' },
    language,
  }),
};

function shiftOf(
  language: Language,
  change: Parameters<typeof sampleShiftNotice>[0],
  story: Parameters<typeof sampleShiftNotice>[1] = {},
): Notice {
  return sampleShiftNotice(
    { language, organization: { id: 'o', name: 'Muster' }, ...change },
    {
      schedule: { id: 's', name: 'Zahlung', timezone: 'Europe/Berlin' },
      other: 'Ada',
      ...story,
    },
  );
}

const forms: Readonly<Record<string, (notice: Notice, language: Language) => string>> = {
  SMS: (notice) => smsOf(notice, { canReply: true }),
  'SMS without an answer': (notice) => smsOf(notice, { canReply: false }),
  call: (notice) => textOf(speechOf(notice, { hasKeys: true })),
  'call without keys': (notice) => textOf(speechOf(notice, { hasKeys: false })),
  Telegram: (notice) => textOf(telegramMessageOf(notice, (verb) => `${verb.length}`)),
  'plain Telegram': (notice) => textOf(plainTelegramMessageOf(notice)),
  WhatsApp: (notice) => textOf(whatsAppMessageOf(notice)),
  'WhatsApp template': (notice, language) =>
    textOf(whatsAppVariablesOf(notice, `${language}_XX`).variables),
  push: (notice) => textOf(pushMessageOf(notice).content),
  'changed push': (notice) => textOf(pushEditOf(notice).content),
  ntfy: (notice) =>
    textOf(
      ntfyMessageOf(notice, pushMessageOf(notice), {
        topic: 'x',
        publicUrl: 'https://pager.example.com',
      }),
    ),
};

/** What people read of it: no names of fields, no addresses, no ids. */
const hidden = ['href', 'path', 'tag', 'url', 'click', 'topic', 'sequence_id', 'callback_data'];
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(textOf).join(' | ');
  if (typeof value !== 'object' || value === null) return '';
  return Object.entries(value)
    .filter(([name]) => ![...hidden, 'action', 'method', 'headers', 'handle'].includes(name))
    .filter(([name]) => !['parse_mode', 'locale', 'proof'].includes(name))
    .map(([, inside]) => textOf(inside))
    .filter(Boolean)
    .join(' | ');
}

const plain = (text: string) =>
  outside
    .reduce((rest, name) => rest.replaceAll(name, ' '), text)
    .replace(/<[^>]*>|https?:\S+/g, ' ');

/** Words that no sentence of another language has. */
const ofEnglish =
  /(?<![\p{L}\p{M}])(?:the|to|by|is|and|you|your|with|this|that|nobody|someone|until|open|now|page|pages|paged|step|steps|more)(?![\p{L}\p{M}])/iu;

/** Whole phrases, with where they are. */
function leaves(value: unknown, path = ''): readonly (readonly [path: string, text: string])[] {
  if (typeof value === 'string') return [[path, value]];
  // The parameters are names, numbers and times.
  if (typeof value === 'function') return [[path, String(value('Ada', 2, 2))]];
  return Object.entries(value as object).flatMap(([name, one]) => leaves(one, `${path}.${name}`));
}

const others = languages.filter((language) => language !== 'en');

describe('a notice in another language', () => {
  for (const language of others)
    for (const [kind, noticeIn] of Object.entries(notices))
      test(`is whole: ${kind}, ${language}`, () => {
        const notice = noticeIn(language);
        const own = new Map(leaves(phrasesIn(language)));
        for (const [form, written] of Object.entries(forms)) {
          const text = written(notice, language);
          assert.ok(text.length > 3, form);
          assert.doesNotMatch(text, /undefined|null|\[object|=>/, form);
          assert.doesNotMatch(plain(text), ofEnglish, form);
          for (const [path, phrase] of leaves(english))
            if (phrase.length > 3 && own.get(path) !== phrase && !path.startsWith('.role'))
              assert.ok(!` ${plain(text)} `.includes(` ${phrase} `), `${form} has “${phrase}”`);
        }
      });
});

test('a line about alerts that joined is whole in each language, and names three at most', () => {
  const lineIn = (language: Language, change: Partial<AlertsJoined> = {}) => {
    const titles = ['db-1', `db-2 ${'x'.repeat(200)}`, 'db-3'];
    return joinedLine({ language }, { count: 4, titles, total: 12, ...change });
  };
  const second = `db-2 ${'x'.repeat(94)}…`;
  assert.equal(lineIn('en'), `4 more alerts joined: db-1, ${second}, db-3, and 1 more. 12 in all.`);
  const one = { count: 1, titles: ['db-1'], total: 2 };
  assert.deepEqual(
    languages.map((language) => lineIn(language, one)),
    [
      '1 more alert joined: db-1. 2 in all.',
      'Ein weiterer Alarm ist hinzugekommen: db-1. Insgesamt 2.',
      'Une autre alerte s’est ajoutée : db-1. 2 au total.',
      'Se añadió otra alerta: db-1. 2 en total.',
    ],
  );
  for (const language of others) assert.doesNotMatch(lineIn(language), ofEnglish);
  assert.equal(
    lineIn('en', { titles: ['Disk full', 'Disk full', ''] }),
    '4 more alerts joined: Disk full, Untitled incident, and 2 more. 12 in all.',
  );
});

test('each language has a text of its own for each sentence', () => {
  for (const language of others) {
    const own = new Map(leaves(phrasesIn(language)));
    for (const [path, phrase] of leaves(english)) {
      const text = own.get(path) ?? '';
      assert.ok(text !== '' && !/undefined|NaN/.test(text), `${language}${path}`);
      if (/\s\S+\s/.test(phrase) && !path.startsWith('.incident.also'))
        assert.notEqual(text, phrase, `${language}${path}`);
    }
  }
});

describe('an SMS', () => {
  const rows = languages.flatMap((language) =>
    Object.entries(notices).map(([kind, noticeIn]) => ({ language, kind, noticeIn })),
  );
  test('has one segment in GSM-7, in every language and of every kind', () => {
    for (const { language, kind, noticeIn } of rows) {
      const text = smsOf(noticeIn(language), { canReply: true });
      assert.ok(isGsm7(text) && segmentsOf(text) === 1, `${language} ${kind}: ${text}`);
    }
  });
  test('keeps its whole menu where the title is long', () => {
    for (const language of languages) {
      const { verb } = phrasesIn(language).short;
      const text = smsOf(page({ language }, { title: 'disk '.repeat(90), number: 123_456 }), {
        canReply: true,
      });
      assert.ok(segmentsOf(text) === 1, text);
      const menu = `4 123456 ${verb.acknowledge}, 6 123456 ${verb.resolve}, 9 123456 ${verb.escalate}`;
      assert.ok(text.endsWith(menu), text);
    }
  });
  test('loses no accent of its own words', () => {
    for (const language of languages) {
      const { short, incident, shift } = phrasesIn(language);
      const { started, ended, takenOff, changed, coverWanted } = shift;
      const { also: _also, readOnly: _role, ...leads } = incident;
      for (const [path, text] of leaves([
        short,
        leads,
        { started, ended, takenOff, changed, coverWanted },
      ]))
        assert.ok(isGsm7(text), `${language}${path}: ${text}`);
    }
  });
  test('of an answer is in GSM-7 and has two segments at most, a proposal one', () => {
    for (const language of languages) {
      const { answer, proposal } = phrasesIn(language);
      for (const [path, text] of leaves(answer))
        assert.ok(isGsm7(inGsm7(text)) && segmentsOf(inGsm7(text)) <= 2, `${language}${path}`);
      for (const [path, text] of leaves(proposal))
        assert.ok(segmentsOf(inGsm7(text)) === 1, `${language}${path}`);
    }
  });
});

test('a button has at most the 20 characters that WhatsApp takes', () => {
  for (const language of languages)
    for (const [path, text] of leaves(phrasesIn(language).button))
      assert.ok(text.length <= 20, `${language}${path}`);
});

test('a week has seven days', () => {
  for (const language of languages) assert.equal(phrasesIn(language).weekdays.length, 7);
});

test('a call is spoken by a voice of its language', () => {
  const locales = { en: 'en-US', de: 'de-DE', fr: 'fr-FR', es: 'es-ES' };
  for (const language of languages) {
    const speech = speechOf(page({ language }), { hasKeys: true });
    const markup = readOut(speech, 'https://pager.example.com/callbacks/1');
    const voices = [...markup.matchAll(/<Say language="([^"]*)">[^<>]+<\/Say>/g)];
    assert.ok(voices.length >= 2 && voices.length === markup.split('<Say').length - 1);
    for (const [, voice] of voices) assert.equal(voice, locales[language]);
  }
});

const exact: readonly (readonly [Language, form: string, text: string])[] = [
  ['en', 'SMS', 'INC-42 P1 Zahlung: Kapazität db-1 - 4 42 ack, 6 42 resolve, 9 42 escalate'],
  ['de', 'SMS', 'INC-42 P1 Zahlung: Kapazität db-1 - 4 42 bestätigen, 6 42 lösen, 9 42 eskalieren'],
  [
    'fr',
    'SMS',
    'INC-42 P1 Zahlung: Kapazität db-1 - 4 42 acquitter, 6 42 résoudre, 9 42 escalader',
  ],
  ['es', 'SMS', 'INC-42 P1 Zahlung: Kapazität db-1 - 4 42 reconocer, 6 42 resolver, 9 42 escalar'],
  [
    'de',
    'call',
    'Hier ist Pager, für Muster. Vorfall ausgelöst. Service Zahlung. Priorität 1. Kapazität db Strich 1. Vorfall Nummer 42. Zum Bestätigen drücken Sie die 4. Zum Lösen drücken Sie die 6. Zum Eskalieren drücken Sie die 9. Zum Wiederholen drücken Sie die Sterntaste. | Auf Wiederhören.',
  ],
  [
    'fr',
    'call',
    'Ici Pager, pour Muster. Incident déclenché. Service Zahlung. Priorité 1. Kapazität db tiret 1. Incident numéro 42. Pour acquitter, appuyez sur 4. Pour résoudre, appuyez sur 6. Pour escalader, appuyez sur 9. Pour réécouter, appuyez sur étoile. | Au revoir.',
  ],
  [
    'es',
    'call',
    'Le llama Pager, para Muster. Incidente activado. Servicio Zahlung. Prioridad 1. Kapazität db guion 1. Incidente número 42. Para reconocerlo, pulse 4. Para resolverlo, pulse 6. Para escalarlo, pulse 9. Para volver a escucharlo, pulse asterisco. | Adiós.',
  ],
];
for (const [language, form, text] of exact)
  test(`a page as ${form} in ${language}`, () =>
    assert.equal(forms[form]?.(page({ language }), language), text));

test('rooms and mail are in English, people elsewhere read their own language', () => {
  for (const name of [...personalChannels, ...chatChannels])
    assert.equal(languageOn(name, 'de'), ['email', ...chatChannels].includes(name) ? 'en' : 'de');
});
