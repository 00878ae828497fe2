import { count, days, hours, type Limits, minutes, seconds, valuesOf } from './limit.ts';

/** Incidents, escalation, rules, playbooks and shifts. */
export const incidents = {
  stormTriggers: count(
    20,
    'Alerts with one dedup key within a minute that are recorded individually',
    'An alert storm: for another minute, alerts are only counted',
  ),
  stormNoticePause: minutes(
    30,
    'Time between two storm notices to the admins of a team',
    'The next notice lists the incidents whose storms began in the meantime',
  ),
  repeats: count(
    5,
    'Repeats of a policy while nobody acknowledges',
    'Paging ends, and the timeline shows it',
  ),
  repeatPause: minutes(
    10,
    'Wait between the last step of a policy and its first step, if the policy repeats',
    'The first step runs again',
  ),
  stormsNamed: count(15, 'Further incidents that a storm notice lists', 'The rest are counted'),
  stepTaken: seconds(
    60,
    'Time from the first attempt of a step’s pages until one must be sent or accepted by a vendor',
    'The step counts as failed. The next step runs, or after the last step the team’s admins are paged. Attempts continue',
  ),
  answerAwaited: minutes(
    5,
    'Wait for an answer to the last page of an incident, if nobody else will be paged',
    'Lists show that paging has ended and nobody answered',
  ),
  stepTried: seconds(
    180,
    'Time from the start of a step, if none of its pages could be attempted. Does not end while the person is in a call from Pager',
    'The step counts as failed, as above',
  ),
  alerts: count(
    1_000,
    'Alerts of one incident',
    'The next alert opens another incident, whose timeline names the first',
  ),
  groupCandidates: count(
    10,
    'Open incidents of one group that an alert is compared with, newest first',
    'Older ones are not joined',
  ),
  joinAcknowledged: minutes(
    30,
    'Time after an acknowledgement in which alerts still join the incident',
    'They open another incident, which pages and names the first',
  ),
  endHours: hours(
    5 * 24,
    'How long the time at which an alert ended is remembered, for late e-mails and alerts of groups',
    'An older alert opens an incident again',
  ),
  ends: count(10_000, 'Remembered ends of one integration’s alerts', 'The oldest are forgotten'),
  senders: count(
    16,
    'Prometheus servers that send one alert directly, each with its own clock',
    'The servers that have not sent the alert for the longest time are forgotten',
  ),
  reporters: count(
    4,
    'Alertmanagers that report one alert and have not reported its end',
    'The first are forgotten, and the attention strip does not show that they still report it',
  ),
  findingHours: hours(
    24,
    'Time for which the attention strip shows a problem with the alerts of an integration',
    'It is no longer shown',
  ),
  reopenHours: hours(24, 'How long a resolved incident can be reopened', '409'),
  peopleNamed: count(
    20,
    'People listed in one timeline entry',
    'The list is truncated, and the total number is shown',
  ),
  unchangedNoted: count(
    100,
    'Timeline entries about actions without effect while an incident stays in one state',
    'Not recorded. The responses stay the same',
  ),
  refusedNoted: count(
    100,
    'Timeline entries about people who tried to act without permission, one for each person',
    'Not recorded. The responses stay the same',
  ),
  strangersNoted: count(
    10,
    'Such entries about unknown people',
    'Not recorded. The responses stay the same',
  ),
  chatNotesAnHour: count(
    60,
    'Notes that one person adds to incidents from chats in an hour',
    'Not added. The reply says so',
  ),
  quoted: count(
    100,
    'Characters in a value that the explanation of a condition quotes',
    'Truncated',
  ),
  links: count(
    100,
    'Links on an incident, including those that rules and playbooks added',
    'The action fails, and the timeline shows it',
  ),
  playbookActions: count(
    100,
    'Actions in one run of a playbook, including those of nested playbooks',
    'The run ends, and the timeline shows it',
  ),
  // Two playbooks that start paging again could trigger each other endlessly.
  playbookCycles: count(
    20,
    'Rounds in which an escalation runs playbooks',
    'Playbooks are not run, and the timeline shows it',
  ),
  expressionLength: count(1_000, 'Characters in a regular expression', '422'),
  // At worst each character is compared with each instruction: docs/decisions/0017-regular-expressions.md.
  expressionSize: count(500, 'Instructions in a compiled regular expression', '422'),
  expressionsSize: count(5_000, 'Instructions in all compiled expressions of one rule', '422'),
  searched: count(5_000, 'Characters that a regular expression searches', 'The rest is ignored'),
  rulesWork: count(
    20_000_000,
    'Work to evaluate rules for an alert: characters that a regular expression searches times its instructions',
    'The alert opens an incident without rules, which is paged after a minute. The team’s admins are notified',
  ),
  rulesWorkOfMany: count(
    200_000,
    'Average work for each alert of an event with more than a hundred alerts',
    'The same for the rest of its alerts',
  ),
  // Details may be as large as an event.
  templateValue: count(1_000, 'Characters of one value filled into a template', 'Truncated'),
  templateText: count(10_000, 'Characters in a filled template', 'Truncated'),
  shiftChanges: count(
    20,
    'Moved shifts listed in one notice about a changed schedule',
    'The list is truncated, and the total number is shown',
  ),
  // People rarely plan around shifts further ahead.
  shiftsMovedDays: days(
    60,
    'How far ahead people are notified of moved shifts',
    'Nobody is notified of later ones',
  ),
} as const satisfies Limits;

export const incidentsLimits = valuesOf(incidents);
