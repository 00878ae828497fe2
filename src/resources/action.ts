// The actions of rules and playbooks on an incident.
import type { Static } from 'typebox';
import { personalChannels } from './channels.ts';
import { priority, severity } from './condition.ts';
import { choice, id, optional, text, variant, wholeNumber } from './declaration/field.ts';
import type { Problem } from './declaration/resource.ts';
import { placeholdersText, templateProblems } from './declaration/template.ts';
import { groupBy } from './grouping.ts';
import { checkSpan, span } from './span.ts';

const ofTeam = { within: 'team' } as const;
const ofOrganization = { within: 'organization' } as const;

/** The actions that both rules and playbooks have. */
const effects = {
  priority: {
    doc: 'Sets the priority of the incident.',
    fields: { priority: priority('The new priority. p1 is the most urgent.') },
  },
  severity: {
    doc: 'Sets the severity of the incident.',
    fields: { severity: severity('The new severity. sev1 is the worst.') },
  },
  reassignIncident: {
    doc: 'Makes a person the only responder and notifies them.',
    fields: {
      user_id: id('The person who becomes the responder.', { to: 'user', ...ofOrganization }),
    },
  },
  escalationPolicy: {
    doc: 'Escalates the incident with another policy.',
    fields: {
      escalation_policy_id: id('The policy to use.', {
        to: 'escalation_policy',
        ...ofTeam,
      }),
    },
  },
  integration: {
    doc: 'Moves the incident to another integration of the team, with that integration’s service and policy.',
    fields: {
      integration_id: id('The integration that the incident moves to.', {
        to: 'integration',
        ...ofTeam,
      }),
    },
  },
  routeToTeam: {
    doc: 'Moves the incident to another team.',
    fields: {
      team_id: id('The team that the incident moves to.', { to: 'team', ...ofOrganization }),
      integration_id: id('The integration of that team that receives the incident.', {
        to: 'integration',
        ...ofOrganization,
      }),
    },
  },
  outboundWebhook: {
    doc: 'Sends the incident to an outbound webhook.',
    fields: {
      outbound_webhook_id: id('The outbound webhook to call.', {
        to: 'outbound_webhook',
        ...ofTeam,
      }),
    },
  },
  resolveTimer: {
    doc: 'Resolves the incident after a time, unless it is resolved earlier.',
    fields: span('until the incident is resolved'),
  },
  acknowledgeIncident: { doc: 'Acknowledges the incident.', fields: {} },
  resolveIncident: { doc: 'Resolves the incident.', fields: {} },
  playbook: {
    doc: 'Runs a playbook.',
    fields: { playbook_id: id('The playbook to run.', { to: 'playbook', ...ofTeam }) },
  },
  title: {
    doc: 'Changes the title of the incident.',
    fields: {
      template: text({
        doc: `The new title. ${placeholdersText()} are replaced by their values, as in "{{title}} on {{details.labels.host}}".`,
        min: 1,
        max: 1_000,
      }),
    },
  },
};

export const ruleAction = variant(
  'type',
  {
    ...effects,
    ignoreIncident: {
      doc: 'Ignores the alert. No incident is opened, nobody is paged, and no other rule applies.',
      fields: {},
    },
    groupIncident: {
      doc: 'Groups alerts, instead of the grouping of their integration. If several rules match, the first one decides. Rejected until all servers run this version.',
      fields: {
        by: groupBy(),
        // Flat: Terraform cannot convert a list of actions that is known late if one holds an object.
        window_minutes: optional(
          wholeNumber({
            doc: 'The longest time since the last alert joined, in minutes. After it, the next alert opens another incident. If absent, alerts join as long as the incident is open.',
            min: 1,
            max: 43_200,
          }),
        ),
        across: choice(['integration', 'service', 'team'], {
          doc: 'Whose alerts join the same incident: those of the same integration, of all integrations of the service, or of all integrations of the team.',
        }),
      },
    },
  },
  'One action on the incident.',
);

export const playbookAction = variant(
  'type',
  {
    ...effects,
    addResponder: {
      doc: 'Adds a responder to the incident and notifies them.',
      fields: {
        user_id: id('The person to add as a responder.', { to: 'user', ...ofOrganization }),
      },
    },
    pagePerson: {
      doc: 'Pages one person in addition to the escalation policy.',
      fields: {
        user_id: id('The person to page.', { to: 'user', ...ofOrganization }),
        via: choice(personalChannels, { doc: 'The channel to use.' }),
      },
    },
    note: {
      doc: 'Adds a note to the timeline of the incident.',
      fields: {
        text: text({
          doc: `The note. ${placeholdersText()} are replaced by their values.`,
          min: 1,
          max: 10_000,
        }),
      },
    },
    addLink: {
      doc: 'Adds a link to the incident.',
      fields: {
        href: text({
          doc: 'The address that the link leads to, such as https://wiki.example.com/runbook.',
          min: 1,
          max: 2_048,
          format: 'uri',
        }),
        text: optional(text({ doc: 'The text of the link. Default: its address.' })),
      },
    },
  },
  'One action on the incident.',
);

export type RuleAction = Static<typeof ruleAction>;
export type PlaybookAction = Static<typeof playbookAction>;

/** Rules on actions beyond their shapes. */
export const actionProblems = (
  actions: readonly (RuleAction | PlaybookAction)[],
): readonly Problem[] =>
  actions.flatMap((action, index) => {
    const path = `actions[${index}]`;
    switch (action.type) {
      case 'resolveTimer':
        return checkSpan(path, action);
      case 'title':
        return templateProblems(`${path}.template`, action.template);
      case 'note':
        return templateProblems(`${path}.text`, action.text);
      default:
        return [];
    }
  });
