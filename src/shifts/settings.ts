import type { Static } from 'typebox';
import { choice, id, listOf, name, objectOf, optional, text } from '../resources/field.ts';

const personalChannels = ['phone', 'sms', 'whatsapp', 'telegram', 'email'] as const;

const channels = (doc: string) =>
  optional(listOf(choice(personalChannels, { doc: 'A channel.' }), { doc, min: 0, max: 5 }));

const personal = {
  shift_start: channels('How you are told that your shift starts; e-mail when absent.'),
  shift_end: channels('How you are told that your shift has ended; not at all when absent.'),
  shift_change: channels('How you are told that an edit moved your shifts; e-mail when absent.'),
};

/** What one person wants to be told of shifts; an absent event is told as by default. 6.1 */
export const personalNotifications = objectOf(
  {
    ...personal,
    schedules: optional(
      listOf(
        objectOf({
          oncall_schedule_id: id('The schedule.', {
            to: 'oncall_schedule',
            within: 'organization',
          }),
          ...personal,
        }),
        {
          doc: 'Other wishes for single schedules; an absent event is as above.',
          min: 0,
          max: 500,
        },
      ),
    ),
  },
  'How a person is told of shifts.',
);
export type PersonalNotifications = Static<typeof personalNotifications>;

const teamChannels = (vendor: string) =>
  optional(
    listOf(
      objectOf({
        channel_id: optional(text({ doc: 'The channel, as the vendor names it.', min: 1 })),
        webhook_url: optional(
          text({ doc: 'An incoming webhook.', format: 'uri', max: 2_048, sensitive: true }),
        ),
        channel_name: optional(name('For people.')),
        mention: optional(text({ doc: 'Whom to ping.' })),
      }),
      { doc: `Channels of ${vendor} that are told of each start and end.`, min: 0, max: 50 },
    ),
  );

const webhooks = optional(
  listOf(id('An outbound webhook.', { to: 'outbound_webhook', within: 'organization' }), {
    doc: 'Outbound webhooks that are called at each start and end.',
    min: 0,
    max: 50,
  }),
);

/** Of the organisation: for every schedule. 6.1 */
export const organizationNotifications = objectOf(
  {
    slack: teamChannels('Slack'),
    msteams: teamChannels('Microsoft Teams'),
    discord: teamChannels('Discord'),
    outbound_webhook_ids: webhooks,
  },
  'Who is told of shifts beside the people themselves.',
);
export type OrganizationNotifications = Static<typeof organizationNotifications>;

/** Of one schedule: its Slack and Teams channels stand for the organisation's, its webhooks are added. */
export const scheduleNotifications = objectOf(
  {
    slack: teamChannels('Slack'),
    msteams: teamChannels('Microsoft Teams'),
    outbound_webhook_ids: webhooks,
  },
  'Who else is told of the shifts of one schedule.',
);
export type ScheduleNotifications = Static<typeof scheduleNotifications>;
export type TeamChannel = NonNullable<OrganizationNotifications['slack']>[number];
