import type { Tool } from '../reading/notation.ts';

export const newrelic = {
  slug: 'newrelic',
  name: 'New Relic',
  description:
    'Sends issues with a workflow and a webhook. Notification channels of older alerts are supported too.',
  problem: 'each issue, and for older alerts each incident of a condition',
  logo: 'newrelic',
  knownAs: ['New Relic', 'NewRelic', 'NewRelicV2', 'newrelic'],
  forms: [
    {
      when: [
        'issueUrl | issuePageUrl | alertConditionNames | alertPolicyNames',
        'state | workflowName | priority',
      ],
      title: ['title', 'issueTitle', 'alertConditionNames[0]', 'alertPolicyNames[0]'],
      key: [['id'], ['issueId'], ['issueUrl > take /issues\\/([\\w-]+)/'], ['title']],
      state: [
        {
          at: 'state',
          trigger: 'CREATED ACTIVATED',
          acknowledge: 'ACKNOWLEDGED',
          resolve: 'CLOSED RESOLVED',
          nothing: 'DEACTIVATED',
        },
      ],
      severity: 'priority',
      links: { Issue: ['issueUrl', 'issuePageUrl'], Runbook: 'runbookUrl | runbook_url' },
    },
    {
      // Channels of the alerts before workflows.
      when: ['current_state | incident_url', 'incident_id | condition_id | condition_name'],
      title: ['condition_name', 'policy_name', 'details'],
      key: [
        ['incident_id'],
        ['incident_url > take /incidents\\/(\\d+)/'],
        ['condition_id', 'targets > hash'],
        ['condition_id'],
      ],
      was: [['incident_id'], ['incident_url > take /incidents\\/(\\d+)/'], ['condition_id']],
      state: [
        {
          at: 'current_state',
          trigger: 'open',
          acknowledge: 'acknowledged',
          resolve: 'closed',
          nothing: 'test',
        },
      ],
      severity: 'severity',
      links: { Incident: 'incident_url', Policy: 'policy_url', Runbook: 'runbook_url' },
    },
  ],
  guide: {
    steps: [
      'Go to Alerts > Destinations > Webhook. Enter the Endpoint URL {url}.',
      'Go to Alerts > Workflows > Add a workflow. Filter the issues, notify by Webhook, and choose the destination.',
      'Use the template below, or keep the default one. Keep the notification triggers Activated, Acknowledged and Closed (the three dots of the destination, Notify when). Without Closed, incidents are not resolved.',
      'Press Send test notification, and activate the workflow.',
    ],
    snippets: [
      {
        file: 'Template',
        text: `{
  "id": {{ json issueId }},
  "issueUrl": {{ json issuePageUrl }},
  "title": {{ json annotations.title.[0] }},
  "priority": {{ json priority }},
  "state": {{ json state }},
  "trigger": {{ json triggerEvent }},
  "impactedEntities": {{ json entitiesData.names }},
  "alertPolicyNames": {{ json accumulations.policyName }},
  "alertConditionNames": {{ json accumulations.conditionName }},
  "workflowName": {{ json workflowName }}
}`,
      },
    ],
  },
} as const satisfies Tool;
