// What the API answers of secrets to those who may not read them.
import { MASK } from '../../resources/mask.ts';
import { fieldOf, isList, isObject } from '../convert.ts';
import { warningDiagnostic } from '../diagnostics.ts';
import type { Value } from '../protocol/value.ts';

export type Unmasked = { readonly value: Value; readonly masked: boolean };

/** The answer with each secret that the reader may not have as it was before. */
export function keepMasked(prior: Value, answered: Value): Unmasked {
  let masked = false;
  function unmask(before: Value, now: Value): Value {
    if (now === MASK) {
      masked = true;
      return typeof before === 'string' ? before : now;
    }
    if (isList(now))
      return now.map((one, index) => unmask(isList(before) ? (before[index] ?? null) : null, one));
    if (!isObject(now)) return now;
    const fields = Object.entries(now).map(([name, one]): [string, Value] => [
      name,
      unmask(fieldOf(before, name), one),
    ]);
    return Object.fromEntries(fields);
  }
  return { value: unmask(prior, answered), masked };
}

export const secretsUnread = warningDiagnostic({
  summary: 'The API key may not read secrets',
  detail:
    'They stay as the state has them, if it has them. An API key of the role manager or above reads them.',
});
