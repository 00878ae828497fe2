// Secrets that are given without being stored: `url_wo` in place of `url`, sent with a create and
// whenever `url_wo_version` changes. Nothing but the configuration has them.
import { isSame } from '../client/patch.ts';
import { fieldOf, hasWriteOnly, isList, isObject } from './convert.ts';
import type { Value } from './protocol/value.ts';
import type { Attribute } from './schema.ts';

type Change = {
  readonly attributes: readonly Attribute[];
  readonly prior: Value;
  readonly planned: Value;
  readonly config: Value;
};

/** The configuration with those secrets alone that an update sends: a list is sent as a whole. */
export function changedSecrets({ attributes, prior, planned, config }: Change): Value {
  const isUnchanged = (name: string) => isSame(fieldOf(prior, name), fieldOf(planned, name));
  const sent = attributes.flatMap(({ name, writeOnly }) => {
    const [value, decisive] = writeOnly ? [writeOnly.value, writeOnly.version] : [name, name];
    return isUnchanged(decisive) ? [] : [[value, fieldOf(config, value)] as const];
  });
  return Object.fromEntries(sent);
}

/** Without those attributes by which secrets are given or rotated, which only resources have. */
export const withoutWriteOnly = (attributes: readonly Attribute[]): readonly Attribute[] =>
  attributes
    .filter((one) => !one.isWriteOnly && one.versionOf === undefined && one.rotates === undefined)
    .map(({ writeOnly: _, ...attribute }) =>
      'attributes' in attribute.shape
        ? {
            ...attribute,
            shape: { ...attribute.shape, attributes: withoutWriteOnly(attribute.shape.attributes) },
          }
        : attribute,
    );

/** A secret that may be given in two ways, and how it is given. */
export type WriteOnlySecret = {
  readonly attribute: Attribute & Required<Pick<Attribute, 'writeOnly'>>;
  /** Of the object that it is in: `steps[0].targets[1].`, or nothing at the top. */
  readonly at: string;
  readonly stored: Value;
  readonly value: Value;
  readonly version: Value;
};

/** All of them, in their order. */
export function writeOnlySecrets(
  attributes: readonly Attribute[],
  config: Value,
  at = '',
): readonly WriteOnlySecret[] {
  if (!isObject(config) || !hasWriteOnly(attributes)) return [];
  return attributes.flatMap((attribute) => {
    const { name, shape, writeOnly } = attribute;
    const stored = fieldOf(config, name);
    if (writeOnly !== undefined) {
      const value = fieldOf(config, writeOnly.value);
      const version = fieldOf(config, writeOnly.version);
      return [{ attribute: { ...attribute, writeOnly }, at, stored, value, version }];
    }
    if (!('attributes' in shape)) return [];
    return isList(stored)
      ? stored.flatMap((one, index) =>
          writeOnlySecrets(shape.attributes, one, `${at}${name}[${index}].`),
        )
      : writeOnlySecrets(shape.attributes, stored, `${at}${name}.`);
  });
}
