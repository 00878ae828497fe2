// Whom the edges of shifts, and edits that moved them, are told to: people as they wish, the chat
// channels and webhooks of the organisation and of the schedule.
import { type Person, type Reach, reachChat, reachPerson } from '../incidents/directory.ts';
import { chatChannels } from '../resources/escalation-policy.ts';
import { isAnnounced, type Looked, movesDays, type ShiftEvent } from './look.ts';
import type { Member, ShiftIntent, ShiftNoticeKind, ShiftStory } from './notice.ts';
import type {
  OrganizationNotifications,
  PersonalNotifications,
  ScheduleNotifications,
} from './settings.ts';

export type ShiftPerson = Person & Member & { readonly settings: PersonalNotifications };

/** What is known of people, settings and ways out when shifts are announced. */
export type Audience = {
  readonly people: ReadonlyMap<string, ShiftPerson>;
  readonly organizations: ReadonlyMap<string, OrganizationNotifications>;
  readonly schedules: ReadonlyMap<string, ScheduleNotifications>;
  readonly webhooks: ReadonlyMap<string, { readonly name: string; readonly archived: boolean }>;
  /** Channels that are set up on this installation. */
  readonly channels: ReadonlySet<string>;
};

export type AnnouncedSchedule = ShiftStory['schedule'] & { readonly organization_id: string };

type Told = {
  readonly kind: ShiftNoticeKind;
  /** How the keys of its notices begin. */
  readonly about: string;
  readonly story: ShiftStory;
};
type Announcing = { readonly schedule: AnnouncedSchedule; readonly audience: Audience };
type To = Pick<ShiftIntent, 'user_id' | 'why'> & { readonly target: string };

const changesMax = 20;
const byDefault: Readonly<Record<ShiftNoticeKind, readonly string[]>> = {
  shift_start: ['email'],
  shift_end: [],
  shift_change: ['email'],
};

/** Every notice that a look at a schedule gives rise to; those that cannot go out say why. */
export function announce(
  looked: Looked,
  schedule: AnnouncedSchedule,
  audience: Audience,
): readonly ShiftIntent[] {
  const announcing = { schedule, audience };
  const events = looked.events.filter(isAnnounced);
  return [
    ...events.flatMap((event) => eventIntents(event, events, announcing)),
    ...changeIntents(looked, announcing),
  ];
}

function eventIntents(
  event: ShiftEvent,
  events: readonly ShiftEvent[],
  announcing: Announcing,
): readonly ShiftIntent[] {
  const { id, user_id, start, end } = event.shift;
  const user = announcing.audience.people.get(user_id);
  if (!user) return [];
  const told: Told = {
    kind: `shift_${event.type}`,
    about: `shift/${id}/${event.type}`,
    story: {
      ...storyOf(user, announcing),
      shift: { id, start, end },
      other: otherAt(event, events, announcing),
    },
  };
  return [
    ...personal(told, user, { announcing, why: 'Your settings for shift notifications' }),
    ...chats(told, announcing),
    ...webhooks(told, announcing),
  ];
}

/** At a handoff, who is at its other side. */
function otherAt(
  event: ShiftEvent,
  events: readonly ShiftEvent[],
  { audience }: Announcing,
): string | null {
  const other = events.find(
    ({ type, at, shift }) =>
      type !== event.type && at.equals(event.at) && shift.user_id !== event.shift.user_id,
  );
  return (other && audience.people.get(other.shift.user_id)?.name) ?? null;
}

/** Only the person is told: who else watches the schedule hears of its shifts as they begin. */
function changeIntents(looked: Looked, announcing: Announcing): readonly ShiftIntent[] {
  const { schedule, audience } = announcing;
  return [...looked.moves].flatMap(([userId, moves]) => {
    const user = audience.people.get(userId);
    if (!user) return [];
    const changes = moves.slice(0, changesMax);
    const some =
      moves.length > changesMax ? `; these are the first ${changesMax} of ${moves.length}` : '';
    const told: Told = {
      kind: 'shift_change',
      about: `shift/${schedule.id}/change-${looked.watch.edits}`,
      story: { ...storyOf(user, announcing), ...takenOff(userId, looked, audience), changes },
    };
    const why = `An edit moved your shifts of the next ${movesDays} days${some}`;
    return personal(told, user, { announcing, why });
  });
}

/** Whose running shift ended because others have its rest. */
function takenOff(
  userId: string,
  { watch, events, moves }: Looked,
  { people }: Audience,
): Pick<ShiftStory, 'taken_off' | 'other'> {
  const lost = moves
    .get(userId)
    ?.some(
      ({ type, start }) => type === 'lost' && Temporal.Instant.compare(start, watch.looked_at) <= 0,
    );
  const ended = events
    .filter(isAnnounced)
    .some(({ type, shift }) => type === 'end' && shift.user_id === userId);
  if (!lost || !ended) return { taken_off: false, other: null };
  const { user_id: current = '' } = watch.running ?? {};
  return { taken_off: true, other: people.get(current)?.name ?? null };
}

function storyOf(user: ShiftPerson, { schedule }: Announcing): ShiftStory {
  const { id, first_name, last_name, email } = user;
  return {
    schedule: { id: schedule.id, name: schedule.name, timezone: schedule.timezone },
    user: { id, first_name, last_name, email },
    ...{ shift: null, taken_off: false, other: null, changes: [] },
  };
}

function personal(
  told: Told,
  user: ShiftPerson,
  { announcing, why }: { readonly announcing: Announcing; readonly why: string },
): readonly ShiftIntent[] {
  const { schedule, audience } = announcing;
  const to = { user_id: user.id, target: user.id, why };
  return channelsOf(user.settings, told.kind, schedule.id).map((via) =>
    intentOf(told, reachPerson(user.id, via, audience), to),
  );
}

/** What is said of the schedule itself goes before what is said of all. */
function channelsOf(
  settings: PersonalNotifications,
  kind: ShiftNoticeKind,
  scheduleId: string,
): readonly string[] {
  const own = settings.schedules?.find((one) => one.oncall_schedule_id === scheduleId);
  return own?.[kind] ?? settings[kind] ?? byDefault[kind];
}

/** A list of the schedule, even an empty one, stands for the organisation's. */
function chats(told: Told, { schedule, audience }: Announcing): readonly ShiftIntent[] {
  const ofSchedule: OrganizationNotifications = audience.schedules.get(schedule.id) ?? {};
  const ofAll = audience.organizations.get(schedule.organization_id) ?? {};
  return chatChannels.flatMap((via) => {
    const own = ofSchedule[via];
    const why = `Shift notifications of the ${own ? `schedule ${schedule.name}` : 'organization'}`;
    return (own ?? ofAll[via] ?? []).map((channel, place) =>
      // Its place tells it apart: one that is not set up has no address.
      intentOf(told, reachChat({ via, ...channel }, audience), {
        user_id: null,
        target: `${place}`,
        why,
      }),
    );
  });
}

function webhooks(told: Told, { schedule, audience }: Announcing): readonly ShiftIntent[] {
  const lists = [
    audience.schedules.get(schedule.id),
    audience.organizations.get(schedule.organization_id),
  ];
  const ids = new Set(lists.flatMap((list) => list?.outbound_webhook_ids ?? []));
  const why = 'Shift notifications by webhook';
  return [...ids].map((id) =>
    intentOf(told, reachWebhook(id, audience), { user_id: null, target: id, why }),
  );
}

function reachWebhook(id: string, { webhooks }: Audience): Reach {
  const webhook = webhooks.get(id);
  const meant = { channel: 'webhook', name: webhook?.name ?? id, personId: null, duty: null };
  const missed = (reason: string): Reach => ({ ...meant, reached: false, reason });
  if (!webhook) return missed('there is no such webhook');
  if (webhook.archived) return missed('the webhook is archived');
  return { ...meant, reached: true, address: id, mention: null };
}

const intentOf = (told: Told, reach: Reach, to: To): ShiftIntent => ({
  key: `${told.about}/${reach.channel}/${to.target}`,
  kind: told.kind,
  channel: reach.channel,
  address: reach.reached ? reach.address : '',
  user_id: to.user_id,
  recipient: reach.name,
  mention: reach.reached ? reach.mention : null,
  why: to.why,
  skipped: reach.reached ? null : reach.reason,
  story: told.story,
});
