import { id } from './declaration/field.ts';
import { settingsResource } from './declaration/resource.ts';
import { scheduleNotifications, teamProblems } from './shift-notifications.ts';

/** A schedule's settings as a resource of Terraform; the API has them below the schedule. */
export const scheduleNotificationSettings = settingsResource({
  noun: 'schedule',
  name: 'schedule_notifications',
  table: 'schedule_notifications',
  route: 'on-calls',
  detailRoute: '/notifications',
  owner: 'oncall_schedule_id',
  doc: 'Who else is notified when shifts of one on-call schedule start or end.',
  fields: {
    oncall_schedule_id: id('The schedule that has these settings.', {
      to: 'oncall_schedule',
      within: 'organization',
    }),
    ...scheduleNotifications.properties,
  },
  check: (settings) => teamProblems(settings),
});
