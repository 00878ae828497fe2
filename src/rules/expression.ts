// Regular expressions in the syntax of RE2, found in time that grows with the text alone.
import { RE2JS, RE2JSException } from 're2js';
import type { Expression, Unreadable } from '../resources/declaration/expression.ts';
import { literalIn } from './literal.ts';

const LENGTH_MAX = 1_000;
/** At worst, each character is compared with each instruction (ADR 0017). */
const INSTRUCTIONS_MAX = 500;
const SEARCHED_MAX = 5_000;

/** May be found anywhere in a text's first 5,000 characters; case matters. */
export function compileExpression(source: string): Expression | Unreadable {
  if (source.length > LENGTH_MAX)
    return { trouble: `must have at most ${LENGTH_MAX} characters as a regular expression` };
  const compiled = compiledFrom(source);
  if ('trouble' in compiled) return compiled;
  const size = compiled.programSize();
  if (size > INSTRUCTIONS_MAX) {
    const most = `at most ${INSTRUCTIONS_MAX} instructions, and this needs ${size}`;
    return { trouble: `is too large a regular expression: ${most}` };
  }
  const literal = literalIn(source);
  const isIn = (text: string) => {
    const searched = text.length > SEARCHED_MAX ? text.slice(0, SEARCHED_MAX) : text;
    return searched.includes(literal) && compiled.test(searched);
  };
  return { size, isIn };
}

function compiledFrom(source: string): RE2JS | Unreadable {
  try {
    return RE2JS.compile(source);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    const reason = error.message.replace('error parsing regexp: ', '');
    return { trouble: `is no regular expression in RE2 syntax: ${reason}` };
  }
}
