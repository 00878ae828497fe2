import type { Static } from 'typebox';
import { chatChannels, shiftChannels } from './channels.ts';
import { instant } from './declaration/answer.ts';
import { choice, id, listOf, objectOf, optional, secret, text } from './declaration/field.ts';
import type { Problem } from './declaration/resource.ts';

const channels = (doc: string) =>
  optional(
    listOf(choice(shiftChannels, { doc: 'A channel that notifies the person.' }), {
      doc,
      min: 0,
      max: shiftChannels.length,
      unique: true,
    }),
  );

const personal = {
  shift_start: channels(
    'The channels that notify the person when one of their shifts starts. If absent, e-mail. If empty, none.',
  ),
  shift_end: channels(
    'The channels that notify the person when one of their shifts has ended. If absent, none.',
  ),
  shift_change: channels(
    'The channels that notify the person when an edit of a schedule moves their shifts and, except by phone, when someone asks for cover. If absent, e-mail. If empty, none.',
  ),
};

/** The events that a person is notified of. */
export const shiftEvents = [
  'shift_start',
  'shift_end',
  'shift_change',
] as const satisfies readonly (keyof typeof personal)[];

/** Which notifications of shifts one person wants; an absent event has its default. 6.1 */
export const personalNotifications = objectOf(
  {
    ...personal,
    schedules: optional(
      listOf(
        objectOf({
          oncall_schedule_id: id('The schedule of these settings.', {
            to: 'oncall_schedule',
            within: 'organization',
          }),
          ...personal,
        }),
        {
          doc: 'Settings for individual schedules. For events that are absent there, the general settings apply.',
          min: 0,
          max: 500,
        },
      ),
    ),
  },
  'A person’s shift notification settings.',
);
export type PersonalNotifications = Static<typeof personalNotifications>;

const teamChannels = (doc: string) =>
  optional(
    listOf(
      objectOf({
        channel_id: optional(
          text({
            doc: 'The chat service’s id of the channel, such as C024BE91L. Use this or webhook_url.',
            min: 1,
          }),
        ),
        webhook_url: optional(
          secret({
            doc: 'The incoming webhook of the chat. Use this or channel_id.',
            format: 'uri',
            max: 2_048,
            writeOnly: true,
          }),
        ),
        channel_name: optional(
          text({
            doc: 'The display name of the channel, such as #on-call. It does not affect delivery.',
            min: 1,
          }),
        ),
        mention: optional(
          text({ doc: 'Whom the message mentions, such as @here. If absent, nobody.' }),
        ),
      }),
      { doc, min: 0, max: 50 },
    ),
  );

const webhooks = (within: 'team' | 'organization', doc: string) =>
  optional(
    listOf(id('The id of an outbound webhook.', { to: 'outbound_webhook', within }), {
      doc,
      min: 0,
      max: 50,
      unique: true,
    }),
  );

/** Of the organization: for every schedule. 6.1 */
export const organizationNotifications = objectOf(
  {
    slack: teamChannels('The Slack channels that are notified when a shift starts or ends.'),
    msteams: teamChannels(
      'The Microsoft Teams channels that are notified when a shift starts or ends.',
    ),
    discord: teamChannels('The Discord channels that are notified when a shift starts or ends.'),
    outbound_webhook_ids: webhooks(
      'organization',
      'The outbound webhooks that are called when a shift starts or ends.',
    ),
  },
  'Who is notified of shifts in addition to the people themselves.',
);
export type OrganizationNotifications = Static<typeof organizationNotifications>;

/** Of one schedule: its Slack and Teams channels replace the organization's, its webhooks are added. */
export const scheduleNotifications = objectOf(
  {
    slack: teamChannels("The Slack channels that are notified instead of the organization's."),
    msteams: teamChannels(
      "The Microsoft Teams channels that are notified instead of the organization's.",
    ),
    outbound_webhook_ids: webhooks(
      'team',
      "The outbound webhooks that are called when a shift starts or ends, in addition to the organization's.",
    ),
  },
  'Who else is notified of one schedule’s shifts.',
);
/** As the API answers it. */
export const scheduleNotificationsOutput = objectOf(
  {
    oncall_schedule_id: id('The schedule that has these settings.'),
    ...scheduleNotifications.properties,
    archived_at: optional(instant('When the schedule was archived. Absent while it is active.')),
  },
  'Who else is notified of one schedule’s shifts.',
);
export type ScheduleNotifications = Static<typeof scheduleNotifications>;
export type TeamChannel = NonNullable<OrganizationNotifications['slack']>[number];

/** Rules that span the fields of a person's settings. */
export function personalProblems(settings: PersonalNotifications): readonly Problem[] {
  const { schedules = [] } = settings;
  const named = schedules.map(({ oncall_schedule_id }) => oncall_schedule_id);
  return repeated(named, (index) => `schedules[${index}].oncall_schedule_id`);
}

/** Rules that span the fields of the organization's or a schedule's settings; `at` is their path. */
export function teamProblems(settings: OrganizationNotifications, at = ''): readonly Problem[] {
  return chatChannels.flatMap((vendor) =>
    channelProblems(`${at}${vendor}`, settings[vendor] ?? []),
  );
}

function channelProblems(at: string, channels: readonly TeamChannel[]): readonly Problem[] {
  const addresses = channels.map(({ channel_id, webhook_url }) => channel_id ?? webhook_url);
  return [
    ...channels.flatMap(({ channel_id, webhook_url }, index) => {
      if ((channel_id === undefined) !== (webhook_url === undefined)) return [];
      const field = channel_id === undefined ? 'channel_id' : 'webhook_url';
      const message = 'requires exactly one of channel_id and webhook_url';
      return [{ path: `${at}[${index}].${field}`, message }];
    }),
    ...repeated(addresses, (index) => `${at}[${index}]`),
  ];
}

/** Each member that is in its list before. */
const repeated = (
  members: readonly unknown[],
  path: (index: number) => string,
): readonly Problem[] =>
  members.flatMap((member, index) =>
    member !== undefined && members.indexOf(member) < index
      ? [{ path: path(index), message: 'is already in the list' }]
      : [],
  );
