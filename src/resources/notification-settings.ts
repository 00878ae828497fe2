import { id } from './declaration/field.ts';
import { settingsResource } from './declaration/resource.ts';
import { personalNotifications, personalProblems } from './shift-notifications.ts';

/** A person's settings as a resource of Terraform; the API has them below the person. */
export const notificationSettings = settingsResource({
  noun: 'person',
  name: 'notification_settings',
  table: 'user_notifications',
  route: 'users',
  detailRoute: '/notifications',
  owner: 'user_id',
  doc: 'A person’s shift notification settings.',
  fields: {
    user_id: id('The person who has these settings.', { to: 'user', within: 'organization' }),
    ...personalNotifications.properties,
  },
  check: personalProblems,
});
