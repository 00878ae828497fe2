// A secret of the service becomes another one when the number beside it in the configuration changes.
import { createHash } from 'node:crypto';
import { isSame } from '../client/patch.ts';
import { fieldOf } from './convert.ts';
import type { Value } from './protocol/value.ts';
import type { Attribute } from './schema.ts';

const versionIn = (attributes: readonly Attribute[], value: Value): Value =>
  fieldOf(value, attributes.find(({ rotates }) => rotates !== undefined)?.name ?? '');

/** Not by its first number: whoever begins to use it has the secret in use. */
export function isRotated(attributes: readonly Attribute[], prior: Value, planned: Value): boolean {
  const [was, is] = [versionIn(attributes, prior), versionIn(attributes, planned)];
  return was !== null && is !== null && !isSame(was, is);
}

/**
 * The same for an apply anew after a lost answer, whatever else Terraform forgot: a second rotation
 * would end the secret in use. Each key is made of the one before it, so no two rotations share one.
 */
export const rotationKey = (
  last: string | undefined,
  attributes: readonly Attribute[],
  planned: Value,
): string =>
  createHash('sha256')
    .update(JSON.stringify([last, versionIn(attributes, planned)]))
    .digest('hex');
