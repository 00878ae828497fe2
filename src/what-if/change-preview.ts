// What saving or archiving a schedule or a policy changes: who is on call, when nobody is, which
// shifts move, and which steps reach nobody.
import type { Configuration, Rota } from '../incidents/configuration.ts';
import { incidentsLimits } from '../limits/incidents.ts';
import { queryLimits } from '../limits/queries.ts';
import { yearsAfter } from '../oncall/effort.ts';
import { type Stretch, timelineOf } from '../oncall/layer-precedence.ts';
import { onCallAt } from '../oncall/on-call.ts';
import { type Change, changesIn, withinAndBeyond } from '../oncall/revisions/moves.ts';
import { outside } from '../oncall/spans.ts';
import { endFrom } from '../oncall/wholes.ts';
import { instantOf } from '../oncall/zone.ts';
import type { Advance } from '../shifts/advance.ts';
import { advanceByEdit } from './announced-edit.ts';
import type { ChangeSides } from './change-sides.ts';
import { cover, notSearched, searchedYears, YEARS } from './coverage.ts';
import { idleWarnings, nameOf, timezoneOf, troubleOf, warningsOf } from './coverage-words.ts';
import { movesText, onCallText } from './moves-words.ts';
import { openDayNotes } from './open-day-notes.ts';
import { type PageChange, pageChanges, pageMessages } from './paging-changes.ts';
import { type UnreachableStep, unreachableSteps } from './unreachable-steps.ts';

export type PreviewWarning = {
  readonly code:
    | 'on_call_changes'
    | 'gap'
    | 'no_shift'
    | 'shifts_move'
    | 'step_reaches_nobody'
    | 'notified'
    | 'still_used'
    | 'pages_move'
    | 'pages_stop'
    | 'channel_lost';
  readonly path: string | null;
  readonly message: string;
};

/** Nobody, or one person. */
type OnCallNames = readonly { readonly id: string; readonly name: string }[];

/** Of the lists, the first entries, with the number of all. */
export type ScheduleEffects = {
  readonly warnings: readonly PreviewWarning[];
  readonly onCall: {
    readonly at: Temporal.Instant;
    readonly before: OnCallNames | null;
    readonly after: OnCallNames;
  } | null;
  /** The end of the last one is null if it lasts to the end of what was searched. */
  readonly gaps: readonly Period[];
  readonly gapsCount: number;
  readonly movedShifts: readonly (Period & {
    readonly before: OnCallNames;
    readonly after: OnCallNames;
  })[];
  readonly movedShiftsCount: number;
  /** What is announced at once; null: nothing. */
  readonly advance: Advance | null;
};

type Period = { readonly from: Temporal.Instant; readonly to: Temporal.Instant | null };

export type ChangeEffects = ScheduleEffects & {
  readonly unreachableSteps: readonly UnreachableStep[];
  readonly unreachableStepsCount: number;
  readonly pageChanges: readonly PageChange[];
  readonly pageChangesCount: number;
};

const noEffects: ScheduleEffects = {
  warnings: [],
  onCall: null,
  gaps: [],
  gapsCount: 0,
  movedShifts: [],
  movedShiftsCount: 0,
  advance: null,
};

export const none: ChangeEffects = {
  ...noEffects,
  unreachableSteps: [],
  unreachableStepsCount: 0,
  pageChanges: [],
  pageChangesCount: 0,
};

export function effectsOf(sides: ChangeSides): ChangeEffects {
  const { rota } = sides;
  const schedule = rota === null ? noEffects : effectsOfSchedule(sides, rota);
  const steps = unreachableSteps(sides);
  const listed = steps.slice(0, queryLimits.previewItems);
  const more = steps.length - listed.length;
  const changes = pageChanges(sides.paging);
  const named = changes.slice(0, queryLimits.previewItems);
  return {
    ...schedule,
    warnings: [
      ...schedule.warnings,
      ...pageWarnings(changes),
      ...listed.map(({ step, message }) =>
        // Steps of other records have no place in this one.
        stepWarning(sides.areStepsOwn ? `steps[${step}]` : null, message),
      ),
      ...(more > 0 ? [stepWarning(null, `${more} more steps sometimes reach nobody.`)] : []),
    ],
    unreachableSteps: listed,
    unreachableStepsCount: steps.length,
    pageChanges: named,
    pageChangesCount: changes.length,
  };
}

/** As many are written out. */
const PAGE_CHANGES_NAMED = 5;

function pageWarnings(changes: readonly PageChange[]): readonly PreviewWarning[] {
  const all = pageMessages(changes);
  const more = all.length - PAGE_CHANGES_NAMED;
  const message = `Whom events page changes in ${more} more cases.`;
  return [
    ...all.slice(0, PAGE_CHANGES_NAMED).map((one) => ({ ...one, path: null })),
    ...(more > 0 ? [{ code: 'pages_move' as const, path: null, message }] : []),
  ];
}

const stepWarning = (path: string | null, message: string): PreviewWarning => ({
  code: 'step_reaches_nobody',
  path,
  message,
});

/** Of an archived schedule, neither gaps nor shifts are listed: nobody is on call any more. */
export function effectsOfSchedule(sides: ChangeSides, rota: Rota): ScheduleEffects {
  const { at, configuration } = sides;
  const { people } = configuration;
  const was = configuration.schedules.get(rota.id);
  const named = namesIn(configuration);
  const onCall = {
    at,
    before: was === undefined ? null : named(onCallAt(was.schedule, at)?.user_id),
    after: named(onCallAt(rota.schedule, at)?.user_id),
  };
  const now = onCallWarnings(onCall);
  const advance = sides.edit && advanceByEdit(sides.edit);
  if (rota.archived) return { ...noEffects, onCall, advance, warnings: now };
  const coverage = newGaps(sides, { was, rota });
  const timezone = timezoneOf(rota.schedule);
  const moves = was === undefined ? [] : changesIn(was.schedule, rota.schedule, movesWithin(at));
  const listed = moves.slice(0, queryLimits.previewItems);
  return {
    warnings: [...now, ...coverage.warnings, ...moveWarnings(moves, { timezone, people })],
    onCall,
    gaps: coverage.gaps,
    gapsCount: coverage.gapsCount,
    movedShifts: movedShiftsOf(listed, configuration),
    movedShiftsCount: moves.length,
    advance,
  };
}

type Named = Pick<Configuration, 'people'>;

export const movedShiftsOf = (
  moves: readonly Change[],
  configuration: Named,
): ScheduleEffects['movedShifts'] => {
  const named = namesIn(configuration);
  return moves.map(({ start, end, before, after }) => ({
    from: start,
    to: end,
    before: named(before),
    after: named(after),
  }));
};

const namesIn =
  ({ people }: Named) =>
  (id: string | null | undefined): OnCallNames =>
    id == null ? [] : [{ id, name: nameOf(id, people) }];

const nobody = 'nobody';
const namesText = (names: OnCallNames): string =>
  names.length === 0 ? nobody : names.map(({ name }) => name).join(', ');

function onCallWarnings({
  before,
  after,
}: NonNullable<ScheduleEffects['onCall']>): readonly PreviewWarning[] {
  if (before === null || before[0]?.id === after[0]?.id) return [];
  const [was, is] = [namesText(before), namesText(after)];
  return [{ code: 'on_call_changes', path: null, message: onCallText(was, is) }];
}

type Searching = Pick<ChangeSides, 'at'> & { readonly people: Configuration['people'] };

/** When a new gap ends that lasts beyond the years that were searched; null if not within ten years. */
function endBeyond(
  end: Temporal.Instant,
  { at, people }: Searching,
  { was, rota }: EditedRota,
): Temporal.Instant | null {
  const [after, before] = [rota, was].map((one) => one && timelineOf(one.schedule).effectiveAt);
  const isOpen = (stretch: Stretch | undefined) =>
    stretch?.holder === null ||
    (stretch !== undefined && troubleOf(people.get(stretch.holder.user_id)) !== null);
  const followed = endFrom(
    end.epochMilliseconds,
    {
      isOn: (time) => isOpen(after?.(time)) && !isOpen(before?.(time)),
      stretchAt: (time) => ({
        start: time,
        end: Math.min(...[after, before].flatMap((effectiveAt) => effectiveAt?.(time).end ?? [])),
      }),
    },
    { limit: yearsAfter(at, YEARS).epochMilliseconds, most: queryLimits.gapSteps },
  );
  return followed === null ? null : instantOf(followed);
}

type EditedRota = { readonly was: Rota | undefined; readonly rota: Rota };

/** What nobody covers after the change, and somebody did before; who has no shift any more. */
function newGaps(
  { at, years, configuration: { people } }: ChangeSides,
  edited: EditedRota,
): Pick<ScheduleEffects, 'warnings' | 'gaps' | 'gapsCount'> {
  const { was } = edited;
  const { schedule } = edited.rota;
  const warning = (message: string): PreviewWarning => ({ code: 'gap', path: 'layers', message });
  const searched = searchedYears(was ? [was.schedule, schedule] : [schedule], at, years);
  if (searched === null) return { warnings: [warning(notSearched)], gaps: [], gapsCount: 0 };
  const { interval } = searched;
  const before = was && cover({ schedule: was.schedule, interval, people });
  const after = cover({ schedule, interval, people });
  const gaps = outside(after.gaps, before?.gaps ?? []);
  const missing = new Map([...after.missing].filter(([id]) => !before?.missing.has(id)));
  const wasIdle = new Set(before?.idle.map(({ user_id }) => user_id));
  const idle = after.idle.filter(({ user_id }) => !wasIdle.has(user_id));
  const wasNoted = new Set(was && openDayNotes(was.schedule, before?.idle ?? []));
  const notes = openDayNotes(schedule, after.idle).filter((note) => !wasNoted.has(note));
  const zoned = { ...searched, timezone: timezoneOf(schedule), people };
  return {
    warnings: [
      ...[...idleWarnings({ ...zoned, idle }), ...notes].map(
        (message): PreviewWarning => ({ code: 'no_shift', path: 'layers', message }),
      ),
      ...warningsOf({ ...zoned, gaps, idle: [], missing }).map(warning),
    ],
    gaps: gaps.slice(0, queryLimits.previewItems).map(({ start, end }) => ({
      from: start,
      to: end.equals(interval.to) ? endBeyond(end, { at, people }, edited) : end,
    })),
    gapsCount: gaps.length,
  };
}

const movesWithin = (at: Temporal.Instant) =>
  withinAndBeyond({ from: at, to: at.add({ hours: incidentsLimits.shiftsMovedDays * 24 }) });

function moveWarnings(
  moves: readonly Change[],
  wording: Parameters<typeof movesText>[1],
): readonly PreviewWarning[] {
  if (moves.length === 0) return [];
  const days = `in the next ${incidentsLimits.shiftsMovedDays} days`;
  const count =
    moves.length === 1 ? `One shift moves ${days}` : `${moves.length} shifts move ${days}`;
  const message = `${count}: ${movesText(moves, wording)}.`;
  return [{ code: 'shifts_move', path: 'layers', message }];
}
