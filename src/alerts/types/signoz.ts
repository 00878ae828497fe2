import type { Tool } from '../reading/notation.ts';
import { prometheus, readPrometheus } from './prometheus.ts';

export const signoz = {
  slug: 'signoz',
  name: 'SigNoz',
  description: 'Sends alerts with a webhook channel. Alerts of one group join one incident.',
  problem: 'each alert, identified by all its labels',
  guide: {
    steps: [
      'Go to Settings > Notification Channels (Alert Channels in older versions) > New Channel. Choose type Webhook and enter the Webhook URL {url}. Leave the user name and password empty.',
      'Keep "Send resolved alerts" on. Press Test, then save.',
      'Select the channel in every alert rule, under Notification Channels. A rule without a severity label opens incidents without a severity.',
    ],
    notes: [
      'A new integration adds the alerts that SigNoz sends as one group to one incident, which is resolved when none of them is active. To group by other values or not at all, change Group alerts in the settings of the integration.',
    ],
  },
  forms: prometheus.forms,
  // Alertmanager sends again on 5xx only.
  busy: 503,
  read: readPrometheus,
} satisfies Tool;
