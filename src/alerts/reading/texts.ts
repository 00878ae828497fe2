// Titles and keys: places, or words with places in braces.
import type { Text } from './notation.ts';
import { NotationError } from './notation-error.ts';
import { firstLine, type Path, pathOf, type Scope } from './path.ts';
import { listOf, wordAt } from './rules.ts';

/** The text, or nothing if one of its places is absent. */
export type Filled = (scope: Scope) => string | undefined;

type Part = { readonly words: string } | { readonly path: Path };

/** Whether it is words with places; the braces of a regular expression enclose none. */
export const hasPlaces = (text: Text): boolean =>
  text.includes('{') && !/^[^{]* > (?:cut|take) \//.test(text);

/** Throws a NotationError for what is neither a place nor words with places. */
function textFrom(text: Text): Filled {
  if (!hasPlaces(text)) {
    const path = pathOf(text);
    return (scope) => wordAt(path, scope);
  }
  const written = text.split(/\{([^{}]{1,500})\}/);
  // Words alone would be the same text of every alert: the same key.
  if (written.some((part, index) => index % 2 === 0 && /[{}]/.test(part)))
    throw new NotationError(`${text} has a brace that does not enclose a place`);
  const parts = written.map(
    (part, index): Part => (index % 2 === 0 ? { words: part } : { path: pathOf(part) }),
  );
  return (scope) => {
    let filled = '';
    for (const part of parts) {
      const value = 'words' in part ? part.words : wordAt(part.path, scope);
      if (value === undefined) return undefined;
      filled += value;
    }
    return filled;
  };
}

/** The first line of the first alternative that is there. */
export function lineFrom(texts: Text | readonly Text[] | undefined): Filled {
  const alternatives = listOf(texts).map(textFrom);
  return (scope) => {
    for (const alternative of alternatives) {
      const text = alternative(scope);
      const line = text === undefined ? undefined : firstLine(text)?.trim();
      if (line) return line;
    }
    return undefined;
  };
}

/** The first alternative of which all is there, joined. */
export function keyFrom(written: readonly (readonly Text[])[] = []): Filled {
  const alternatives = written.map((places) => places.map(textFrom));
  return (scope) => {
    for (const places of alternatives) {
      const texts = places.map((place) => place(scope)?.trim());
      if (texts.every((text) => text !== undefined && text !== '')) return texts.join(' | ');
    }
    return undefined;
  };
}
