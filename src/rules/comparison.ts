import { incidentsLimits } from '../limits/incidents.ts';
import type { Comparator } from '../resources/condition.ts';
import { compileExpression } from './expression.ts';
import { folded, type Text } from './facts.ts';

/** A comparator with what it looks for. */
export type Comparison = {
  readonly isExpression: boolean;
  /** Null is an absent text: of it only negations hold. */
  readonly holds: (text: Text | null) => boolean;
  /** What is so of the text, whether it was asked for or not: `contains "disk"`. */
  readonly describe: (text: Text) => string;
};

type Compare = (text: string, sought: string) => boolean;

const contains: Compare = (text, sought) => text.includes(sought);
const equals: Compare = (text, sought) => text === sought;
const startsWith: Compare = (text, sought) => text.startsWith(sought);
const endsWith: Compare = (text, sought) => text.endsWith(sought);

export function comparisonOf(comparator: Comparator, sought: string): Comparison {
  switch (comparator) {
    case 'contains':
      return ignoringCase(contains, sought, ['contains', 'does not contain']);
    case 'doesNotContain':
      return not(comparisonOf('contains', sought));
    case 'equals':
      return ignoringCase(equals, sought, ['equals', 'does not equal']);
    case 'doesNotEqual':
      return not(comparisonOf('equals', sought));
    case 'startsWith':
      return ignoringCase(startsWith, sought, ['starts with', 'does not start with']);
    case 'endsWith':
      return ignoringCase(endsWith, sought, ['ends with', 'does not end with']);
    case 'matches':
      return matching(sought, true);
    case 'doesNotMatch':
      return matching(sought, false);
  }
}

function ignoringCase(
  compare: Compare,
  sought: string,
  [verb, negation]: readonly [string, string],
): Comparison {
  const other = folded(sought);
  const holds = (text: Text | null) => text !== null && compare(text.folded, other);
  const describe = (text: Text) => `${holds(text) ? verb : negation} ${quoted(sought)}`;
  return { isExpression: false, holds, describe };
}

const not = ({ holds, ...same }: Comparison): Comparison => ({
  ...same,
  holds: (text) => !holds(text),
});

/** Compiled when it is first asked: most conditions of most rules never are. */
function matching(source: string, wanted: boolean): Comparison {
  let compiled: ReturnType<typeof compileExpression> | undefined;
  const expression = () => {
    compiled ??= compileExpression(source);
    return compiled;
  };
  return {
    isExpression: true,
    holds(text) {
      if (text === null) return !wanted;
      const asked = expression();
      // Stored by a version that could compile it: nothing is known then, of its negation neither.
      return !('problem' in asked) && asked.matches(text.plain) === wanted;
    },
    describe(text) {
      const asked = expression();
      if ('problem' in asked) return `cannot be compared: ${quoted(source)} ${asked.problem}`;
      return `${asked.matches(text.plain) ? 'matches' : 'does not match'} ${quoted(source)}`;
    },
  };
}

/** In quotes, and not longer than one can read. */
export const quoted = (text: string): string =>
  JSON.stringify(
    text.length > incidentsLimits.quoted
      ? `${text.slice(0, incidentsLimits.quoted).toWellFormed()}…`
      : text,
  );
