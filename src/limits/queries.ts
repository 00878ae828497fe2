import { bytes, count, days, type Limits, MIB, valuesOf } from './limit.ts';

/** What one request may ask for, and what one response contains. */
export const queries = {
  textLength: count(
    255,
    'Characters of a text of a record, unless its field says otherwise',
    '422',
  ),
  workspaceLength: count(
    255,
    'Characters of the workspace that `x-managed-by` names, all visible ASCII',
    '400; by the Terraform provider an error at plan',
  ),
  warnings: count(100, 'Warnings about what a record refers to', 'The list is truncated'),
  usesNamed: count(20, 'Records listed that still use an archived one', 'The rest are counted'),
  pageSize: count(200, 'Records on one page of a list', '400'),
  teamsListed: count(50, 'Teams that one list is narrowed to', '422'),
  chatSchedules: count(
    20,
    'Schedules of which a chat is answered who is on call',
    'Others are counted',
  ),
  incidentsAtOnce: count(100, 'Incidents that one action is for', '422'),
  incidentsSearched: count(
    20_000,
    'Incidents among which one page of a list of incidents is looked for',
    'The page is shorter; with its `next_cursor` the list continues behind them',
  ),
  namesSearched: count(
    20_000,
    'Records of one kind, teams or people among which a name is looked for',
    'The newest are searched',
  ),
  searchResults: count(
    10,
    'Results of one kind of a search',
    'Those that begin with the text come first, then by name; of incidents the newest',
  ),
  openPaged: count(
    10,
    'Incidents that an answer names to who wrote without the number of one',
    'The newest are named',
  ),
  incidentNext: count(
    20,
    'Timers of an incident that are foreseen',
    'The next ones are listed; `end` is `more`',
  ),
  incidentChanges: count(
    20,
    'Changes, such as deployments, that are shown with an incident',
    'The last that came are listed; `more` is true',
  ),
  incidentChangesBytes: bytes(
    MIB,
    'Bodies of these changes',
    'The same; the last is always listed',
  ),
  waitingPages: count(
    1_000,
    'Pages waiting for the end of mutes that one response foresees',
    'The oldest are listed',
  ),
  spanDays: days(731, 'Interval of which shifts, turns or gaps are read', '422'),
  changes: count(
    200_000,
    'Changes of turns and windows that one response is computed from',
    '422, with the number of days that are possible; a preview of an override compares up to there',
  ),
  timelineDays: days(62, 'Interval of a timeline of all schedules', '422'),
  timelineChanges: count(
    20_000,
    'Changes of turns and windows, and overrides, on one page of such a timeline',
    'The page is shorter; with its `next_cursor` the list continues',
  ),
  shifts: count(20_000, 'Shifts in one response', '422, with the time until which is possible'),
  shiftsAheadOfPerson: count(200, 'Upcoming shifts of one person', 'The soonest are listed'),
  coverageYears: count(30, 'Years that are searched for gaps', '422'),
  coverageChanges: count(
    1_000_000,
    'Changes of turns and windows that are searched for gaps',
    '422, with the number of years that are possible',
  ),
  coverageChangesOfSave: count(
    60_000,
    'Of these, when a schedule is saved',
    'A warning has the time up to which was searched',
  ),
  gaps: count(
    100,
    'Gaps that one response lists',
    'The list is truncated; the number of all gaps is given',
  ),
  coverageWarnings: count(10, 'Warnings of gaps at a save', 'The list is truncated'),
  coverageNames: count(
    10,
    'People without a shift that one such warning names',
    'The rest are counted',
  ),
  overrides: count(1_000, 'Overrides of one schedule, running or upcoming', '409'),
  rules: count(1_000, 'Rules that a simulation or a replay proposes', '422'),
  conditionsExplained: count(
    1_000,
    'Conditions of rules that a tried rule or a simulation explains',
    'The list is truncated; `warnings` counts the rest',
  ),
  simulationDays: days(
    30,
    'Time that a simulation covers, and that a replay goes back',
    'The simulation ends there; the replay is refused with 422',
  ),
  simulationEntries: count(
    1_000,
    'Timeline entries of a simulation',
    'The simulation ends there, which the answer states',
  ),
  replayEvents: count(
    50_000,
    'Events that a replay reads',
    'The last are read; `warnings` has that',
  ),
  replayBytes: bytes(64 * MIB, 'Bodies of these events', 'The last are read; `warnings` has that'),
  replayNotices: count(
    100_000,
    'Notices that a replay follows',
    'It ends there; `warnings` has that',
  ),
  replayExamples: count(200, 'Examples of each difference in a replay', 'The rest are counted'),
  previewPlanned: count(500, 'Records of the same run that a preview takes into account', '422'),
  previewUnknown: count(2_000, 'Unknown parts of one record in a preview', '422'),
  previewItems: count(
    20,
    'Gaps, moved shifts and steps that a preview lists, and warnings of steps',
    'The first are listed; the rest are counted',
  ),
  calendarEvents: count(5_000, 'Shifts in one calendar', 'The soonest are listed'),
  calendarSchedules: count(100, 'Schedules in the calendar of one person', 'The list is truncated'),
  attention: count(
    5,
    'Facts that need attention in one response',
    'Of each kind the first, then others',
  ),
  attentionSearched: count(
    200,
    'Schedules, and integrations, among which such facts are looked for',
    'The first are looked at',
  ),
  storyEntries: count(
    1_000,
    'Entries of a timeline that explain why somebody was paged',
    'The first are read',
  ),
  storyNotices: count(200, 'Notices to one person that are explained so', 'The first are read'),
} as const satisfies Limits;

export const queryLimits = valuesOf(queries);
