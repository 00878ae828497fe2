import { answerPagerDuty } from '../handshakes.ts';
import type { Tool } from '../reading/notation.ts';

export const pagerdutyWebhookV3 = {
  slug: 'pagerduty-webhook-v3',
  name: 'PagerDuty webhook',
  description: 'Sends PagerDuty incidents with outgoing webhooks, version 3.',
  problem: 'each incident',
  logo: 'pagerduty',
  handshake: answerPagerDuty,
  forms: [
    {
      when: ['event.event_type', 'event.data | event.resource_type'],
      title: ['event.data.title', 'event.data.summary', 'event.data.incident.summary'],
      key: [['event.data.incident.id'], ['event.data.id']],
      state: [
        {
          at: 'event.event_type',
          trigger: 'incident.triggered incident.reopened',
          acknowledge: 'incident.acknowledged',
          resolve: 'incident.resolved',
          else: 'nothing',
        },
      ],
      severity: { at: 'event.data.urgency', sev1: 'high', sev3: 'low' },
      priority: ['event.data.priority.summary', 'event.data.priority.name'],
      links: { PagerDuty: 'event.data.html_url', Service: 'event.data.service.html_url' },
    },
    {
      // Version 2, which PagerDuty no longer offers and some relays still send.
      when: ['messages[0].incident'],
      each: 'messages',
      title: ['incident.title', 'incident.summary', 'incident.description'],
      key: [['incident.id']],
      state: [
        {
          at: 'event',
          trigger: 'incident.trigger',
          acknowledge: 'incident.acknowledge',
          resolve: 'incident.resolve',
          else: 'nothing',
        },
      ],
      severity: { at: 'incident.urgency', sev1: 'high', sev3: 'low' },
      links: { PagerDuty: 'incident.html_url' },
    },
  ],
  guide: {
    steps: [
      'In PagerDuty, go to Integrations > Generic Webhooks (v3) > New Webhook. Enter the Webhook URL {url} and choose the scope: a service, a team or the account.',
      'Under Event subscription, select incident.triggered, incident.acknowledged, incident.resolved and incident.reopened. Press Add Webhook, then Send Test.',
    ],
    notes: [
      'The urgency becomes the severity (high is sev1, low is sev3). Priorities P1 to P5 are kept.',
    ],
  },
} as const satisfies Tool;
