// A notice as it is read out on the phone.
import { defaultLanguage, type Language } from '../resources/language.ts';
import type { IncidentNotice } from './kinds/incident.ts';
import { type Notice, wordsOf } from './notice.ts';
import { phrasesOf } from './words/of-notice.ts';
import type { Phrases } from './words/phrases.ts';
import { spoken, spokenDigits, spokenNumber } from './words/pronounce.ts';
import { fit } from './words/wording.ts';

const TITLE_LENGTH_MAX = 200;
const NAME_LENGTH_MAX = 60;

export type Speech = {
  readonly locale: string;
  /** Whether it names keys to press. */
  readonly hasKeys: boolean;
  readonly text: string;
  readonly goodbye: string;
};

export type SpeechOptions = {
  /** Whether a key has an effect: the vendor can call Pager. */
  readonly hasKeys: boolean;
  /** It is read out after another in the same call, which the caller announces. */
  readonly isNext?: boolean;
};

export function speechOf(notice: Notice, options: SpeechOptions): Speech {
  const { locale, spoken: words } = phrasesOf(notice);
  const voice = voiceOf(notice.language);
  const keys = notice.about === 'incident' && options.hasKeys ? keysOf(notice) : [];
  const name = voice.name(notice.organization.name);
  const parts = [
    options.isNext ? '' : words.greeting(name),
    ...contentOf(notice, words, voice),
    ...keys.map((key) => words.key[key]),
    ...(keys.length > 0 ? [words.key.repeat] : []),
    ...(notice.about === 'incident' && keys.length === 0 ? [whyNoKeys(notice, words)] : []),
  ];
  return {
    locale,
    hasKeys: keys.length > 0,
    text: parts.filter((part) => part !== '').join(' '),
    goodbye: words.goodbye,
  };
}

type Words = Phrases['spoken'];

function contentOf(notice: Notice, words: Words, voice: Voice): readonly string[] {
  if (notice.about === 'incident') return incidentOf(notice, words, voice);
  const { lead, title, code, until } = wordsOf(notice);
  if (code !== undefined) {
    const digits = words.code(spokenDigits(code));
    return [digits, digits, words.codeUnrequested];
  }
  const end = until === undefined ? [] : [words.until(voice.text(until))];
  return [voice.sentence(lead), voice.sentence(title), ...end];
}

function incidentOf(notice: IncidentNotice, words: Words, voice: Voice): readonly string[] {
  const { lead, title } = wordsOf(notice);
  const { service, priority, number } = notice.incident;
  return [
    voice.sentence(lead),
    words.service(voice.name(service)),
    ...(priority ? [words.priority(voice.name(priority.replace(/^p(?=\d)/i, '')))] : []),
    voice.sentence(title),
    words.incident(voice.number(number)),
  ];
}

type Key = 'acknowledge' | 'resolve' | 'escalate';

function keysOf({ handles, readOnlyRole, incident }: IncidentNotice): readonly Key[] {
  if (handles === undefined || readOnlyRole !== undefined) return [];
  switch (incident.status) {
    case 'triggered':
      return ['acknowledge', 'resolve', 'escalate'];
    case 'acknowledged':
      return ['resolve'];
    case 'resolved':
      return [];
  }
}

function whyNoKeys({ readOnlyRole, incident, handles }: IncidentNotice, words: Words): string {
  if (incident.status === 'resolved') return '';
  if (readOnlyRole !== undefined) return words.readOnly;
  return handles === undefined ? '' : words.noKeys;
}

type Voice = ReturnType<typeof voiceOf>;

/** What a voice of that language can read. */
function voiceOf(language: Language = defaultLanguage) {
  const text = (written: string) => spoken(written, language);
  return {
    text,
    name: (written: string) => fit(text(written), NAME_LENGTH_MAX),
    number: (number: number) => spokenNumber(number, language),
    sentence(written: string) {
      const words = fit(text(written), TITLE_LENGTH_MAX);
      return words === '' || /[.!?…]$/.test(words) ? words : `${words}.`;
    },
  };
}
