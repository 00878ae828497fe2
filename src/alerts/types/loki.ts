import type { Tool } from '../reading/notation.ts';
import { acknowledgeOnly, prometheus, readPrometheus } from './prometheus.ts';

export const loki = {
  slug: 'loki',
  name: 'Grafana Loki',
  description: 'Sends alerts of the Loki ruler, with Pager as its Alertmanager.',
  problem: 'each alert, identified by all its labels',
  logo: 'grafana',
  guide: {
    steps: [
      'In the Loki configuration, set Pager as the Alertmanager of the ruler, as shown below. The ruler appends /api/v2/alerts to {url}.',
      'Give every alerting rule a severity label and a summary annotation. They become the severity and the title.',
      'Restart Loki. When the ruler no longer sends an alert, its incident is resolved.',
    ],
    notes: [
      acknowledgeOnly,
      'The ruler sends no groups, so each alert opens its own incident. To group alerts by values, such as the title, change Group alerts in the settings of the integration.',
    ],
    snippets: [
      {
        file: 'loki.yaml',
        text: `ruler:
  alertmanager_url: {url}
  enable_alertmanager_v2: true`,
      },
    ],
  },
  forms: prometheus.forms,
  // Alertmanager sends again on 5xx only.
  busy: 503,
  read: readPrometheus,
} satisfies Tool;
