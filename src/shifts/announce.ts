// Who is notified of the starts and ends of shifts, and of edits that moved them: people as their
// settings say, the chat channels and webhooks of the organisation and of the schedule.
import {
  type Configuration,
  type Person,
  personIn,
  rotaIn,
  webhookIn,
} from '../incidents/configuration.ts';
import {
  destinationOf,
  type Reach,
  reachChat,
  reachPerson,
} from '../incidents/target-recipients.ts';
import { incidentsLimits } from '../limits/incidents.ts';
import { chatChannels, signInChannel } from '../resources/channels.ts';
import type {
  OrganizationNotifications,
  PersonalNotifications,
} from '../resources/shift-notifications.ts';
import { type Advance, isAnnounced, type ShiftEvent } from './advance.ts';
import type { ShiftIntent, ShiftNoticeKind, ShiftStory } from './notice.ts';

export type AnnouncedSchedule = ShiftStory['schedule'] & { readonly organization_id: string };

type Announcement = {
  readonly kind: ShiftNoticeKind;
  /** How the keys of its notices begin. */
  readonly about: string;
  readonly story: ShiftStory;
};
type Announcing = { readonly schedule: AnnouncedSchedule; readonly configuration: Configuration };
type Destination = Pick<ShiftIntent, 'user_id' | 'why'> & { readonly target: string };

/** The channels of an event for which a person has no setting. */
export const byDefault: Readonly<Record<ShiftNoticeKind, readonly string[]>> = {
  shift_start: [signInChannel],
  shift_end: [],
  shift_change: [signInChannel],
};

/** All notices that an advance of a schedule leads to; those that cannot be sent have the reason. */
export function announce(
  advance: Advance,
  schedule: AnnouncedSchedule,
  configuration: Configuration,
): readonly ShiftIntent[] {
  const announcing = { schedule, configuration };
  const events = advance.events.filter(isAnnounced);
  return [
    ...events.flatMap((event) => eventIntents(event, events, announcing)),
    ...changeIntents(advance, announcing),
  ];
}

function eventIntents(
  event: ShiftEvent,
  events: readonly ShiftEvent[],
  announcing: Announcing,
): readonly ShiftIntent[] {
  const { id, user_id, start, end } = event.shift;
  const user = personIn(announcing.configuration, user_id);
  const announcement: Announcement = {
    kind: `shift_${event.type}`,
    about: `shift/${id}/${event.type}`,
    story: {
      ...storyOf(user, announcing),
      shift: { id, start, end },
      other: otherAt(event, events, announcing),
    },
  };
  return [
    ...personal(announcement, user, { announcing, why: 'Your shift notification settings' }),
    ...chats(announcement, announcing),
    ...webhooks(announcement, announcing),
  ];
}

/** At a handoff, who is at its other side. */
function otherAt(
  event: ShiftEvent,
  events: readonly ShiftEvent[],
  { configuration }: Announcing,
): string | null {
  const other = events.find(
    ({ type, at, shift }) =>
      type !== event.type && at.equals(event.at) && shift.user_id !== event.shift.user_id,
  );
  return other ? personIn(configuration, other.shift.user_id).name : null;
}

/** Only the person is notified: chats and webhooks are notified of shifts as they begin. */
function changeIntents(advance: Advance, announcing: Announcing): readonly ShiftIntent[] {
  const { schedule, configuration } = announcing;
  return [...advance.moves].flatMap(([userId, moves]) => {
    const user = personIn(configuration, userId);
    const changes = moves.slice(0, incidentsLimits.shiftChanges);
    const some =
      moves.length > incidentsLimits.shiftChanges
        ? `; these are the first ${incidentsLimits.shiftChanges} of ${moves.length}`
        : '';
    const announcement: Announcement = {
      kind: 'shift_change',
      about: `shift/${schedule.id}/change-${advance.cursor.edits}`,
      story: {
        ...storyOf(user, announcing),
        ...takenOffCall(userId, advance, configuration),
        changes,
      },
    };
    const why = `An edit moved your shifts in the next ${incidentsLimits.shiftsMovedDays} days${some}`;
    return personal(announcement, user, { announcing, why });
  });
}

/** Whose running shift ended because others have its rest. */
function takenOffCall(
  userId: string,
  { cursor, events, moves }: Advance,
  configuration: Configuration,
): Pick<ShiftStory, 'taken_off' | 'other'> {
  const lost = moves
    .get(userId)
    ?.some(
      ({ type, start }) =>
        type === 'lost' && Temporal.Instant.compare(start, cursor.advanced_to) <= 0,
    );
  const ended = events
    .filter(isAnnounced)
    .some(({ type, shift }) => type === 'end' && shift.user_id === userId);
  if (!lost || !ended) return { taken_off: false, other: null };
  const { running } = cursor;
  return { taken_off: true, other: running && personIn(configuration, running.user_id).name };
}

function storyOf(user: Person, { schedule }: Announcing): ShiftStory {
  const { id, first_name, last_name, email } = user;
  return {
    schedule: { id: schedule.id, name: schedule.name, timezone: schedule.timezone },
    user: { id, first_name, last_name, email },
    shift: null,
    taken_off: false,
    other: null,
    changes: [],
  };
}

function personal(
  announcement: Announcement,
  user: Person,
  { announcing, why }: { readonly announcing: Announcing; readonly why: string },
): readonly ShiftIntent[] {
  const { schedule, configuration } = announcing;
  const to = { user_id: user.id, target: user.id, why };
  return channelsOf(user.notifications, announcement.kind, schedule.id).map((via) =>
    intentOf(announcement, reachPerson(user.id, via, configuration), to),
  );
}

/** A setting for the schedule goes before the one for all schedules. */
export function channelsOf(
  settings: PersonalNotifications,
  kind: ShiftNoticeKind,
  scheduleId: string,
): readonly string[] {
  const own = settings.schedules?.find((one) => one.oncall_schedule_id === scheduleId);
  return own?.[kind] ?? settings[kind] ?? byDefault[kind];
}

/** A list of the schedule, even an empty one, replaces the organisation's. */
function chats(
  announcement: Announcement,
  { schedule, configuration }: Announcing,
): readonly ShiftIntent[] {
  const ofSchedule: OrganizationNotifications = rotaIn(configuration, schedule.id).notifications;
  const ofAll = configuration.notifications;
  return chatChannels.flatMap((via) => {
    const own = ofSchedule[via];
    const why = `Shift notifications of the ${own ? `schedule ${schedule.name}` : 'organization'}`;
    return (own ?? ofAll[via] ?? []).map((channel, index) =>
      // The key has its index: a channel that is not set up has no address.
      intentOf(announcement, reachChat({ via, ...channel }, configuration), {
        user_id: null,
        target: `${index}`,
        why,
      }),
    );
  });
}

function webhooks(
  announcement: Announcement,
  { schedule, configuration }: Announcing,
): readonly ShiftIntent[] {
  const lists = [rotaIn(configuration, schedule.id).notifications, configuration.notifications];
  const ids = new Set(lists.flatMap((list) => list.outbound_webhook_ids ?? []));
  const why = 'Shift notifications by webhook';
  return [...ids].map((id) =>
    intentOf(announcement, reachWebhook(id, configuration), { user_id: null, target: id, why }),
  );
}

function reachWebhook(id: string, configuration: Configuration): Reach {
  const { name, archived } = webhookIn(configuration, id);
  const target = { channel: 'webhook', name, personId: null, duty: null };
  if (archived) return { ...target, reached: false, reason: 'the webhook is archived' };
  return { ...target, reached: true, address: id, mention: null };
}

function intentOf(announcement: Announcement, reach: Reach, to: Destination): ShiftIntent {
  const destination = destinationOf(reach);
  const reason = reach.reached ? null : reach.reason;
  return {
    key: `${announcement.about}/${reach.channel}/${to.target}`,
    kind: announcement.kind,
    channel: reach.channel,
    address: destination?.address ?? '',
    user_id: to.user_id,
    recipient: reach.name,
    mention: destination?.mention ?? null,
    why: to.why,
    skipped: destination === null ? reason : null,
    ...(destination !== null && reason !== null && { written: reason }),
    story: announcement.story,
  };
}
