import type { Tool } from '../reading/notation.ts';
import { acknowledgeOnly, prometheus, readPrometheus } from './prometheus.ts';

export const loki = {
  slug: 'loki',
  name: 'Grafana Loki',
  description: 'Alerts of the ruler of Loki, which takes Pager for its Alertmanager.',
  problem: 'each alert, by all its labels',
  logo: 'grafana',
  guide: {
    steps: [
      'Set Pager as the Alertmanager of the ruler in the configuration of Loki, as below. The ruler adds /api/v2/alerts to {url} automatically.',
      'Give every alerting rule a severity label and a summary annotation: they become severity and title.',
      acknowledgeOnly,
      'Restart Loki. An alert that the ruler no longer sends is resolved.',
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
  proof: 'wire',
  forms: prometheus.forms,
  // Alertmanager sends again on 5xx only.
  busy: 503,
  read: readPrometheus,
} satisfies Tool;
