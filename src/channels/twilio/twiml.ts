// What Twilio is to do in a call or with a message, as its markup.
import type { Speech } from '../../notices/speech.ts';

/** What Twilio takes with the request that begins a call. */
const INLINE_LENGTH = 4_000;
const GATHER_SECONDS = 6;

type Child = string | Element;
type Element = {
  readonly name: 'Response' | 'Gather' | 'Say' | 'Pause' | 'Hangup' | 'Message';
  readonly attributes?: Readonly<Record<string, string>>;
  readonly children?: readonly Child[];
};

/** Text from outside is never markup. */
function written(child: Child): string {
  if (typeof child === 'string') return escaped(child);
  const { name, attributes = {}, children = [] } = child;
  const open = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(value)}"`);
  const inside = children.map(written).join('');
  return inside === ''
    ? `<${name}${open.join('')}/>`
    : `<${name}${open.join('')}>${inside}</${name}>`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

function escaped(text: string): string {
  // What XML cannot hold, escaped or not.
  const allowed = text
    .toWellFormed()
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '');
  return allowed.replace(/[&<>"']/g, (one) => entities[one] ?? one);
}

const response = (...children: readonly Child[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>${written({ name: 'Response', children })}`;

const spokenText = (locale: string, text: string): Element => ({
  name: 'Say',
  attributes: { language: locale },
  children: [text],
});

/** Nothing is done, or nobody is answered. */
export const emptyResponse = response();

/** An SMS in return. */
export const messageResponse = (text: string): string =>
  response({ name: 'Message', children: [text] });

/** Says a sentence and ends the call. */
export const goodbyeResponse = (locale: string, texts: readonly string[]): string =>
  response(...texts.map((text) => spokenText(locale, text)), { name: 'Hangup' });

type Opening = {
  /** Spoken before, once. */
  readonly first?: string;
  /** No key counts before it is over: it is about something else than keys would act on. */
  readonly isHeardOut?: boolean;
};

/** Reads it out twice, then ends the call. A key counts from the first word on, and is sent to `keysTo`. */
export function readOut(
  speech: Speech,
  keysTo: string | null,
  { first = '', isHeardOut = false }: Opening = {},
): string {
  const { locale, goodbye } = speech;
  const before = isHeardOut && first !== '' ? [spokenText(locale, first)] : [];
  const inside = isHeardOut ? '' : first;
  const once = (before: string) =>
    withKeys(spokenText(locale, [before, speech.text].filter(Boolean).join(' ')), keysTo);
  const end = [spokenText(locale, goodbye), { name: 'Hangup' } as const];
  const twice = response(...before, once(inside), ...between(keysTo), once(''), ...end);
  return twice.length <= INLINE_LENGTH ? twice : response(...before, once(inside), ...end);
}

function withKeys(words: Element, keysTo: string | null): Element {
  if (keysTo === null) return words;
  return {
    name: 'Gather',
    attributes: {
      input: 'dtmf',
      numDigits: '1',
      timeout: String(GATHER_SECONDS),
      finishOnKey: '',
      action: keysTo,
      method: 'POST',
    },
    children: [words],
  };
}

/** Waiting for a key is pause enough. */
const between = (keysTo: string | null): readonly Element[] =>
  keysTo === null ? [{ name: 'Pause', attributes: { length: '1' } }] : [];
