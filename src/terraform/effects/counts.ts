// The effects of many changes, counted by kind of record. Where coverage is lost, and which layers
// are regenerated, is named for each record, however many there are.
import { displayName } from '../../resources/declaration/resource.ts';
import { oncallSchedule } from '../../resources/oncall-schedule.ts';
import { namesText } from '../../resources/plural.ts';
import {
  type ChangeEffects,
  type Effect,
  losesCoverage,
  type Notified,
  nobody,
  type Period,
  rankOf,
  type ScheduleEffects,
} from './change-effects.ts';

/** Of other lists, as many are written out. */
const NAMED = 10;

/** Paragraphs, of which each may be long. */
export function countedEffects(changes: readonly ChangeEffects[]): readonly string[] {
  const kinds = [...new Set(changes.map(({ kind }) => kind))];
  return [
    ...lossesText(changes),
    ...kinds.map((kind) =>
      kindText(
        kind,
        changes.filter((one) => one.kind === kind),
      ),
    ),
    ...layersText(changes),
  ];
}

function lossesText(changes: readonly ChangeEffects[]): readonly string[] {
  const lost = changes.filter(losesCoverage);
  if (lost.length === 0) return [];
  return [`Coverage is lost in ${lost.length}: ${lost.map(lossText).join('; ')}.`];
}

function lossText(change: ChangeEffects): string {
  const { kind, name, effects, schedules } = change;
  const reasons = [
    ...schedules.flatMap((schedule) =>
      gapText(schedule, schedules.length > 1 ? schedule.name : ''),
    ),
    ...['pages_stop', 'step_reaches_nobody']
      .filter((code) => effects.some((one) => one.code === code))
      .map((code) => words[code] ?? code),
  ];
  const record = `${displayName(kind)} ${JSON.stringify(name)}`;
  return reasons.length > 0 ? `${record} (${listText(reasons)})` : record;
}

function gapText(schedule: ScheduleEffects, name: string): readonly string[] {
  const { gaps, gapsCount, onCall, timezone } = schedule;
  const [first] = gaps;
  const more = gapsCount > 1 ? ` and in ${gapsCount - 1} more gaps` : '';
  const text =
    first !== undefined
      ? `nobody on call ${periodText(first, timezone)}${more}`
      : onCall?.after === nobody && 'nobody on call from now on';
  return text ? [name === '' ? text : `${name}: ${text}`] : [];
}

function periodText({ from, to }: Period, timeZone: string): string {
  const format = formatIn(timeZone);
  const start = format.format(Date.parse(from));
  return to === null ? `from ${start} on` : `${start} to ${format.format(Date.parse(to))}`;
}

function formatIn(timeZone: string): Intl.DateTimeFormat {
  const date = { weekday: 'short', month: 'short', day: 'numeric' } as const;
  const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  try {
    return new Intl.DateTimeFormat('en-US', { ...date, ...time, timeZone });
  } catch {
    // The server may know a newer one.
    return new Intl.DateTimeFormat('en-US', { ...date, ...time, timeZone: 'UTC' });
  }
}

/** "50 on-call schedules: 48 unchanged for people; 3 shifts move (Ada L to Grace L)." */
function kindText(kind: string, changes: readonly ChangeEffects[]): string {
  const ranked = changes
    .flatMap(({ effects }) => effects)
    .toSorted((one, other) => rankOf(one) - rankOf(other));
  const present = new Set(ranked.map(({ code }) => code));
  const unchanged = changes.filter(isUnchangedForPeople).length;
  const unknown = changes.filter((one) => one.unknown !== undefined).length;
  const parts = [
    ...(kind === oncallSchedule.name && unchanged > 0 ? [`${unchanged} unchanged for people`] : []),
    // Named in full below.
    ...[...present]
      .filter((code) => code !== 'layer_regenerated')
      .map((code) => codeText(code, changes)),
    ...(unknown > 0 ? [`effects unknown (${unknown})`] : []),
  ];
  return `${changes.length} ${pluralOf(kind, changes.length)}: ${parts.join('; ')}.`;
}

const isUnchangedForPeople = ({ effects, unknown }: ChangeEffects): boolean =>
  unknown === undefined && effects.every(isForNobody);

/** Who is on call when stays, and nobody is notified of it. */
export const isForNobody = ({ code }: Effect): boolean =>
  code === 'layer_regenerated' || code === 'layer_removed' || code === 'layer_loses';

const words: Readonly<Record<string, string>> = {
  gap: 'nobody on call',
  pages_stop: 'events page nobody',
  pages_move: 'events page someone else',
  step_reaches_nobody: 'steps reach nobody',
  on_call_changes: 'on call now changes',
  layer_starts: 'layers start at once',
  layer_loses: 'layers lose settings',
  layer_removed: 'layers removed',
  shifts_move: 'shifts move',
  no_shift: 'people without shifts',
  notified: 'people notified',
  still_used: 'still used',
  replaced: 'replaced in another team',
  secret_rotated: 'secrets rotated',
  settings_overwritten: 'settings replaced',
  settings_returned: 'settings return to defaults',
};

/** What a newer server adds is counted by its own name. */
function codeText(code: string, changes: readonly ChangeEffects[]): string {
  const schedules = changes.flatMap((one) => one.schedules);
  const special = (specials[code] ?? (() => ''))(schedules);
  const count = changes.filter(({ effects }) => effects.some((one) => one.code === code)).length;
  return special || `${words[code] ?? code.replaceAll('_', ' ')} (${count})`;
}

const specials: Readonly<Record<string, (schedules: readonly ScheduleEffects[]) => string>> = {
  on_call_changes: onCallText,
  shifts_move: movesText,
  notified: notifiedText,
};

function onCallText(schedules: readonly ScheduleEffects[]): string {
  const texts = schedules.flatMap(({ name, onCall }) =>
    onCall ? [`${name}: ${onCall.before} to ${onCall.after}`] : [],
  );
  return texts.length > 0 ? `on call now changes in ${texts.length} (${listText(texts)})` : '';
}

function movesText(schedules: readonly ScheduleEffects[]): string {
  const count = schedules.reduce((sum, { movesCount }) => sum + movesCount, 0);
  if (count === 0) return '';
  const moves = schedules.flatMap(({ moves }) => moves);
  const pairs = new Set(moves.map(({ before, after }) => `${before} to ${after}`));
  return `${count} ${count === 1 ? 'shift moves' : 'shifts move'} (${listText([...pairs])})`;
}

function notifiedText(schedules: readonly ScheduleEffects[]): string {
  const people = peopleIn(schedules);
  const reached = people.filter(({ isReached }) => isReached);
  const failing = people.filter(({ isReached }) => !isReached);
  const stay = peopleIn(schedules.filter(hoursStay)).filter(({ isReached }) => isReached);
  const cut = schedules.some(({ noticesAreCut }) => noticesAreCut) ? 'at least ' : '';
  const texts = [
    ...(reached.length > 0 ? [`${cut}${peopleText(reached)} notified`] : []),
    ...(stay.length > 0
      ? [`${peopleText(stay)} notified of a new shift although their hours stay`]
      : []),
    ...(failing.length > 0 ? [`${peopleText(failing)} cannot be notified`] : []),
  ];
  return texts.join('; ');
}

/** Whom a regenerated shift is announced to as a new one. */
const hoursStay = ({ isNew, onCall, movesCount, gapsCount }: ScheduleEffects): boolean =>
  !isNew && onCall === null && movesCount === 0 && gapsCount === 0;

function peopleIn(schedules: readonly ScheduleEffects[]): readonly Notified[] {
  const people = new Map<string, Notified>();
  for (const one of schedules.flatMap(({ notified }) => notified)) {
    const isReached = one.isReached || people.get(one.id)?.isReached === true;
    people.set(one.id, { ...one, isReached });
  }
  return [...people.values()];
}

const peopleText = (people: readonly Notified[]): string =>
  `${people.length} ${people.length === 1 ? 'person' : 'people'} (${listText(people.map(({ name }) => name))})`;

/** [spec 2.6.2] Every one of them. */
function layersText(changes: readonly ChangeEffects[]): readonly string[] {
  const texts = changes
    .filter(({ layers }) => layers.length > 0)
    .toSorted((one, other) => one.name.localeCompare(other.name, 'en', { numeric: true }))
    .map(({ name, layers }) => `${name} ${layers.join(', ')}`);
  return texts.length > 0 ? [`Regenerated layers: ${texts.join('; ')}.`] : [];
}

const listText = (texts: readonly string[]): string =>
  namesText(texts.slice(0, NAMED), texts.length - NAMED);

function pluralOf(kind: string, count: number): string {
  const name = displayName(kind);
  if (count === 1 || name.endsWith('s')) return name;
  return name.endsWith('y') ? `${name.slice(0, -1)}ies` : `${name}s`;
}
