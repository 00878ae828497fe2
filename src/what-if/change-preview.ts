// What saving or archiving a schedule or a policy changes: who is on call, when nobody is, which
// shifts move, and which steps reach nobody.
import type { Configuration, Rota } from '../incidents/configuration.ts';
import { incidentsLimits } from '../limits/incidents.ts';
import { queryLimits } from '../limits/queries.ts';
import { onCallAt } from '../oncall/on-call.ts';
import { type Change, changesIn, withinAndBeyond } from '../oncall/revisions/moves.ts';
import type { Advance } from '../shifts/advance.ts';
import { advanceByEdit } from './announced-edit.ts';
import type { ChangeSides } from './change-sides.ts';
import { nameOf, timezoneOf } from './coverage-words.ts';
import { movesText, onCallText } from './moves-words.ts';
import { type GapEffects, newGaps, noGaps, type Period } from './new-gaps.ts';
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
export type ScheduleEffects = GapEffects & {
  readonly warnings: readonly PreviewWarning[];
  readonly onCall: {
    readonly at: Temporal.Instant;
    readonly before: OnCallNames | null;
    readonly after: OnCallNames;
  } | null;
  readonly movedShifts: readonly (Period & {
    readonly before: OnCallNames;
    readonly after: OnCallNames;
  })[];
  readonly movedShiftsCount: number;
  /** What is announced at once; null: nothing. */
  readonly advance: Advance | null;
};

export type ChangeEffects = ScheduleEffects & {
  readonly unreachableSteps: readonly UnreachableStep[];
  readonly unreachableStepsCount: number;
  readonly pageChanges: readonly PageChange[];
  readonly pageChangesCount: number;
};

const noEffects: ScheduleEffects = {
  warnings: [],
  onCall: null,
  ...noGaps,
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
  const { warnings, ...gaps } = newGaps(sides, was, rota);
  const timezone = timezoneOf(rota.schedule);
  const moves = was === undefined ? [] : changesIn(was.schedule, rota.schedule, movesWithin(at));
  const listed = moves.slice(0, queryLimits.previewItems);
  return {
    warnings: [...now, ...warnings, ...moveWarnings(moves, { timezone, people })],
    onCall,
    ...gaps,
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
