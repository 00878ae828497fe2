// What there is exactly one of: Terraform manages the attributes that it was told of, and leaves the
// others to whoever sets them.
import type { Fields } from '../client/answer.ts';
import { isSame } from '../client/patch.ts';
import type { Resource } from '../resources/declaration/resource.ts';
import { fieldOf, isObject } from './convert.ts';
import type { Managed } from './managed.ts';
import { Unknown, type Value } from './protocol/value.ts';
import type { Attribute } from './schema.ts';

/** The attributes that a configuration sets. */
export const configuredIn = (attributes: readonly Attribute[], config: Value): readonly string[] =>
  attributes.map(({ name }) => name).filter((name) => fieldOf(config, name) !== null);

/** Those that an import manages from then on: all that are not at their defaults. */
export function takenOver({ isSingleton, ending }: Resource, record: Fields) {
  if (!isSingleton) return undefined;
  const isOther = ([name, byDefault]: readonly [string, unknown]) =>
    !isSame(record[name] ?? null, byDefault);
  return Object.entries(ending ?? {})
    .filter(isOther)
    .map(([name]) => name);
}

type Proposal = {
  readonly prior: Value;
  readonly config: Value;
  /** Terraform's own merge of the two. */
  readonly proposed: Value;
  /** What Terraform managed of it so far. */
  readonly configured: readonly string[];
};

/** What left the configuration has its default again, and what was never in it stays as it is. */
export function proposedSingleton(
  { resource: { ending }, attributes }: Managed,
  { prior, config, proposed, configured }: Proposal,
): Value {
  if (!isObject(proposed)) return proposed;
  const isLeft = ({ name, set }: Attribute) => set === 'fallback' && fieldOf(config, name) === null;
  const left = attributes.filter(isLeft).map(({ name }): [string, Value] => {
    if (prior === null) return [name, new Unknown()];
    const isReturned = configured.includes(name) && name in (ending ?? {});
    return [name, isReturned ? (ending?.[name] as Value) : fieldOf(prior, name)];
  });
  return { ...proposed, ...Object.fromEntries(left) };
}
