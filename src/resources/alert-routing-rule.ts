import {
  choice,
  description,
  flag,
  id,
  listOf,
  localTime,
  name,
  objectOf,
  optional,
  text,
  variant,
  weekday,
  wholeNumber,
  zone,
} from './field.ts';
import { spanIsShort } from './integration.ts';
import { type Problem, resource } from './resource.ts';

export const priorities = ['p1', 'p2', 'p3', 'p4', 'p5'] as const;
export const severities = ['sev1', 'sev2', 'sev3'] as const;
const comparators = [
  'contains',
  'doesNotContain',
  'equals',
  'doesNotEqual',
  'startsWith',
  'endsWith',
  'matches',
  'doesNotMatch',
] as const;

const comparator = () => choice(comparators, { doc: 'Case is ignored, except by matches.' });
const sought = () => text({ doc: 'What is looked for.', max: 10_000 });
const count = () => wholeNumber({ doc: 'At least this many.', min: 1, max: 1_000_000 });
const minutes = () => wholeNumber({ doc: 'Within this long.', min: 1, max: 43_200 });
const priority = () => choice(priorities, { doc: 'p1 is the most urgent.' });
const severity = () => choice(severities, { doc: 'sev1 is the worst.' });

const condition = variant(
  'type',
  {
    allIncidents: {},
    incidentMessage: { comparator: comparator(), text: sought() },
    incidentDetails: {
      key: text({ doc: 'Dotted path into the details.', min: 1 }),
      comparator: comparator(),
      text: sought(),
    },
    incidentRepeated: { count: count() },
    incidentRepeatedWithin: { count: count(), minutes: minutes() },
    incidentSuppressed: { count: count() },
    incidentSuppressedWithin: { count: count(), minutes: minutes() },
    incidentPriority: { comparator: comparator(), priority: priority() },
    incidentSeverity: { comparator: comparator(), severity: severity() },
    incidentTiming: {
      start: localTime('Included.'),
      end: localTime('Excluded; before start: the window crosses midnight.'),
      timezone: zone('The wall clock the window is judged on.'),
    },
    incidentDays: {
      days: listOf(weekday('A day.'), { doc: 'On these days.', max: 7 }),
      timezone: zone('The wall clock the day is judged on.'),
    },
  },
  'What must hold.',
);

const teams = { within: 'team' } as const;
const action = variant(
  'type',
  {
    priority: { priority: priority() },
    severity: { severity: severity() },
    reassignIncident: {
      user_id: id('The new responder.', { to: 'user', within: 'organization' }),
    },
    escalationPolicy: {
      escalation_policy_id: id('Pages instead.', { to: 'escalation_policy', ...teams }),
    },
    integration: { integration_id: id('Where it moves.', { to: 'integration', ...teams }) },
    routeToTeam: {
      team_id: id('The other team.', { to: 'team', within: 'organization' }),
      integration_id: id('Its integration.', { to: 'integration', within: 'organization' }),
    },
    outboundWebhook: {
      outbound_webhook_id: id('What is called.', { to: 'outbound_webhook', ...teams }),
    },
    resolveTimer: {
      after: wholeNumber({ doc: 'How many units.', min: 1, max: 1_440 }),
      unit: choice(['minutes', 'hours', 'days'], { doc: 'Of what.' }),
    },
    acknowledgeIncident: {},
    resolveIncident: {},
    ignoreIncident: {},
    playbook: { playbook_id: id('What is run.', { to: 'playbook', ...teams }) },
    title: { template: text({ doc: 'The new title.', min: 1, max: 1_000 }) },
  },
  'What is done.',
);

export const alertRoutingRule = resource({
  name: 'alert_routing_rule',
  table: 'alert_routing_rules',
  route: 'alert-rules',
  doc: 'Changes incidents as they arrive.',
  fields: {
    name: name('Shown on the timeline of what it changed.'),
    condition_groups: listOf(
      objectOf({ conditions: listOf(condition, { doc: 'All must hold.', max: 100 }) }),
      { doc: 'Any group is enough.', max: 100 },
    ),
    actions: listOf(action, { doc: 'Run in order.', max: 100 }),
    integration_ids: optional(
      listOf(id('An integration.', { to: 'integration', ...teams }), {
        doc: 'Only incidents of these; absent: every integration of the team.',
        max: 1_000,
      }),
    ),
    service_ids: optional(
      listOf(id('A service.', { to: 'service', ...teams }), {
        doc: 'Narrows the rule; needs integration_ids.',
        max: 1_000,
      }),
    ),
    description: description(),
    enabled: optional(flag({ doc: 'Skipped while false.', default: true })),
    position: optional({
      ...wholeNumber({ doc: 'Rules run by position, then counter.', min: 0, max: 1_000_000 }),
      'x-api-only': true,
    }),
  },
  check(rule): Problem[] {
    const problems = rule.actions.flatMap((each, index) =>
      each.type === 'resolveTimer' ? spanIsShort(`actions[${index}]`, each) : [],
    );
    if (rule.service_ids !== undefined && rule.integration_ids === undefined)
      problems.push({ path: 'service_ids', message: 'needs integration_ids to be set too' });
    return problems;
  },
});
