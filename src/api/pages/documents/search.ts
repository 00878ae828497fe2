// Finds words in the documents: in their titles, headings and text.
import { queryLimits } from '../../../limits/queries.ts';
import type { Section } from './markdown.ts';

export type SearchedDocument = {
  readonly path: string;
  readonly title: string;
  readonly sections: () => readonly Section[];
};

/** A section with all words, and the line that shows most of them. */
export type SearchResult = {
  /** Of its heading. */
  readonly address: string;
  readonly title: string;
  /** Empty above the first heading. */
  readonly heading: string;
  /** Empty: the words are only in the heading or the title. */
  readonly line: string;
};

/** Characters of the line around a match. */
const LINE = 220;

export const wordsOf = (text: string): readonly string[] =>
  [
    ...new Set(
      text.slice(0, queryLimits.documentSearchText).toLowerCase().split(/\s+/).filter(Boolean),
    ),
  ].slice(0, queryLimits.documentSearchWords);

type Ranked = {
  readonly document: SearchedDocument;
  readonly section: Section;
  readonly rank: number;
};

/** The best first: words in a title count more than in a heading, and those more than in the text. */
export function searchDocuments(
  documents: readonly SearchedDocument[],
  words: readonly string[],
): { readonly results: readonly SearchResult[]; readonly more: number } {
  if (words.length === 0) return { results: [], more: 0 };
  const all = documents.flatMap((document) => rankedIn(document, words));
  // Equal ones stay in the order of the list.
  const shown = all.toSorted((a, b) => b.rank - a.rank).slice(0, queryLimits.documentResults);
  return { results: shown.map((one) => resultOf(one, words)), more: all.length - shown.length };
}

function rankedIn(document: SearchedDocument, words: readonly string[]): readonly Ranked[] {
  const title = document.title.toLowerCase();
  const inTitle = counted(words, title);
  return document.sections().flatMap((section, index) => {
    const { heading, text } = lowerOf(section);
    const has = (word: string) => text.includes(word);
    // What only the title has is found once, at the beginning of the document.
    const isHere = words.some(has) || (index === 0 && inTitle === words.length);
    if (!isHere || !words.every((word) => has(word) || title.includes(word))) return [];
    return [{ document, section, rank: inTitle * 3 + counted(words, heading) * 2 }];
  });
}

type Lower = { readonly heading: string; readonly lines: readonly string[]; readonly text: string };

/** Computed once: anyone can search without signing in, and the engine runs in this thread too. */
const lowers = new WeakMap<Section, Lower>();

export function lowerOf(section: Section): Lower {
  const known = lowers.get(section);
  if (known !== undefined) return known;
  const heading = section.heading.toLowerCase();
  const lines = section.lines.map((line) => line.toLowerCase());
  // A word has no line break.
  const lower = { heading, lines, text: [heading, ...lines].join('\n') };
  lowers.set(section, lower);
  return lower;
}

function resultOf({ document, section }: Ranked, words: readonly string[]): SearchResult {
  const { path, title } = document;
  const { id, heading, lines } = section;
  return {
    address: id === '' ? path : `${path}#${encodeURIComponent(id)}`,
    title,
    heading,
    line: around(lines[bestOf(lowerOf(section).lines, words)] ?? '', words),
  };
}

const counted = (words: readonly string[], text: string): number =>
  words.filter((word) => text.includes(word)).length;

/** The first of the lines with most words; none: -1. */
function bestOf(lines: readonly string[], words: readonly string[]): number {
  let [best, most] = [-1, 0];
  for (const [index, line] of lines.entries()) {
    const count = counted(words, line);
    if (count > most) [best, most] = [index, count];
  }
  return best;
}

/** A long line is cut around the first word that it has. */
function around(line: string, words: readonly string[]): string {
  if (line.length <= LINE) return line;
  const lower = line.toLowerCase();
  const places = words.map((word) => lower.indexOf(word)).filter((place) => place >= 0);
  const wanted = Math.max(0, Math.min(...places) - LINE / 3);
  const from = wanted === 0 ? 0 : line.indexOf(' ', wanted) + 1;
  const text = line.slice(from, from + LINE);
  const isCut = from + LINE < line.length;
  return `${from > 0 ? '… ' : ''}${isCut ? `${text.replace(/\s+\S*$/, '')} …` : text}`;
}

/** The text in parts, those that match a word apart. */
export function marked(
  text: string,
  words: readonly string[],
): readonly { readonly text: string; readonly isMatch: boolean }[] {
  if (words.length === 0) return [{ text, isMatch: false }];
  const longest = words.toSorted((a, b) => b.length - a.length).map(RegExp.escape);
  return text
    .split(new RegExp(`(${longest.join('|')})`, 'iu'))
    .map((part, index) => ({ text: part, isMatch: index % 2 === 1 }))
    .filter((part) => part.text !== '');
}
