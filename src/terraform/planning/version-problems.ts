// Numbers beside secrets, which the API never sees: each stands for a rotation, or for a new value.
import type { Problem } from '../../resources/declaration/resource.ts';
import { fieldOf, isList } from '../convert.ts';
import { Decimal, Unknown, type Value } from '../protocol/value.ts';
import { type Attribute, isVersion } from '../schema.ts';

/** What is wrong with the versions that are known. */
export const versionProblems = (
  attributes: readonly Attribute[],
  config: Value,
  at = '',
): readonly Problem[] =>
  config === null || config instanceof Unknown
    ? []
    : attributes.flatMap((attribute) => {
        const { name, shape } = attribute;
        const [value, path] = [fieldOf(config, name), `${at}${name}`];
        if (isVersion(attribute)) return problemsAt(path, value);
        if (!('attributes' in shape)) return [];
        if (!isList(value)) return versionProblems(shape.attributes, value, `${path}.`);
        return value.flatMap((one, index) =>
          versionProblems(shape.attributes, one, `${path}[${index}].`),
        );
      });

/** In the words of the API about its own numbers. */
function problemsAt(path: string, value: Value): readonly Problem[] {
  if (typeof value !== 'number' && !(value instanceof Decimal)) return [];
  const number = Number(value instanceof Decimal ? value.text : value);
  if (!Number.isInteger(number)) return [{ path, message: 'must be a whole number' }];
  return number < 0 ? [{ path, message: 'must be at least 0' }] : [];
}
