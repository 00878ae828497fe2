// What Terraform manages, by the names it has for it: the records, teams, users, overrides, keys and mappings.
import { apiKey } from '../resources/api-key.ts';
import { parentFields, type Resource } from '../resources/declaration/resource.ts';
import { records } from '../resources/index.ts';
import { integrationKey } from '../resources/integration-key.ts';
import { integrationMapping } from '../resources/integration-mapping.ts';
import { notificationSettings } from '../resources/notification-settings.ts';
import { organization } from '../resources/organization.ts';
import { override } from '../resources/override.ts';
import { scheduleNotificationSettings } from '../resources/schedule-notifications.ts';
import { team } from '../resources/team.ts';
import { teamMembership } from '../resources/team-membership.ts';
import { user } from '../resources/user.ts';
import { fieldOf } from './convert.ts';
import type { Type, Value } from './protocol/value.ts';
import { type Attribute, objectType, resourceAttributes } from './schema.ts';

export type Managed = {
  /** `pager_service` */
  readonly typeName: string;
  readonly resource: Resource;
  readonly attributes: readonly Attribute[];
  readonly type: Type;
  /** The attributes that name the record that it is below. */
  readonly parents: readonly string[];
};

export const managedOf = (declared: readonly Resource[]): readonly Managed[] =>
  declared.map((resource) => {
    const attributes = resourceAttributes(resource);
    const typeName = `pager_${resource.name}`;
    const parents = parentFields(resource);
    return { typeName, resource, attributes, type: objectType(attributes), parents };
  });

export const managedRecords = managedOf(records);

export const managed = [
  ...managedOf([organization, team, user, teamMembership, apiKey, notificationSettings]),
  ...managedRecords,
  ...managedOf([override, integrationKey, integrationMapping, scheduleNotificationSettings]),
];

/** Terraform asks only for types of our schema. */
export function managedAs(all: readonly Managed[], typeName: string): Managed {
  const match = all.find((one) => one.typeName === typeName);
  if (match === undefined) throw new Error(`there is no resource ${typeName}`);
  return match;
}

/** At the address that the API has it at: the one below the record that the value names. */
export function located<As extends Managed>(as: As, value: Value): As {
  const routeTo = (route: string, name: string) =>
    route.replace(`:${name}`, encodeURIComponent(String(fieldOf(value, name))));
  const route = as.parents.reduce(routeTo, as.resource.route);
  return { ...as, resource: { ...as.resource, route } };
}

/** For people: `escalation policy "Platform"`, `user "ada@example.com"`. */
export function spoken({ name }: Resource, value: Value): string {
  const called = fieldOf(value, 'name') ?? fieldOf(value, 'email') ?? fieldOf(value, 'id');
  const words = inWords(name);
  return typeof called === 'string' ? `${words} ${JSON.stringify(called)}` : words;
}

/** What a destroy does to it. */
export function endingWord(resource: Resource): string {
  const { ending, owner, isSingleton, secretOnce, endsAt, isAdopted } = resource;
  if (secretOnce !== '') return 'revoke';
  if (isSingleton) return 'release';
  // Nothing of these is kept to be restored.
  if (owner !== null || endsAt !== '' || isAdopted) return 'remove';
  return ending === null ? 'archive' : 'deactivate';
}

export const inWords = (name: string) =>
  name.replaceAll('_', ' ').replace('oncall', 'on-call').replace('api ', 'API ');
