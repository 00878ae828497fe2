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

type Ranked = { readonly result: SearchResult; readonly rank: number };

/** The best first: words in a title count more than in a heading, and those more than in the text. */
export function searchDocuments(
  documents: readonly SearchedDocument[],
  words: readonly string[],
): { readonly results: readonly SearchResult[]; readonly more: number } {
  if (words.length === 0) return { results: [], more: 0 };
  const all = documents.flatMap((document) => rankedIn(document, words));
  // Equal ones stay in the order of the list.
  const sorted = all.toSorted((a, b) => b.rank - a.rank).map(({ result }) => result);
  const shown = sorted.slice(0, queryLimits.documentResults);
  return { results: shown, more: sorted.length - shown.length };
}

function rankedIn(
  { path, title, sections }: SearchedDocument,
  words: readonly string[],
): readonly Ranked[] {
  const inTitle = counted(words, title.toLowerCase());
  return sections().flatMap(({ id, heading, lines }, index) => {
    const [ofHeading, ofText] = [heading.toLowerCase(), lines.map((line) => line.toLowerCase())];
    const has = (word: string) =>
      ofHeading.includes(word) || ofText.some((line) => line.includes(word));
    // What only the title has is found once, at the beginning of the document.
    const isHere = words.some(has) || (index === 0 && inTitle === words.length);
    if (!isHere || !words.every((word) => has(word) || title.toLowerCase().includes(word)))
      return [];
    const inHeading = counted(words, ofHeading);
    const line = lines[bestOf(ofText, words)] ?? '';
    const result = {
      address: id === '' ? path : `${path}#${encodeURIComponent(id)}`,
      title,
      heading,
      line: around(line, words),
    };
    return [{ result, rank: inTitle * 3 + inHeading * 2 }];
  });
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
