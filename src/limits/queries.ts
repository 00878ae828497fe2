import { bytes, count, days, type Limits, MIB, valuesOf } from './limit.ts';

/** What one request may ask for, and what one response contains. */
export const queries = {
  textLength: count(
    255,
    'Characters in a text of a record, unless its field has another limit',
    '422',
  ),
  workspaceLength: count(
    255,
    'Visible ASCII characters of the workspace in `x-managed-by`',
    '400, or an error in the plan of the Terraform provider',
  ),
  warnings: count(100, 'Warnings about what a record references', 'The list is truncated'),
  usesNamed: count(20, 'Listed records that still use an archived record', 'The rest are counted'),
  pageSize: count(200, 'Records on one page of a list', '400'),
  teamsListed: count(50, 'Teams in the filter of one list', '422'),
  chatSchedules: count(
    20,
    'Schedules in one chat reply about who is on call',
    'The rest are counted',
  ),
  incidentsAtOnce: count(100, 'Incidents in one bulk action', '422'),
  incidentsSearched: count(
    20_000,
    'Incidents that are searched for one page of a list',
    'The page is shorter, and the list continues with its `next_cursor`',
  ),
  eventAlertsNamed: count(
    20,
    'Alerts of one event in the event log that have number and title of their incident',
    'The others have its id',
  ),
  pagesSearched: count(
    10_000,
    'Sent pages that are searched for one page of their list',
    'The page is shorter, and the list continues with its `next_cursor`',
  ),
  pagesExported: count(
    5_000,
    'Rows in one CSV file of sent pages',
    'The `Link` header contains the address of the rest',
  ),
  pageCountDays: days(92, 'Interval for which sent pages are counted by day', '422'),
  pagesCounted: count(
    50_000,
    'Sent pages that are searched for these counts',
    'Only the newest are counted, and `complete` is false',
  ),
  reportDays: days(366, 'Period of a report', '422'),
  editsNoted: count(
    1_000,
    'Open incidents whose timeline shows an edit of the steps of their escalation policy',
    'Only the newest show it',
  ),
  incidentsReported: count(
    50_000,
    'Incidents that are searched for one report',
    'Only the newest are counted, and `complete` is false',
  ),
  keysReported: count(
    20,
    'Noisiest keys in one report, and integrations, rules and keys with verdicts',
    'Each list is truncated',
  ),
  peopleReported: count(
    200,
    'People in one report',
    'Those with the most pages at night are listed',
  ),
  namesSearched: count(
    20_000,
    'Records of one kind, teams or people that are searched for a name',
    'Only the newest are searched',
  ),
  documentSearchText: count(
    200,
    'Characters of a search in the documents at `/docs`',
    'The rest is ignored',
  ),
  documentSearchWords: count(6, 'Words of such a search', 'The rest are ignored'),
  documentResults: count(
    40,
    'Results of such a search',
    'The best are shown, and the rest counted',
  ),
  searchResults: count(
    10,
    'Search results of one kind',
    'Names that begin with the text come first, then the rest by name. Incidents are sorted newest first',
  ),
  openPaged: count(
    10,
    'Incidents listed in the reply to a message without an incident number',
    'Only the newest are listed',
  ),
  reachedNamed: count(
    5,
    'Recipients named for each triggered incident of a list, with `include=next`',
    'The rest are left out',
  ),
  incidentNext: count(
    20,
    'Timer events of an incident in a forecast',
    'Only the next ones are listed, and `end` is `more`',
  ),
  incidentChanges: count(
    20,
    'Changes, such as deployments, that are shown with an incident',
    'Only the most recent are listed, and `more` is true',
  ),
  incidentChangesBytes: bytes(
    MIB,
    'Size of these changes',
    'The same. The most recent one is always listed',
  ),
  waitingPages: count(
    1_000,
    'Pages waiting for mutes to end in one forecast',
    'Only the oldest are listed',
  ),
  spanDays: days(731, 'Interval for which shifts, turns or gaps are read', '422'),
  changes: count(
    200_000,
    'Changes of turns and windows in one computation',
    '422 with the possible number of days. A preview of an override compares up to that point',
  ),
  timelineDays: days(62, 'Interval of a timeline of all schedules', '422'),
  timelineChanges: count(
    20_000,
    'Changes of turns and windows, and overrides, on one page of such a timeline',
    'The page is shorter, and the list continues with its `next_cursor`',
  ),
  shifts: count(20_000, 'Shifts in one response', '422 with the latest possible time'),
  shiftsAheadOfPerson: count(200, 'Upcoming shifts of one person', 'Only the soonest are listed'),
  coverageYears: count(30, 'Years that are searched for gaps', '422'),
  coverageChanges: count(
    1_000_000,
    'Changes of turns and windows that are searched for gaps',
    '422 with the possible number of years',
  ),
  coverageChangesOfSave: count(
    60_000,
    'Changes of turns and windows that are searched for gaps when a schedule is saved',
    'A warning shows how far the search went',
  ),
  gaps: count(
    100,
    'Gaps that one response lists',
    'The list is truncated. The response contains the total number',
  ),
  shiftSteps: count(
    10_000,
    'Changes of turns and windows that are searched for the start or end of a shift beyond the requested time. The schedules of one request share them',
    'The shift starts or ends where the search ended',
  ),
  shiftStepsMin: count(200, 'The same for each of these schedules, at least', 'The same'),
  gapSteps: count(
    20_000,
    'Changes of turns and windows that are searched for the end of a gap beyond the requested interval',
    '`end` is null',
  ),
  moveSteps: count(
    20_000,
    'Changes of turns and windows that are searched for the end of a moved shift beyond the compared 60 days',
    '`end` is null, as if it ended more than a year later',
  ),
  coverageWarnings: count(10, 'Gap warnings when a schedule is saved', 'The list is truncated'),
  coverageNames: count(10, 'People without a shift in one such warning', 'The rest are counted'),
  overrides: count(1_000, 'Current and future overrides of one schedule', '409'),
  overridesAtOnce: count(100, 'Overrides in one request', '422'),
  coverRequests: count(20, 'Open cover requests of one schedule', '409'),
  coverCandidates: count(
    100,
    'People who are asked by one cover request',
    'Only the first of the layers are asked',
  ),
  rules: count(1_000, 'Rules that a simulation or a replay proposes', '422'),
  conditionsExplained: count(
    1_000,
    'Rule conditions that a rule test or a simulation explains',
    'The list is truncated, and `warnings` counts the rest',
  ),
  simulationDays: days(
    30,
    'Period that a simulation or a replay covers',
    'The simulation ends there. The replay is rejected with 422',
  ),
  simulationEntries: count(
    1_000,
    'Timeline entries of a simulation',
    'The simulation ends there, and the response states this',
  ),
  replayEvents: count(
    50_000,
    'Events that a replay reads',
    'Only the most recent are read, and `warnings` states this',
  ),
  replayBytes: bytes(
    64 * MIB,
    'Size of these events',
    'Only the most recent are read, and `warnings` states this',
  ),
  replayNotices: count(
    100_000,
    'Notices that a replay follows',
    'The replay ends there, and `warnings` states this',
  ),
  replayExamples: count(200, 'Examples of each difference in a replay', 'The rest are counted'),
  previewsAtOnce: count(10, 'Changes in one request of `POST /previews`', '422'),
  previewPlanned: count(500, 'Records of the same run that a preview takes into account', '422'),
  previewUnknown: count(2_000, 'Unknown parts of one record in a preview', '422'),
  previewItems: count(
    20,
    'Gaps, moved shifts, steps and step warnings that a preview lists',
    'The first are listed, and the rest are counted',
  ),
  previewIntegrations: count(
    200,
    'Integrations whose pages a preview compares',
    'Only the first are compared',
  ),
  reachedTargets: count(
    10_000,
    'Targets of policies that the list of unreachable steps examines',
    'Further policies are not examined, and `complete` is false',
  ),
  previewTargets: count(
    50_000,
    'Targets of steps that such a comparison follows',
    'It ends there, and the rest are not compared',
  ),
  calendarEvents: count(5_000, 'Shifts in one calendar', 'Only the soonest are listed'),
  calendarSchedules: count(100, 'Schedules in the calendar of one person', 'The list is truncated'),
  attention: count(
    5,
    'Items in one response of `GET /attention`',
    'One item of each kind comes first, then others',
  ),
  eventsCounted: count(
    50_000,
    'Events that are counted for the last 24 hours of integrations. The integrations share them equally',
    'Of an integration with more, only the newest are counted, and `complete` is false',
  ),
  attentionSearched: count(
    200,
    'Schedules and integrations that are searched for these items',
    'Only the first are searched',
  ),
  storyEntries: count(
    1_000,
    'Timeline entries used to explain why someone was paged',
    'Only the first are read',
  ),
  storyNotices: count(
    200,
    'Notices to one person in such an explanation',
    'Only the first are read',
  ),
} as const satisfies Limits;

export const queryLimits = valuesOf(queries);
