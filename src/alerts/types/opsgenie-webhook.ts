import type { Tool } from '../reading/notation.ts';

export const opsgenieWebhook = {
  slug: 'opsgenie-webhook',
  name: 'Opsgenie webhook',
  description: 'Sends alerts of Opsgenie or Jira Service Management with an outgoing webhook.',
  problem: 'each alias, or each alert if there is no alias',
  logo: 'opsgenie',
  forms: [
    {
      when: ['alert.alertId | alert.tinyId', 'action | integrationType | integrationId'],
      title: ['alert.message', 'alert.alias'],
      key: [['alert.alias'], ['alert.alertId']],
      state: [
        {
          at: 'action',
          trigger: 'Create',
          acknowledge: 'Acknowledge',
          resolve: 'Close Delete',
          else: 'nothing',
        },
      ],
      priority: 'alert.priority',
    },
  ],
  guide: {
    steps: [
      'In Opsgenie, go to Settings > Integrations > Add integration and choose Webhook. In Jira Service Management, go to Operations, open the team, go to Integrations > Add integration, and choose Webhook.',
      'Enter the Webhook URL {url}. Under outgoing automation, send when an alert is created, acknowledged, closed and deleted. Turn on the integration.',
    ],
    notes: [
      'Notes, tags, owners and escalations are sent too if you select them. Pager ignores them.',
    ],
  },
} as const satisfies Tool;
