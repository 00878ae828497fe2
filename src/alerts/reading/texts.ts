// Titles and keys: places, or words with places in braces.

import type { Text, Words } from './notation.ts';
import { NotationError } from './notation-error.ts';
import { firstLine, firstShownLine, type Path, pathOf, type Scope, writtenAt } from './path.ts';
import { listOf, testOf, wordAt } from './rules.ts';
import { hasGap, isUnfilled, wasMissing, withoutLeftovers } from './template-leftovers.ts';

/** The text, or nothing if one of its places is absent. */
export type Filled = (scope: Scope) => string | undefined;

type Part = { readonly words: string } | { readonly path: Path };

/** Whether it is words with places; the braces of a regular expression enclose none. */
export const hasPlaces = (text: Text): boolean =>
  text.includes('{') && !/^[^{]* > (?:cut|take) \//.test(text);

type At = (path: Path, scope: Scope) => string | undefined;

/** Throws a NotationError for what is neither a place nor words with places. */
function textFrom(text: Text, at: At = wordAt): Filled {
  if (!hasPlaces(text)) {
    const path = pathOf(text);
    return (scope) => at(path, scope);
  }
  const written = text.split(/\{([^{}]{1,500})\}/);
  // Words alone would be the same text of every alert: the same key.
  if (written.some((part, index) => index % 2 === 0 && /[{}]/.test(part)))
    throw new NotationError(`${text} contains a brace that does not enclose a path`);
  const parts = written.map(
    (part, index): Part => (index % 2 === 0 ? { words: part } : { path: pathOf(part) }),
  );
  return (scope) => {
    let filled = '';
    for (const part of parts) {
      const value = 'words' in part ? part.words : at(part.path, scope);
      if (value === undefined) return undefined;
      filled += value;
    }
    return filled;
  };
}

/** The first line of the first alternative that is there, without what a template left in it. */
export function lineFrom(texts: Text | readonly Text[] | undefined): Filled {
  const alternatives = listOf(texts).map((text) => textFrom(text));
  return (scope) => {
    for (const alternative of alternatives) {
      const text = alternative(scope);
      const line = text === undefined ? undefined : lineOf(text);
      if (line) return line;
    }
    return undefined;
  };
}

const lineOf = (text: string): string | undefined => firstShownLine(withoutLeftovers(text))?.trim();

/** As the release 0.1.0 found it, for the keys that it made of titles. */
export function formerLineFrom(texts: Text | readonly Text[] | undefined): Filled {
  const alternatives = listOf(texts).map((text) => [textFrom(text), textFrom(text, writtenAt)]);
  return (scope) => {
    for (const [filled, written] of alternatives) {
      const line = firstLine(filled?.(scope) ?? formerly(written?.(scope)) ?? '')?.trim();
      if (line) return line;
    }
    return undefined;
  };
}

const formerly = (text: string | undefined): string | undefined =>
  text === undefined || wasMissing(text) ? undefined : text;

type Keyed = {
  /** The first alternative of which all is there, joined. */
  readonly key?: string | undefined;
  /** What stands where the key should, and is none: a template left it, or it is always the same. */
  readonly raw?: string | undefined;
  /** The key as the release 0.1.0 took it from these places. */
  readonly former?: string | undefined;
};

type KeyOptions = {
  /** Parts that the tool sends for everything, so that they tell nothing apart. */
  readonly constants?: Words | undefined;
  readonly isTemplate?: true | undefined;
};

/** `title`: what its message is called, if it is called anything. */
export function keyFrom(
  written: readonly (readonly Text[])[] = [],
  { constants, isTemplate }: KeyOptions = {},
): (scope: Scope, title?: string) => Keyed {
  const alternatives = written.map((places) =>
    places.map((text) => ({ filled: textFrom(text), written: textFrom(text, writtenAt) })),
  );
  const isConstant = constants === undefined ? () => false : testOf(constants);
  const isPart = (text: string, title: string | undefined) =>
    !isUnfilled(text) &&
    !isConstant(text) &&
    !(isTemplate && title !== undefined && hasGap(text, title));
  return (scope, title) => {
    let raw: string | undefined;
    let former: string | undefined;
    for (const places of alternatives) {
      const texts = places.map(({ filled }) => filled(scope)?.trim() ?? '');
      if (!texts.includes('')) {
        const joined = texts.join(' | ');
        former ??= joined;
        if (texts.every((text) => isPart(text, title))) return { key: joined, raw, former };
        raw ??= joined;
      } else if (raw === undefined) {
        const left = places.map((place) => place.written(scope) ?? '');
        if (left.includes('')) continue;
        raw = left.join(' | ');
        if (!left.some(wasMissing)) former ??= raw;
      }
    }
    return { raw, former };
  };
}
