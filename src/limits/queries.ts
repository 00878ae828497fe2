import { bytes, count, days, type Limits, MIB, valuesOf } from './limit.ts';

/** What one question may ask for, and one answer tells. */
export const queries = {
  textLength: count(
    255,
    'Characters of a text of a record, unless its field says otherwise',
    '422',
  ),
  warnings: count(100, 'Warnings of what a record refers to', 'The first are told'),
  usesNamed: count(20, 'Records named that still use what is archived', 'The rest are counted'),
  pageSize: count(200, 'Records on one page of a list', '400'),
  incidentsAtOnce: count(100, 'Incidents that one action is for', '422'),
  spanDays: days(731, 'Interval of which shifts, turns or gaps are read', '422'),
  changes: count(
    200_000,
    'Changes of turns and windows that one answer walks through',
    '422, which tells how many days can be asked for',
  ),
  shifts: count(20_000, 'Shifts in one answer', '422, which tells until when can be asked for'),
  shiftsAheadOfPerson: count(200, 'Shifts to come of one person', 'The soonest are told'),
  coverageYears: count(30, 'Years that are searched for gaps', '422'),
  coverageChanges: count(
    1_000_000,
    'Changes of turns and windows that are searched for gaps',
    '422, which tells how many years can be asked for',
  ),
  coverageChangesOfSave: count(
    60_000,
    'Of these, when a schedule is saved',
    'A warning tells how far was searched',
  ),
  gaps: count(
    100,
    'Gaps that one answer tells singly',
    'The first are told, and how many there are',
  ),
  coverageWarnings: count(10, 'Warnings of gaps at a save', 'The first are told'),
  overrides: count(1_000, 'Overrides of one schedule, running or to come', '409'),
  rules: count(1_000, 'Rules that a simulation or a replay proposes', '422'),
  conditionsExplained: count(
    1_000,
    'Conditions of rules that a tried rule or a simulation explains',
    'The first are told; `warnings` counts the rest',
  ),
  simulationDays: days(
    30,
    'Time that a simulation follows, and a replay goes back',
    'The simulation ends there; the replay is refused with 422',
  ),
  simulationEntries: count(
    1_000,
    'Timeline entries of a simulation',
    'The story ends there and says so',
  ),
  replayEvents: count(
    50_000,
    'Events that a replay reads',
    'The last are read; `warnings` says so',
  ),
  replayBytes: bytes(64 * MIB, 'Bodies of these events', 'The last are read; `warnings` says so'),
  replayNotices: count(
    100_000,
    'Notices that a replay follows',
    'It ends there; `warnings` says so',
  ),
  replayExamples: count(200, 'Examples of each difference in a replay', 'The rest are counted'),
  calendarEvents: count(5_000, 'Shifts in one calendar', 'The soonest are shown'),
  calendarSchedules: count(100, 'Schedules in the calendar of one person', 'The first are shown'),
  pageGaps: count(20, 'Gaps on the page of a schedule', 'The first are shown'),
  pageShifts: count(
    500,
    'Shifts, and entries of a timeline, on one page for people',
    'The first are shown',
  ),
  storyEntries: count(
    1_000,
    'Entries of a timeline that explain why somebody was paged',
    'The first are read',
  ),
  storyNotices: count(200, 'Notices to one person that are explained so', 'The first are read'),
} as const satisfies Limits;

export const queryLimits = valuesOf(queries);
