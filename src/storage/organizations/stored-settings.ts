// Settings of notifications and of what is kept, which are kept as JSON, as they are read back.

import {
  documentOf,
  listOf,
  objectOf,
  optional,
  type Parse,
  positive,
  text,
  textOrSealed,
} from '../../resources/declaration/stored-document.ts';
import type { Retention } from '../../resources/retention.ts';
import type {
  OrganizationNotifications,
  PersonalNotifications,
  ScheduleNotifications,
} from '../../resources/shift-notifications.ts';

type TeamChannel = NonNullable<OrganizationNotifications['slack']>[number];
type ShiftChannels = Omit<PersonalNotifications, 'schedules'>;
type OfOneSchedule = NonNullable<PersonalNotifications['schedules']>[number];

/** Of a channel that only a newer server has, it is said that it cannot be reached. */
const channels = optional(listOf(text) as Parse<NonNullable<PersonalNotifications['shift_start']>>);

const shiftChannels: { readonly [K in keyof Required<ShiftChannels>]: typeof channels } = {
  shift_start: channels,
  shift_end: channels,
  shift_change: channels,
};

export const parsePersonal: Parse<PersonalNotifications> = documentOf(
  'settings',
  objectOf<PersonalNotifications>({
    ...shiftChannels,
    schedules: optional(
      listOf(objectOf<OfOneSchedule>({ oncall_schedule_id: text, ...shiftChannels })),
    ),
  }),
);

const teamChannels = optional(
  listOf(
    objectOf<TeamChannel>({
      channel_id: optional(text),
      webhook_url: optional(textOrSealed),
      channel_name: optional(text),
      mention: optional(text),
    }),
  ),
);

export const parseOfSchedule: Parse<ScheduleNotifications> = documentOf(
  'settings',
  objectOf<ScheduleNotifications>({
    slack: teamChannels,
    msteams: teamChannels,
    outbound_webhook_ids: optional(listOf(text)),
  }),
);

export const parseOfOrganization: Parse<OrganizationNotifications> = documentOf(
  'shift_notifications',
  objectOf<OrganizationNotifications>({
    slack: teamChannels,
    msteams: teamChannels,
    discord: teamChannels,
    outbound_webhook_ids: optional(listOf(text)),
  }),
);

const days = optional(positive);

export const parseRetention: Parse<Retention> = documentOf(
  'retention',
  objectOf<Retention>({
    events_days: days,
    outbox_days: days,
    timelines_days: days,
    audit_log_days: days,
  }),
);
