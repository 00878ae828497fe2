// The six records as Terraform's resources, by the names it has for them.
import type { Resource } from '../resources/declaration/resource.ts';
import { resources } from '../resources/index.ts';
import { fieldOf } from './convert.ts';
import type { Type, Value } from './protocol/value.ts';
import { type Attribute, objectType, resourceAttributes } from './schema.ts';

export type Managed = {
  /** `pager_service` */
  readonly typeName: string;
  readonly resource: Resource;
  readonly attributes: readonly Attribute[];
  readonly type: Type;
};

export const managed: readonly Managed[] = resources.map((resource) => {
  const attributes = resourceAttributes(resource);
  return { typeName: `pager_${resource.name}`, resource, attributes, type: objectType(attributes) };
});

/** Terraform asks only for types of our schema. */
export function managedAs(typeName: string): Managed {
  const found = managed.find((one) => one.typeName === typeName);
  if (found === undefined) throw new Error(`there is no resource ${typeName}`);
  return found;
}

/** For people: `escalation policy "Platform"`. */
export function spoken({ name }: Resource, value: Value): string {
  const called = fieldOf(value, 'name') ?? fieldOf(value, 'id');
  const words = inWords(name);
  return typeof called === 'string' ? `${words} ${JSON.stringify(called)}` : words;
}

export const inWords = (name: string) => name.replaceAll('_', ' ').replace('oncall', 'on-call');
