// The secrets in an answer of the API, as the state keeps them.
import { MASK } from '../../resources/declaration/references-and-secrets.ts';
import { fieldOf, isList, isObject } from '../convert.ts';
import { errorDiagnostic, warningDiagnostic } from '../diagnostics.ts';
import type { Value } from '../protocol/value.ts';
import type { Attribute } from '../schema.ts';
import { writeOnlySecrets } from '../write-only.ts';

export type Unmasked = {
  readonly value: Value;
  /** Whether there are secrets that the reader may not have. */
  readonly isMasked: boolean;
  /** Whether one of them was not known before either. */
  readonly isLacking: boolean;
};

/**
 * The answer with each secret that the reader may not have as it was before, or null; and without
 * those that are given by `url_wo` and the like.
 */
export function keepMasked(
  attributes: readonly Attribute[],
  prior: Value,
  answered: Value,
): Unmasked {
  let [isMasked, isLacking] = [false, false];
  // In a list that others changed, nobody can tell which of the members such a secret is in.
  const isUnstored = writeOnlySecrets(attributes, prior).some(({ version }) => version !== null);
  const unmaskValue = (was: Value, is: Value): Value => {
    if (is !== MASK) return is;
    isMasked = true;
    isLacking ||= was === null;
    return was;
  };
  const unmaskValues = (was: Value, is: { readonly [name: string]: Value }): Value =>
    Object.fromEntries(
      Object.entries(is).map(([name, value]) => [name, unmaskValue(fieldOf(was, name), value)]),
    );
  function unmask(within: readonly Attribute[], before: Value, now: Value): Value {
    if (isList(now))
      return now.map((one, index) =>
        unmask(within, isList(before) ? (before[index] ?? null) : null, one),
      );
    if (!isObject(now)) return now;
    const fields = within.map((attribute): [string, Value] => {
      const { name, shape, isSensitive, hasMaskedValues, writeOnly, versionOf, rotates, isOnce } =
        attribute;
      const [was, is] = [fieldOf(before, name), fieldOf(now, name)];
      if ('attributes' in shape) return [name, unmask(shape.attributes, was, is)];
      if (rotates !== undefined || (isOnce && is === null)) return [name, was];
      if (versionOf !== undefined) return [name, fieldOf(now, versionOf) === null ? null : was];
      if (writeOnly && fieldOf(before, writeOnly.version) !== null) return [name, null];
      if (writeOnly && isUnstored && is !== MASK && is !== was) return [name, null];
      if (hasMaskedValues && isObject(is)) return [name, unmaskValues(was, is)];
      return [name, isSensitive ? unmaskValue(was, is) : is];
    });
    return Object.fromEntries(fields);
  }
  return { value: unmask(attributes, prior, answered), isMasked, isLacking };
}

const summary = 'The API key cannot read secrets';
const help = 'Use an API key with the role manager or above to read them.';

export const secretsFromState = warningDiagnostic({
  summary,
  detail: `The state keeps its current values. ${help}`,
});

export const secretsLeftOut = warningDiagnostic({
  summary,
  detail: `They are null here. ${help}`,
});

/** Null would be passed on to whatever uses a token, or have the next apply write what is there. */
export const secretsLacking = (doing: string) =>
  errorDiagnostic({
    summary: `Could not ${doing}`,
    detail: `The API key cannot read its secrets, and the state does not contain them. ${help}`,
  });

/** Where nothing is of use but the secret. */
export const secretsUnreadable = (doing: string) =>
  errorDiagnostic({ summary: `Could not ${doing}`, detail: `${summary}. ${help}` });
