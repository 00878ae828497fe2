// A calendar of shifts: one event a shift, each under a name that edits and the passing of time
// leave alone, so that a calendar program moves an event instead of showing it twice.
import { later } from '../oncall/order.ts';
import { type History, scheduleAsOf } from '../oncall/revisions/history.ts';
import type { Interval, Shift } from '../oncall/schedule.ts';
import { shiftAt, shiftsIn } from '../oncall/shifts.ts';
import { clockIn } from '../resources/declaration/time-zone.ts';
import { type Component, icalendarOf, textValue, timeValue } from './icalendar.ts';
import { lineOf } from './words/wording.ts';

const PUBLISHED_EVERY = 'PT1H';

export type CalendarSchedule = {
  readonly id: string;
  readonly name: string;
  readonly timezone: string;
  readonly history: History;
  readonly created_at: Temporal.Instant;
  /** How many edits there were, and when it was last changed. */
  readonly edits: number;
  readonly changedAt: Temporal.Instant;
};

/** A shift with its name among all shifts of all schedules. */
export type Entry = {
  readonly uid: string;
  readonly schedule: CalendarSchedule;
  readonly shift: Shift;
};

export type Calendar = {
  readonly name: string;
  readonly timezone: string | null;
  /** Whether all entries are one person's, whose name then goes without saying. */
  readonly isPersonal: boolean;
  readonly entries: readonly Entry[];
  /** Names by user id. */
  readonly people: ReadonlyMap<string, string>;
  /** When each was last changed: a new name is in their events. */
  readonly peopleChangedAt: ReadonlyMap<string, Temporal.Instant>;
  /** Comments by override id. */
  readonly comments: ReadonlyMap<string, string>;
  readonly publicUrl: string;
};

/** What a calendar shows: a month back and half a year on, the same all through a day in UTC. */
export function calendarInterval(now: Temporal.Instant): Interval {
  const today = now.toZonedDateTimeISO('UTC').startOfDay();
  return {
    from: today.subtract({ months: 1 }).toInstant(),
    to: today.add({ months: 6 }).toInstant(),
  };
}

/** The whole shifts that touch the interval, soonest first. */
export function entriesOf(schedule: CalendarSchedule, interval: Interval): readonly Entry[] {
  const asOf = scheduleAsOf(schedule.history);
  const first = shiftAt(asOf, interval.from)?.start ?? interval.from;
  // Uids count the shifts of a day, so the day is read from its beginning.
  const from = clockIn(schedule.timezone, first).startOfDay().toInstant();
  const counts = new Map<string, number>();
  return shiftsIn(asOf, { from, to: interval.to }).flatMap((clipped) => {
    const isWhole = !clipped.start.equals(from) && !clipped.end.equals(interval.to);
    const shift = isWhole ? clipped : (shiftAt(asOf, clipped.start) ?? clipped);
    const uidBase = uidBaseOf(schedule, shift);
    const count = (counts.get(uidBase) ?? 0) + 1;
    counts.set(uidBase, count);
    const isIncluded = Temporal.Instant.compare(shift.end, interval.from) > 0 && hasSeconds(shift);
    return isIncluded ? [{ uid: `${uidBase}-${count}@pager`, schedule, shift }] : [];
  });
}

/** The id of the override that a shift is by; null when it is a layer's. */
function overrideOf({ layer, source }: Shift): string | null {
  return layer === 'override' ? (source.split('/')[1] ?? null) : null;
}

/** Of a layer's shift: on which day; of an override's: on which of the override's days. */
function uidBaseOf(schedule: CalendarSchedule, shift: Shift): string {
  const dateOf = (at: Temporal.Instant) => clockIn(schedule.timezone, at).toPlainDate();
  const date = dateOf(shift.start);
  const override = overrideOf(shift);
  if (override === null) return `${schedule.id}-${shift.source.split('/')[0]}-${date}`;
  const latest = schedule.history.overrides.findLast(({ id }) => id === override);
  return `${override}-${dateOf(latest?.start ?? shift.start).until(date).days}`;
}

/** The format has no fractions of seconds, and no events without length. */
const hasSeconds = ({ start, end }: Shift) => timeValue(start) !== timeValue(end);

/** The calendar as a file; the same text as long as nothing in it changes. */
export function calendarOf(calendar: Calendar): string {
  const name = textValue(lineOf(calendar.name));
  return icalendarOf({
    name: 'VCALENDAR',
    properties: {
      VERSION: '2.0',
      PRODID: '-//Pager//On-call calendar//EN',
      CALSCALE: 'GREGORIAN',
      METHOD: 'PUBLISH',
      NAME: name,
      'X-WR-CALNAME': name,
      ...(calendar.timezone !== null && { 'X-WR-TIMEZONE': textValue(calendar.timezone) }),
      'REFRESH-INTERVAL;VALUE=DURATION': PUBLISHED_EVERY,
      'X-PUBLISHED-TTL': PUBLISHED_EVERY,
    },
    components: calendar.entries.map((entry) => eventOf(entry, calendar)),
  });
}

function eventOf({ uid, schedule, shift }: Entry, calendar: Calendar): Component {
  const changedAt = later(
    schedule.changedAt,
    calendar.peopleChangedAt.get(shift.user_id) ?? schedule.changedAt,
  );
  const changed = timeValue(changedAt);
  return {
    name: 'VEVENT',
    properties: {
      UID: uid,
      // When it was last changed and not when it was requested: an unchanged file stays the same.
      DTSTAMP: changed,
      'LAST-MODIFIED': changed,
      SEQUENCE: String(sequenceOf(schedule, changedAt)),
      DTSTART: timeValue(shift.start),
      DTEND: timeValue(shift.end),
      SUMMARY: textValue(summaryOf(shift, schedule, calendar)),
      DESCRIPTION: textValue(descriptionOf(shift, calendar)),
      URL: `${calendar.publicUrl}/on-calls/${schedule.id}`,
      STATUS: 'CONFIRMED',
      TRANSP: 'TRANSPARENT',
    },
  };
}

/**
 * Higher with each change, whatever is changed: not every change is an edit, and an edit may give the
 * event to somebody who was changed less often.
 */
const sequenceOf = ({ edits, created_at }: CalendarSchedule, changedAt: Temporal.Instant): number =>
  edits + Math.max(0, Math.floor(changedAt.since(created_at).total('seconds')));

function summaryOf(shift: Shift, { name }: CalendarSchedule, calendar: Calendar): string {
  const { isPersonal, people } = calendar;
  const who = lineOf(people.get(shift.user_id) ?? '') || 'Someone';
  return isPersonal ? `On call: ${lineOf(name)}` : `${who} on call: ${lineOf(name)}`;
}

function descriptionOf(shift: Shift, { comments }: Calendar): string {
  if (shift.layer !== 'override') return `Layer ${shift.layer + 1}`;
  const comment = comments.get(overrideOf(shift) ?? '');
  return comment === undefined ? 'Override' : `Override: ${comment}`;
}
