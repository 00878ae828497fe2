// Regular expressions in the syntax of RE2, found in time that grows with the text alone.
import { RE2JS, RE2JSException } from 're2js';
import { spend } from '../alerts/effort.ts';
import { incidentsLimits } from '../limits/incidents.ts';
import type {
  Expression,
  InvalidExpression,
} from '../resources/declaration/expression-compiler.ts';
import { literalIn } from './literal.ts';

/** May be found anywhere in a text's first 5,000 characters; case matters. */
export function compileExpression(source: string): Expression | InvalidExpression {
  if (source.length > incidentsLimits.expressionLength)
    return {
      problem: `must have at most ${incidentsLimits.expressionLength} characters as a regular expression`,
    };
  const compiled = compiledFrom(source);
  if ('problem' in compiled) return compiled;
  const size = compiled.programSize();
  if (size > incidentsLimits.expressionSize) {
    const most = `at most ${incidentsLimits.expressionSize} instructions are allowed, and this needs ${size}`;
    return { problem: `is too large a regular expression: ${most}` };
  }
  const literal = literalIn(source);
  const isIn = (text: string) => {
    const searched =
      text.length > incidentsLimits.searched ? text.slice(0, incidentsLimits.searched) : text;
    if (!searched.includes(literal)) return false;
    spend(searched.length * size);
    return compiled.test(searched);
  };
  return { size, matches: isIn };
}

function compiledFrom(source: string): RE2JS | InvalidExpression {
  try {
    return RE2JS.compile(source);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    const reason = error.message.replace('error parsing regexp: ', '');
    return { problem: `is not a valid RE2 regular expression: ${reason}` };
  }
}
