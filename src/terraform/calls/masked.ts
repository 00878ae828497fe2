// What the API answers of secrets to those who may not read them.
import { MASK } from '../../resources/mask.ts';
import { fieldOf, isList, isObject } from '../convert.ts';
import { warningDiagnostic } from '../diagnostics.ts';
import type { Value } from '../protocol/value.ts';
import type { Attribute } from '../schema.ts';

export type Unmasked = { readonly value: Value; readonly isMasked: boolean };

/** The answer with each secret that the reader may not have as it was before. */
export function keepMasked(
  attributes: readonly Attribute[],
  prior: Value,
  answered: Value,
): Unmasked {
  let isMasked = false;
  function unmask(within: readonly Attribute[], before: Value, now: Value): Value {
    if (isList(now))
      return now.map((one, index) =>
        unmask(within, isList(before) ? (before[index] ?? null) : null, one),
      );
    if (!isObject(now)) return now;
    const fields = within.map(({ name, shape, isSensitive }): [string, Value] => {
      const [was, is] = [fieldOf(before, name), fieldOf(now, name)];
      if ('attributes' in shape) return [name, unmask(shape.attributes, was, is)];
      if (!isSensitive || is !== MASK) return [name, is];
      isMasked = true;
      return [name, was ?? is];
    });
    return Object.fromEntries(fields);
  }
  return { value: unmask(attributes, prior, answered), isMasked };
}

export const secretsUnread = warningDiagnostic({
  summary: 'The API key may not read secrets',
  detail:
    'They stay as the state has them, if it has them. An API key of the role manager or above reads them.',
});
