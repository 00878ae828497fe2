import type { Tool } from '../reading/notation.ts';

export const coralogix = {
  slug: 'coralogix',
  name: 'Coralogix',
  description: 'Sends alerts with a generic outbound webhook.',
  problem: 'each alert',
  knownAs: ['Coralogix', 'coralogix'],
  forms: [
    {
      when: ['alert_action', 'alert_id | alert_url | fields[key=alertUniqueIdentifier].value'],
      title: ['name', 'fields[key=text].value'],
      key: [['alert_id'], ['fields[key=alertUniqueIdentifier].value']],
      state: [{ at: 'alert_action', trigger: 'trigger', resolve: 'resolve' }],
      severity: {
        at: 'fields[key=severity].value',
        sev1: 'CRITICAL',
        sev2: 'ERROR',
        sev3: 'WARNING INFO VERBOSE DEBUG',
      },
      priority: 'fields[key=priority].value | fields[key=opsgeniePriority].value',
      links: { Alert: 'alert_url', Logs: 'log_url' },
    },
  ],
  guide: {
    steps: [
      'Go to Integrations > Integrations. Under Outbound Webhooks, choose Generic Webhook > Add New. Enter the URL {url}, choose method POST, and press Next. Do not change the message.',
      'Test & Save.',
      'In the Notification step of each alert, select Alerts, Signal-Based, add the webhook under Custom notifications, and turn on Notify when resolved.',
    ],
  },
} as const satisfies Tool;
