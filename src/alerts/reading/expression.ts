// Regular expressions of the notation, in the syntax of RE2: found in time that grows with the text
// alone, since strangers send the text.
import { RE2JS, RE2JSException } from 're2js';
import { eventsLimits } from '../../limits/events.ts';
import { spend } from '../effort.ts';
import { NotationError } from './notation-error.ts';

const LITERAL = /^\/(.+)\/([a-z]*)$/s;

const flagOf: Readonly<Record<string, number>> = {
  i: RE2JS.CASE_INSENSITIVE,
  m: RE2JS.MULTILINE,
  s: RE2JS.DOTALL,
};

export type Expression = {
  test(text: string): boolean;
  /** The first group that took part, or else all that was found. */
  take(text: string): string | undefined;
  cut(text: string): string;
};

/** Compiled before; forms that are merged have many in common. */
const known = new Map<string, Expression>();
const MOST_KNOWN = 2_000;

/** `/source/flags`, or the literal itself. Throws a NotationError for what is not one. */
export function expressionOf(written: string | RegExp): Expression {
  const text = String(written);
  const expression = known.get(text) ?? expressionFrom(text);
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(text, expression);
  return expression;
}

function expressionFrom(text: string): Expression {
  const [, source, flags = ''] = LITERAL.exec(text) ?? [];
  if (source === undefined) throw new NotationError(`${text} must have the form /expression/`);
  const compiled = compile(source, flags);
  const size = compiled.programSize();
  const searched = (of: string) => {
    const part = of.slice(0, eventsLimits.searched);
    spend(part.length * size);
    return part;
  };
  return {
    test: (of) => compiled.matcher(searched(of)).find(),
    take: (of) => taken(compiled, searched(of)),
    cut: (of) => compiled.matcher(searched(of)).replaceAll(''),
  };
}

export const isExpression = (written: string | RegExp): boolean =>
  typeof written !== 'string' || LITERAL.test(written);

function compile(source: string, flags: string): RE2JS {
  if (source.length > eventsLimits.expressionLength)
    throw new NotationError(
      `must have at most ${eventsLimits.expressionLength} characters as a regular expression`,
    );
  let bits = 0;
  for (const flag of flags) {
    const bit = flagOf[flag];
    if (bit === undefined) throw new NotationError(`has the unknown flag ${flag}`);
    bits |= bit;
  }
  try {
    const compiled = RE2JS.compile(source, bits);
    if (compiled.programSize() <= eventsLimits.expressionSize) return compiled;
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    const reason = error.message.replace('error parsing regexp: ', '');
    throw new NotationError(`is not a valid RE2 regular expression: ${reason}`);
  }
  throw new NotationError(
    `is too large a regular expression: at most ${eventsLimits.expressionSize} instructions are allowed`,
  );
}

function taken(compiled: RE2JS, text: string): string | undefined {
  const matcher = compiled.matcher(text);
  if (!matcher.find()) return undefined;
  for (let group = 1; group <= matcher.groupCount(); group += 1) {
    const value = matcher.group(group);
    if (value) return value;
  }
  return matcher.group(0) ?? undefined;
}
