import { count, days, hours, type Limits, minutes, seconds, valuesOf } from './limit.ts';

/** Incidents, escalation, rules, playbooks and shifts. */
export const incidents = {
  stormTriggers: count(
    20,
    'Alerts of one dedup key within a minute that are recorded one by one',
    'A storm: for another minute they are only counted',
  ),
  stormNoticePause: minutes(
    30,
    'Time between two notices of storms to the admins of a team',
    'The next one names the incidents that began a storm meanwhile',
  ),
  repeats: count(
    5,
    'Repeats of all steps of a policy, while nobody acknowledges',
    'Paging ends; the timeline has an entry for that',
  ),
  repeatPause: minutes(
    10,
    'Time between the last step of a policy and its first step, when the policy repeats',
    'The first step runs again',
  ),
  stormsNamed: count(15, 'Further incidents that a notice of storms names', 'The rest are counted'),
  stepTaken: seconds(
    60,
    'Time from the first try of a step’s pages in which one must be sent or taken by a vendor',
    'The step counts as failed: the next one runs, after the last the team’s admins are paged; tries go on',
  ),
  stepTried: seconds(
    180,
    'The same from the start of the step, if no page of it could be tried; not while its person is in a call of Pager’s',
    'The step counts as failed, as above',
  ),
  endHours: hours(
    5 * 24,
    'Time for which the end of an alert that its source dated is remembered, for mails and alerts of groups that come late',
    'What is older opens an incident again',
  ),
  ends: count(10_000, 'Such ends of one integration', 'The oldest are forgotten'),
  senders: count(
    16,
    'Prometheus servers that send one alert themselves, each with a clock of its own',
    'Those that have not sent it for the longest time are forgotten',
  ),
  reporters: count(
    4,
    'Alertmanagers that report one alert and have not reported its end',
    'The first are forgotten; the attention strip does not show that they still report it',
  ),
  reopenHours: hours(24, 'Time after its end in which an incident may be reopened', '409'),
  peopleNamed: count(
    20,
    'People named in one entry of a timeline',
    'The list is truncated; the number of all is given',
  ),
  unchangedNoted: count(
    100,
    'Entries of a timeline that say who changed nothing, while an incident stays in one state',
    'Not noted; whoever tries is answered as before',
  ),
  refusedNoted: count(
    100,
    'Entries of a timeline that say who tried to act and may not, one for each of them',
    'Not noted; whoever tries is answered as before',
  ),
  strangersNoted: count(
    10,
    'Of these, entries about people who are unknown',
    'Not noted; whoever tries is answered as before',
  ),
  quoted: count(100, 'Characters of a value quoted in the explanation of a condition', 'Cut'),
  links: count(
    100,
    'Links of an incident to which rules and playbooks add others',
    'The action fails; the timeline has an entry for that',
  ),
  playbookActions: count(
    100,
    'Actions in one run of a playbook, those of the playbooks in it included',
    'It ends; the timeline has an entry for that',
  ),
  // Two playbooks that start paging again could trigger each other endlessly.
  playbookCycles: count(
    20,
    'Cycles of paging in which an escalation still runs playbooks',
    'They are not run; the timeline has an entry for that',
  ),
  expressionLength: count(1_000, 'Characters of a regular expression', '422'),
  // At worst each character is compared with each instruction: docs/decisions/0017-regular-expressions.md.
  expressionSize: count(500, 'Instructions that it takes', '422'),
  expressionsSize: count(5_000, 'Instructions of all expressions of one rule', '422'),
  searched: count(5_000, 'Characters that it is searched in', 'The rest is ignored'),
  rulesWork: count(
    20_000_000,
    'Work of asking rules about an alert: characters that a regular expression is looked for in, times its instructions',
    'It opens an incident that is paged in a minute, without what rules say; the team’s admins are notified',
  ),
  rulesWorkOfMany: count(
    200_000,
    'The same for each alert, on average, of an event with more than a hundred',
    'The same for the rest of its alerts',
  ),
  // Details may be as large as an event.
  templateValue: count(1_000, 'Characters of one value filled into a template', 'Cut'),
  templateText: count(10_000, 'Characters of a filled template', 'Cut'),
  shiftChanges: count(
    20,
    'Moved shifts that one notice of a changed schedule lists',
    'The list is truncated; the number of all is given',
  ),
  // People rarely plan around shifts further ahead.
  shiftsMovedDays: days(
    60,
    'Time ahead in which people are notified of moved shifts',
    'Nobody is notified',
  ),
} as const satisfies Limits;

export const incidentsLimits = valuesOf(incidents);
