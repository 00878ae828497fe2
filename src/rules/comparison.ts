import { spend } from '../alerts/effort.ts';
import { incidentsLimits } from '../limits/incidents.ts';
import type { Comparator } from '../resources/condition.ts';
import { compileExpression } from './expression.ts';
import { folded, type Text } from './facts.ts';

/** A comparator with its operand. */
export type Comparison = {
  readonly isExpression: boolean;
  /** Null is an absent text: of it only negations hold. */
  readonly holds: (text: Text | null) => boolean;
  /** How the text compares, whether the comparison holds or not: `contains "disk"`. */
  readonly describe: (text: Text) => string;
};

const COMPARISON_WORK = 2;
const CHARACTER_WORK = 1 / 32;

type Compare = (text: string, operand: string) => boolean;

const contains: Compare = (text, operand) => text.includes(operand);
const equals: Compare = (text, operand) => text === operand;
const startsWith: Compare = (text, operand) => text.startsWith(operand);
const endsWith: Compare = (text, operand) => text.endsWith(operand);

export function comparisonOf(comparator: Comparator, operand: string): Comparison {
  switch (comparator) {
    case 'contains':
      return ignoringCase(contains, operand, ['contains', 'does not contain']);
    case 'doesNotContain':
      return not(comparisonOf('contains', operand));
    case 'equals':
      return ignoringCase(equals, operand, ['equals', 'does not equal']);
    case 'doesNotEqual':
      return not(comparisonOf('equals', operand));
    case 'startsWith':
      return ignoringCase(startsWith, operand, ['starts with', 'does not start with']);
    case 'endsWith':
      return ignoringCase(endsWith, operand, ['ends with', 'does not end with']);
    case 'matches':
      return matching(operand, true);
    case 'doesNotMatch':
      return matching(operand, false);
  }
}

function ignoringCase(
  compare: Compare,
  operand: string,
  [verb, negation]: readonly [string, string],
): Comparison {
  const other = folded(operand);
  const holds = (text: Text | null) => {
    if (text === null) return false;
    spend(COMPARISON_WORK + text.folded.length * CHARACTER_WORK);
    return compare(text.folded, other);
  };
  const describe = (text: Text) => `${holds(text) ? verb : negation} ${quoted(operand)}`;
  return { isExpression: false, holds, describe };
}

const not = ({ holds, ...same }: Comparison): Comparison => ({
  ...same,
  holds: (text) => !holds(text),
});

/** Compiled when it is first evaluated: most conditions of most rules never are. */
function matching(source: string, wanted: boolean): Comparison {
  let compiled: ReturnType<typeof compileExpression> | undefined;
  const compile = () => {
    compiled ??= compileExpression(source);
    return compiled;
  };
  return {
    isExpression: true,
    holds(text) {
      if (text === null) return !wanted;
      const expression = compile();
      // Stored by a version that could compile it: neither it nor its negation holds.
      return !('problem' in expression) && expression.matches(text.plain) === wanted;
    },
    describe(text) {
      const expression = compile();
      if ('problem' in expression)
        return `cannot be compared: ${quoted(source)} ${expression.problem}`;
      return `${expression.matches(text.plain) ? 'matches' : 'does not match'} ${quoted(source)}`;
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
