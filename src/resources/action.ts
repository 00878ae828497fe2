// What a rule or a playbook does to an incident.
import type { Static } from 'typebox';
import { personalChannels } from './channels.ts';
import { priority, severity } from './condition.ts';
import { choice, id, optional, text, variant, wholeNumber } from './declaration/field.ts';
import type { Problem } from './declaration/resource.ts';
import { templateProblems } from './declaration/template.ts';
import { spanIsShort } from './integration.ts';

const ofTeam = { within: 'team' } as const;

/** What a rule and a playbook can do alike. */
const effects = {
  priority: { priority: priority() },
  severity: { severity: severity() },
  reassignIncident: {
    user_id: id('The new responder.', { to: 'user', within: 'organization' }),
  },
  escalationPolicy: {
    escalation_policy_id: id('Pages instead.', { to: 'escalation_policy', ...ofTeam }),
  },
  integration: { integration_id: id('Where it moves.', { to: 'integration', ...ofTeam }) },
  routeToTeam: {
    team_id: id('The other team.', { to: 'team', within: 'organization' }),
    integration_id: id('Its integration.', { to: 'integration', within: 'organization' }),
  },
  outboundWebhook: {
    outbound_webhook_id: id('What is called.', { to: 'outbound_webhook', ...ofTeam }),
  },
  resolveTimer: {
    after: wholeNumber({ doc: 'How many units.', min: 1, max: 1_440 }),
    unit: choice(['minutes', 'hours', 'days'], { doc: 'Of what.' }),
  },
  acknowledgeIncident: {},
  resolveIncident: {},
  playbook: { playbook_id: id('What is run.', { to: 'playbook', ...ofTeam }) },
  title: { template: text({ doc: 'The new title.', min: 1, max: 1_000 }) },
};

export const ruleAction = variant('type', { ...effects, ignoreIncident: {} }, 'What is done.');

export const playbookAction = variant(
  'type',
  {
    ...effects,
    addResponder: { user_id: id('Who is asked to help.', { to: 'user', within: 'organization' }) },
    pagePerson: {
      user_id: id('Who is paged.', { to: 'user', within: 'organization' }),
      via: choice(personalChannels, { doc: 'How to page.' }),
    },
    note: { text: text({ doc: 'What the timeline says.', min: 1, max: 10_000 }) },
    addLink: {
      href: text({ doc: 'Where it leads.', min: 1, max: 2_048, format: 'uri' }),
      text: optional(text({ doc: 'What is shown instead of the address.' })),
    },
  },
  'What is done.',
);

export type RuleAction = Static<typeof ruleAction>;
export type PlaybookAction = Static<typeof playbookAction>;

/** What is wrong with actions beyond their shapes. */
export const actionProblems = (
  actions: readonly (RuleAction | PlaybookAction)[],
): readonly Problem[] =>
  actions.flatMap((action, index) => {
    const path = `actions[${index}]`;
    switch (action.type) {
      case 'resolveTimer':
        return spanIsShort(path, action);
      case 'title':
        return templateProblems(`${path}.template`, action.template);
      case 'note':
        return templateProblems(`${path}.text`, action.text);
      default:
        return [];
    }
  });
