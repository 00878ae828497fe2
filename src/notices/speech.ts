// A notice as it is read out on the phone.
import type { IncidentNotice } from './kinds/incident.ts';
import { type Notice, wordsOf } from './notice.ts';
import { type Language, type Phrases, phrasesIn } from './words/phrases.ts';
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
  readonly language?: Language;
};

export function speechOf(notice: Notice, options: SpeechOptions): Speech {
  const { locale, spoken: words } = phrasesIn(options.language ?? 'en');
  const keys = notice.about === 'incident' && options.hasKeys ? keysOf(notice) : [];
  const name = named(notice.organization.name);
  const parts = [
    options.isNext ? '' : words.greeting(name),
    ...contentOf(notice, words),
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

function contentOf(notice: Notice, words: Words): readonly string[] {
  if (notice.about === 'incident') return incidentOf(notice, words);
  const { lead, title, code, until } = wordsOf(notice);
  if (code !== undefined) {
    const digits = words.code(spokenDigits(code));
    return [digits, digits, words.codeUnrequested];
  }
  const end = until === undefined ? [] : [words.until(spoken(until))];
  return [sentence(lead), sentence(title), ...end];
}

function incidentOf(notice: IncidentNotice, words: Words): readonly string[] {
  const { lead, title } = wordsOf(notice);
  const { service, priority, number } = notice.incident;
  return [
    sentence(lead),
    words.service(named(service)),
    ...(priority ? [words.priority(named(priority.replace(/^p(?=\d)/i, '')))] : []),
    sentence(title),
    words.incident(spokenNumber(number)),
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

const named = (text: string) => fit(spoken(text), NAME_LENGTH_MAX);

const sentence = (text: string) => {
  const words = fit(spoken(text), TITLE_LENGTH_MAX);
  return words === '' || /[.!?…]$/.test(words) ? words : `${words}.`;
};
