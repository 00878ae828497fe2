import type { Move } from '../../oncall/schedule.ts';
import { clockIn } from '../../resources/declaration/time-zone.ts';
import type { Member, ShiftStory } from '../../shifts/notice.ts';
import type { ShiftNotice } from '../notice.ts';
import { wallTime } from './times.ts';
import { type Fact, factsOf, lineOf, phraseOf, safeLink, type Words } from './wording.ts';

export function shiftWords(notice: ShiftNotice): Words {
  const { kind, story, organization } = notice;
  const { schedule, shift, other, changes } = story;
  return {
    tone: kind === 'shift_change' ? 'warning' : 'news',
    lead: leadOf(notice),
    label: '',
    title: lineOf(schedule.name) || 'Untitled schedule',
    facts: factsOf(
      shift ? shiftFacts(notice, shift) : [{ name: 'On call now', value: other ?? '' }],
    ),
    details: changesText(changes, schedule.timezone),
    actions: safeLink(notice.url, 'Open schedule'),
    links: [],
    why: phraseOf(notice.why),
    organization: phraseOf(organization.name),
    url: safeLink(notice.url)[0]?.href,
    at: kind === 'shift_end' ? shift?.end : shift?.start,
  };
}

/** On the schedule's clock, as `Sat 2026-11-28 09:00`; null where it is not known. */
export function shiftEnd({ story: { schedule, shift } }: ShiftNotice): string | null {
  return shift && wallTime(clockIn(schedule.timezone, shift.end));
}

function leadOf({ kind, isPersonal, story: { user, taken_off } }: ShiftNotice): string {
  switch (kind) {
    case 'shift_start':
      return isPersonal ? 'You are on call now' : `${nameOf(user)} is on call now`;
    case 'shift_end':
      return isPersonal ? 'Your shift has ended' : `${nameOf(user)}’s shift has ended`;
    case 'shift_change':
      if (isPersonal && taken_off) return 'You are no longer on call';
      return isPersonal ? 'Your shifts have changed' : `${nameOf(user)}’s shifts have changed`;
  }
}

function nameOf({ first_name, last_name, email }: Member): string {
  return phraseOf(`${first_name} ${last_name}`) || phraseOf(email);
}

function shiftFacts(
  { kind, story: { schedule, other } }: ShiftNotice,
  shift: NonNullable<ShiftStory['shift']>,
): readonly Fact[] {
  const handoff = kind === 'shift_start' ? 'Taken over from' : 'Handed over to';
  return [
    { name: 'From', value: timeIn(schedule.timezone, [shift.start]) },
    { name: 'Until', value: timeIn(schedule.timezone, [shift.end]) },
    { name: handoff, value: other ?? '' },
  ];
}

/** One line for each stretch that was gained or lost, with its end where that is known. */
function changesText(changes: readonly Move[], timezone: string): string {
  return changes
    .map(({ type, start, end }) => {
      const does = type === 'gained' ? 'Added' : 'Removed';
      const span = end ? timeIn(timezone, [start, end]) : `starting ${timeIn(timezone, [start])}`;
      return `${does}: ${span}`;
    })
    .join('\n');
}

/** An instant, or a span, on the schedule's clock and in UTC, each with its zone. */
function timeIn(timezone: string, instants: readonly Temporal.Instant[]): string {
  const on = (zone: string) => instants.map((at) => clockIn(zone, at));
  const [local, utc] = [on(timezone), on('UTC')];
  const written = local.map(wallTime).join(' to ');
  if (local[0] && utc[0] && local[0].equals(utc[0])) return `${written} UTC`;
  return `${written} ${lineOf(timezone)} (${utc.map(wallTime).join(' to ')} UTC)`;
}
