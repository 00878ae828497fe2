import type { Tool } from '../reading/notation.ts';
import { acknowledgeOnly, MAX_ALERTS, prometheus, readPrometheus } from './prometheus.ts';

export const mimir = {
  slug: 'mimir',
  name: 'Grafana Mimir',
  description: 'The Alertmanager of Mimir by a webhook receiver, or its ruler without one.',
  problem: 'each alert, by all its labels',
  logo: 'grafana',
  guide: {
    steps: [
      'With the Alertmanager of Mimir: add the receiver below to the configuration of the tenant, route to it, and upload it with mimirtool alertmanager load. The guide of Prometheus Alertmanager describes groups, silences, clusters and authorization.',
      'Without it: set alertmanager_url of the ruler to {url}, as in mimir.yaml. The ruler adds /api/v2/alerts automatically.',
      acknowledgeOnly,
    ],
    snippets: [
      {
        file: 'alertmanager.yaml',
        text: `route:
  receiver: pager
receivers:
  - name: pager
    webhook_configs:
      - url: {url}
        send_resolved: true
        max_alerts: ${MAX_ALERTS}`,
      },
      {
        file: 'mimir.yaml',
        text: `ruler:
  alertmanager_url: {url}`,
      },
    ],
  },
  proof: 'wire',
  forms: prometheus.forms,
  // Alertmanager sends again on 5xx only.
  busy: 503,
  read: readPrometheus,
} satisfies Tool;
