// What every form of a notice is made of, and the cleaning of words that came from outside:
// monitoring tools send escape codes, half characters and text that turns the reading direction.

import { withoutHidden } from '../../resources/visible-text.ts';

const ELLIPSIS = '…';
const HREF_LENGTH_MAX = 1000;
const LINK_TEXT_LENGTH_MAX = 100;
const FACT_LENGTH_MAX = 200;

export type Fact = {
  readonly name: string;
  readonly value: string;
  /** Of a value that is a time: chats that know the clock of each reader show it there. */
  readonly at?: Temporal.Instant;
};
export type Link = { readonly href: string; readonly text: string };

/** A notice in words, the same for every channel: clean, and escaped by none. */
export type Words = {
  readonly tone: 'alarm' | 'good' | 'news' | 'warning';
  /** What happened; the title follows and names the subject. */
  readonly lead: string;
  /** The short name that stands before the title; empty for what has none. */
  readonly label: string;
  /** One line of any length. */
  readonly title: string;
  /** None is empty. */
  readonly facts: readonly Fact[];
  /** Lines of any length, or empty. */
  readonly details: string;
  /** The details as names and values, where they are; clean, of any length. */
  readonly rows?: readonly Fact[];
  /** Whether the first of them says what is wrong. */
  readonly isDescribed?: boolean;
  /** What the reader can do. */
  readonly actions: readonly Link[];
  /** What came from outside, without what a reader should not be led to. */
  readonly links: readonly Link[];
  readonly why: string;
  readonly organization: string;
  /** The page that it is about. */
  readonly url?: string | undefined;
  /** What the reader types to prove that they got it. */
  readonly code?: string;
  /** When what has begun ends, as a wall clock shows it. */
  readonly until?: string;
  /** When it happened. */
  readonly at?: Temporal.Instant | undefined;
};

/** Text from outside that may have several lines. */
export function blockOf(text: string): string {
  const lines = text.toWellFormed().replace(/\r\n?|[\u2028\u2029\u0085]/g, '\n');
  return withoutHidden(lines).trim();
}

/**
 * Text without the addresses in it, which carriers filter and nobody should be led to by a text
 * from outside: with a scheme, or a name and a path.
 */
export function withoutLinks(text: string): string {
  return text
    .replace(/\b(?:[a-z][a-z0-9+.-]*:\/\/|www\.)\S+/gi, '')
    .replace(/(?<!\S)[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}\/\S*/gi, '');
}

/** Text from outside as one line. */
export function lineOf(text: string): string {
  return blockOf(text).replace(/\s+/g, ' ');
}

/** At most `max` UTF-16 units as `written`, ended by an ellipsis where the text was cut. */
export function fit(text: string, max: number, written: (text: string) => string = same): string {
  if (text.length <= max) {
    const whole = written(text);
    if (whole.length <= max) return whole;
  }
  let start = '';
  for (const point of text) {
    const next = written(point);
    if (start.length + next.length > max - ELLIPSIS.length) break;
    start += next;
  }
  return start + ELLIPSIS;
}

function same(text: string): string {
  return text;
}

/** A line from outside, short enough to stand among our own words. */
export function phraseOf(text: string): string {
  return fit(lineOf(text), FACT_LENGTH_MAX);
}

/** Facts without those of which nothing is known. */
export function factsOf(facts: readonly Fact[]): readonly Fact[] {
  return facts
    .map((fact) => ({ ...fact, value: phraseOf(fact.value) }))
    .filter(({ value }) => value !== '');
}

export function headingOf({ label }: Words, title: string): string {
  return label ? `${label} ${title}` : title;
}

/** None for an address that a reader should not be led to. */
export function safeLink(written: string, text = ''): readonly Link[] {
  const url = URL.parse(lineOf(written));
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return [];
  // Characters that end a link in one of the vendors' markups.
  const href = url.href.replace(/[|<>()"`]/g, percentEncode);
  if (href.length > HREF_LENGTH_MAX) return [];
  return [{ href, text: fit(lineOf(text) || url.host, LINK_TEXT_LENGTH_MAX) }];
}

function percentEncode(mark: string): string {
  return `%${mark.charCodeAt(0).toString(16).toUpperCase()}`;
}
