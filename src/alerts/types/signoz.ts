import type { Tool } from '../reading/notation.ts';
import { prometheus, readPrometheus } from './prometheus.ts';

export const signoz = {
  slug: 'signoz',
  name: 'SigNoz',
  description: 'Alerts through a webhook channel; each alert of a group is its own incident.',
  problem: 'each alert, by all its labels',
  guide: {
    steps: [
      'Settings, Notification Channels (in older versions Alert Channels), New Channel: type Webhook, Webhook URL {url}; leave user name and password empty.',
      'Keep "Send resolved alerts" on, and press Test. Save.',
      'Name the channel in every alert rule, under Notification Channels. A rule without a severity label opens incidents without severity.',
    ],
  },
  proof: 'wire',
  forms: prometheus.forms,
  // Alertmanager sends again on 5xx only.
  busy: 503,
  read: readPrometheus,
} satisfies Tool;
