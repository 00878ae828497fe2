// What an apply will do to a record, as far as it is known before.
import { fieldOf, isList, isObject } from '../convert.ts';
import { Unknown, type Value } from '../protocol/value.ts';
import type { Attribute } from '../schema.ts';

export type Planning = {
  readonly attributes: readonly Attribute[];
  /** Null for a record that is yet to be created. */
  readonly prior: Value;
  readonly config: Value;
  /** Terraform's own merge of the two: null where the record is to be archived. */
  readonly proposed: Value;
  /** The provider's, for a new record that names none; unknown if the service will decide. */
  readonly teamId: string | Unknown;
};

export type Plan = {
  readonly planned: Value;
  /** The attributes that only another record can have so. */
  readonly replacing: readonly string[];
};

/** Terraform has already kept what a record has and its configuration does not set. */
export function planRecord({ attributes, prior, config, proposed, teamId }: Planning): Plan {
  const whole = withDefaults(attributes, config, proposed);
  if (!isObject(whole)) return { planned: whole, replacing: [] };
  // What the service sets, it sets once: nothing of it changes with the configuration.
  const computed = attributes
    .filter(({ set }) => set === 'computed')
    .map(({ name }) => [name, prior === null ? new Unknown() : fieldOf(prior, name)]);
  const planned = { ...whole, ...Object.fromEntries(computed) };
  const { team_id: own } = whole;
  const isOfTeam = attributes.some(({ name }) => name === 'team_id');
  if (prior === null)
    return { planned: isOfTeam ? { ...planned, team_id: own ?? teamId } : planned, replacing: [] };
  const moves = fieldOf(whole, 'team_id') !== fieldOf(prior, 'team_id');
  return { planned, replacing: moves ? ['team_id'] : [] };
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
    return proposed.map((one, index) => withDefaults(attributes, members[index] ?? null, one));
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
