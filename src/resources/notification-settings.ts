import { id, objectOf } from './declaration/field.ts';
import type { Problem, Resource } from './declaration/resource.ts';
import {
  type PersonalNotifications,
  personalNotifications,
  personalProblems,
} from './shift-notifications.ts';

const fields = {
  user_id: id('The person who has these settings.', {
    to: 'user',
    within: 'organization',
  }),
  ...personalNotifications.properties,
};
const doc = 'A person’s shift notification settings.';

/** A person's settings as a resource of Terraform; the API has them below the person. */
export const notificationSettings: Resource = {
  name: 'notification_settings',
  table: 'user_notifications',
  route: 'users',
  detailRoute: '/notifications',
  owner: 'user_id',
  noneAt: '',
  doc,
  fields,
  readOnlyMembers: {},
  lostByReplacement: '',
  rotates: '',
  endsAt: '',
  ending: null,
  knownBy: '',
  effectsAt: '',
  neverChanges: false,
  sessionOnly: () => [],
  input: objectOf(fields, doc),
  output: objectOf({ id: id('The id of the person.'), ...fields }, doc),
  check: (settings): readonly Problem[] => personalProblems(settings as PersonalNotifications),
};
