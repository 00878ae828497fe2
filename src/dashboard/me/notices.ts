// Which notices of shifts a person wants: the general choice, and that of single schedules.
import type { PersonalChannel } from '../ui/channel.ts';

export const events = ['shift_start', 'shift_end', 'shift_change'] as const;
export type NoticeEvent = (typeof events)[number];
type Wishes = Readonly<Partial<Record<NoticeEvent, readonly PersonalChannel[]>>>;
type OfSchedule = Wishes & { readonly oncall_schedule_id: string };
/** As the API has them: an absent event has its default, or on a schedule the general choice. */
export type NoticeSettings = Wishes & { readonly schedules?: readonly OfSchedule[] };

const defaults: Required<Wishes> = {
  shift_start: ['email'],
  shift_end: [],
  shift_change: ['email'],
};

/** The channels by which somebody is notified; of a schedule, or in general. */
export function channelsOf(
  settings: NoticeSettings,
  event: NoticeEvent,
  scheduleId: string | null = null,
): readonly PersonalChannel[] {
  const own = settings.schedules?.find((each) => each.oncall_schedule_id === scheduleId);
  return own?.[event] ?? settings[event] ?? defaults[event];
}

export const hasOwn = ({ schedules = [] }: NoticeSettings, scheduleId: string): boolean =>
  schedules.some((each) => each.oncall_schedule_id === scheduleId);

/** A schedule's own choice begins as the general one is. */
export function withOwn(settings: NoticeSettings, scheduleId: string): NoticeSettings {
  const own = Object.fromEntries(events.map((event) => [event, channelsOf(settings, event)]));
  const { schedules = [] } = settings;
  return { ...settings, schedules: [...schedules, { oncall_schedule_id: scheduleId, ...own }] };
}

export const asAbove = (settings: NoticeSettings, scheduleId: string): NoticeSettings => ({
  ...settings,
  schedules: (settings.schedules ?? []).filter((each) => each.oncall_schedule_id !== scheduleId),
});

type Choice = {
  readonly scheduleId: string | null;
  readonly event: NoticeEvent;
  readonly channel: PersonalChannel;
};

export function toggled(settings: NoticeSettings, choice: Choice): NoticeSettings {
  const { scheduleId, event, channel } = choice;
  const now = channelsOf(settings, event, scheduleId);
  const next = now.includes(channel) ? now.filter((one) => one !== channel) : [...now, channel];
  if (scheduleId === null) return { ...settings, [event]: next };
  const schedules = (settings.schedules ?? []).map((each) =>
    each.oncall_schedule_id === scheduleId ? { ...each, [event]: next } : each,
  );
  return { ...settings, schedules };
}
