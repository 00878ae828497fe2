import type { Tool } from '../reading/notation.ts';

export const opsgenieWebhook = {
  slug: 'opsgenie-webhook',
  name: 'Opsgenie webhook',
  description: 'Alerts of Opsgenie or Jira Service Management, by their outgoing webhook.',
  problem: 'each alias; without one each alert',
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
      'Opsgenie: Settings, Integrations, Add integration: Webhook. Jira Service Management: Operations, the team, Integrations, Add integration: Webhook.',
      'Webhook URL {url}. Under outgoing automation, send when an alert is created, acknowledged, closed and deleted. Turn on the integration.',
      'Notes, tags, owners and escalations are sent too if you select them. Pager ignores them.',
    ],
  },
} as const satisfies Tool;
