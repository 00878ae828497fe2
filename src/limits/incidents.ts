import { count, days, hours, type Limits, minutes, valuesOf } from './limit.ts';

/** What becomes of incidents, by policies, rules, playbooks and shifts. */
export const incidents = {
  stormTriggers: count(
    20,
    'Alerts of one dedup key within a minute that are kept one by one',
    'A storm: for a minute more they are counted instead',
  ),
  stormNoticePause: minutes(
    30,
    'Time between two notices of storms to admins',
    'Nobody is told meanwhile',
  ),
  repeats: count(
    5,
    'Repeats of all steps of a policy, while nobody acknowledges',
    'Paging ends; the timeline says so',
  ),
  reopenHours: hours(24, 'Time after its end in which an incident may be reopened', '409'),
  peopleNamed: count(
    20,
    'People whom one line of a timeline names',
    'The first are named, and how many there are',
  ),
  quoted: count(100, 'Characters of a value that the explanation of a condition quotes', 'Cut'),
  links: count(
    100,
    'Links of an incident to which rules and playbooks add others',
    'The action fails; the timeline says so',
  ),
  playbookActions: count(
    100,
    'Actions in one run of a playbook, those of the playbooks in it included',
    'It ends, and the timeline says so',
  ),
  // Playbooks that page anew could lead from one to the next for ever.
  playbookCycles: count(
    20,
    'Rounds of paging after which playbooks still answer an escalation',
    'They are not run, and the timeline says so',
  ),
  expressionLength: count(1_000, 'Characters of a regular expression', '422'),
  // At worst each character is compared with each instruction: docs/decisions/0017-regular-expressions.md.
  expressionSize: count(500, 'Instructions that it takes', '422'),
  expressionsSize: count(5_000, 'Instructions of all expressions of one rule', '422'),
  searched: count(5_000, 'Characters in which it is looked for', 'The rest is not looked at'),
  // Details may be as large as an event.
  templateValue: count(1_000, 'Characters that one place of a template is filled with', 'Cut'),
  templateText: count(10_000, 'Characters of a filled template', 'Cut'),
  shiftChanges: count(
    20,
    'Moved shifts that one notice of a changed schedule lists',
    'The first are listed, and how many there are',
  ),
  // Nobody plans on those further ahead yet.
  shiftsMovedDays: days(60, 'Time ahead in which people are told of moved shifts', 'Not told'),
} as const satisfies Limits;

export const incidentsLimits = valuesOf(incidents);
