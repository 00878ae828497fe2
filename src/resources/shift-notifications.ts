import type { Static } from 'typebox';
import { chatChannels, shiftChannels } from './channels.ts';
import { choice, id, listOf, name, objectOf, optional, secret, text } from './declaration/field.ts';
import type { Problem } from './declaration/resource.ts';

const channels = (doc: string) =>
  optional(
    listOf(choice(shiftChannels, { doc: 'A channel.' }), {
      doc,
      min: 0,
      max: shiftChannels.length,
    }),
  );

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

const teamChannels = (doc: string) =>
  optional(
    listOf(
      objectOf({
        channel_id: optional(text({ doc: 'The channel, as the vendor names it.', min: 1 })),
        webhook_url: optional(secret({ doc: 'An incoming webhook.', format: 'uri', max: 2_048 })),
        channel_name: optional(name('For people.')),
        mention: optional(text({ doc: 'Whom to ping.' })),
      }),
      { doc, min: 0, max: 50 },
    ),
  );

const webhooks = (within: 'team' | 'organization', doc: string) =>
  optional(
    listOf(id('An outbound webhook.', { to: 'outbound_webhook', within }), {
      doc,
      min: 0,
      max: 50,
    }),
  );

/** Of the organisation: for every schedule. 6.1 */
export const organizationNotifications = objectOf(
  {
    slack: teamChannels('Slack channels that are told of each start and end.'),
    msteams: teamChannels('Microsoft Teams channels that are told of each start and end.'),
    discord: teamChannels('Discord channels that are told of each start and end.'),
    outbound_webhook_ids: webhooks(
      'organization',
      'Outbound webhooks that are called at each start and end.',
    ),
  },
  'Who is told of shifts beside the people themselves.',
);
export type OrganizationNotifications = Static<typeof organizationNotifications>;

/** Of one schedule: its Slack and Teams channels stand for the organisation's, its webhooks are added. */
export const scheduleNotifications = objectOf(
  {
    slack: teamChannels("Slack channels that are told instead of the organisation's."),
    msteams: teamChannels("Microsoft Teams channels that are told instead of the organisation's."),
    outbound_webhook_ids: webhooks(
      'team',
      "Outbound webhooks that are called at each start and end, beside the organisation's.",
    ),
  },
  'Who else is told of the shifts of one schedule.',
);
export type ScheduleNotifications = Static<typeof scheduleNotifications>;
export type TeamChannel = NonNullable<OrganizationNotifications['slack']>[number];

/** Rules that span the fields of a person's settings. */
export function personalProblems(settings: PersonalNotifications): readonly Problem[] {
  const { schedules = [] } = settings;
  const named = schedules.map(({ oncall_schedule_id }) => oncall_schedule_id);
  return [
    ...repeatedChannels('', settings),
    ...schedules.flatMap((each, index) => repeatedChannels(`schedules[${index}].`, each)),
    ...repeated(named, (index) => `schedules[${index}].oncall_schedule_id`),
  ];
}

type Channels = Omit<PersonalNotifications, 'schedules'>;

const repeatedChannels = (at: string, wishes: Channels): readonly Problem[] =>
  (['shift_start', 'shift_end', 'shift_change'] as const).flatMap((event) =>
    repeated(wishes[event] ?? [], (index) => `${at}${event}[${index}]`),
  );

/** Rules that span the fields of the organisation's or a schedule's settings, which stand at `at`. */
export function teamProblems(settings: OrganizationNotifications, at = ''): readonly Problem[] {
  return [
    ...chatChannels.flatMap((vendor) => channelProblems(`${at}${vendor}`, settings[vendor] ?? [])),
    ...repeated(
      settings.outbound_webhook_ids ?? [],
      (index) => `${at}outbound_webhook_ids[${index}]`,
    ),
  ];
}

function channelProblems(at: string, channels: readonly TeamChannel[]): readonly Problem[] {
  const addresses = channels.map(({ channel_id, webhook_url }) => channel_id ?? webhook_url);
  return [
    ...channels.flatMap(({ channel_id, webhook_url }, index) => {
      if ((channel_id === undefined) !== (webhook_url === undefined)) return [];
      const field = channel_id === undefined ? 'channel_id' : 'webhook_url';
      const message = 'a channel takes exactly one of channel_id and webhook_url';
      return [{ path: `${at}[${index}].${field}`, message }];
    }),
    ...repeated(addresses, (index) => `${at}[${index}]`),
  ];
}

/** Each member that stands earlier in its list too. */
const repeated = (
  members: readonly unknown[],
  path: (index: number) => string,
): readonly Problem[] =>
  members.flatMap((member, index) =>
    member !== undefined && members.indexOf(member) < index
      ? [{ path: path(index), message: 'stands in the list already' }]
      : [],
  );
