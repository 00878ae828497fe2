// What an apply will do to a record, as far as it is known before.
import { isSame } from '../../client/patch.ts';
import { endOf } from '../../resources/integration-key.ts';
import { fieldOf, isList, isObject } from '../convert.ts';
import { Unknown, type Value } from '../protocol/value.ts';
import { isRotated } from '../rotation.ts';
import type { Attribute } from '../schema.ts';

export type Planning = {
  readonly attributes: readonly Attribute[];
  /** Null for a record that is yet to be created. */
  readonly prior: Value;
  readonly config: Value;
  /** Terraform's own merge of the two: null where the record is to be archived. */
  readonly proposed: Value;
  /** What a record never changes; `team_id` by default. */
  readonly fixed?: readonly string[];
  /** Whether the record is over, and can no longer be changed. */
  readonly isOver?: boolean;
  /** The provider's, for a new record that names none; unknown if the service will decide. */
  readonly teamId: string | Unknown;
};

export type Plan = {
  readonly planned: Value;
  /** The attributes that only another record can have so. */
  readonly replacing: readonly string[];
};

/** Terraform has already kept what a record has and its configuration does not set. */
export function planRecord({ prior, config, ...planning }: Planning): Plan {
  const { attributes, proposed, teamId, fixed = ['team_id'], isOver = false } = planning;
  const defaulted = withDefaults(attributes, config, proposed);
  if (!isObject(defaulted)) return { planned: defaulted, replacing: [] };
  const whole = withObjectsLeft(attributes, { config, prior }, defaulted);
  // What the service sets, it sets once: nothing of it changes with the configuration but a secret.
  const isSecretNew = isRotated(attributes, prior, whole);
  const isWritten = attributes.some(
    ({ name, set }) => set !== 'computed' && !isSame(fieldOf(prior, name), fieldOf(whole, name)),
  );
  const computed = attributes
    .filter(({ set }) => set === 'computed')
    .map(({ name, isSensitive, countsWrites }) => {
      const isNew =
        prior === null || (isSecretNew && isSensitive) || (isWritten && countsWrites === true);
      return [name, isNew ? new Unknown() : fieldOf(prior, name)];
    });
  const planned = {
    ...whole,
    ...Object.fromEntries(computed),
    ...ends(attributes, prior, config),
  };
  const { team_id: own } = whole;
  const isOfTeam = attributes.some(({ name, set }) => name === 'team_id' && set === 'fallback');
  if (prior === null)
    return { planned: isOfTeam ? { ...planned, team_id: own ?? teamId } : planned, replacing: [] };
  const others = isOver ? attributes.map(({ name }) => name) : fixed;
  const replacing = others.filter((name) => !isSame(fieldOf(planned, name), fieldOf(prior, name)));
  return { planned, replacing };
}

/** Terraform keeps what others set, and leaves it open before that, only where it is no object. */
function withObjectsLeft(
  attributes: readonly Attribute[],
  { config, prior }: Pick<Planning, 'config' | 'prior'>,
  whole: Readonly<Record<string, Value>>,
): Readonly<Record<string, Value>> {
  const left = attributes.flatMap(({ name, set, shape }): [string, Value][] => {
    const isLeft = set === 'fallback' && 'attributes' in shape && fieldOf(config, name) === null;
    return isLeft ? [[name, prior === null ? new Unknown() : fieldOf(prior, name)]] : [];
  });
  return { ...whole, ...Object.fromEntries(left) };
}

/** Of what is not stored. While it is unknown, it counts as the one that is in use. */
function ends(attributes: readonly Attribute[], prior: Value, config: Value) {
  const all = attributes.flatMap(({ name, endIn }): [string, Value][] => {
    if (endIn === undefined) return [];
    const secret = fieldOf(config, name);
    const before = prior === null ? new Unknown() : fieldOf(prior, endIn);
    return [[endIn, typeof secret === 'string' ? endOf(secret) : before]];
  });
  return Object.fromEntries(all);
}

/** In a whole that is known late, Terraform wants null all the same for what is not to be stored. */
function withoutWriteOnly(attributes: readonly Attribute[], one: Value): Value {
  if (!(one instanceof Unknown) || !attributes.some(({ isWriteOnly }) => isWriteOnly)) return one;
  const late = attributes.map(({ name, isWriteOnly }) => [
    name,
    isWriteOnly ? null : new Unknown(),
  ]);
  return Object.fromEntries(late);
}

/**
 * A default stands wherever the configuration sets nothing, whatever the record has by now; unless
 * others may set it too. Nothing stands for what is not to be stored.
 */
export function withDefaults(
  attributes: readonly Attribute[],
  config: Value,
  proposed: Value,
): Value {
  if (isList(proposed)) {
    const members = isList(config) ? config : [];
    return proposed.map((one, index) =>
      withDefaults(attributes, members[index] ?? null, withoutWriteOnly(attributes, one)),
    );
  }
  if (!isObject(proposed)) return proposed;
  const planned = attributes.map((attribute): [string, Value] => {
    const { name, shape, isWriteOnly, default: fallback = null } = attribute;
    if (isWriteOnly) return [name, null];
    const { isSetElsewhere = false } = attribute;
    const [set, one] = [fieldOf(config, name), fieldOf(proposed, name)];
    const isLeft = isSetElsewhere && one !== null;
    if (set === null && fallback !== null && !isLeft) return [name, fallback];
    return [name, 'attributes' in shape ? withDefaults(shape.attributes, set, one) : one];
  });
  return Object.fromEntries(planned);
}
