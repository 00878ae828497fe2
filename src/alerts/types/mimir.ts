import type { Tool } from '../reading/notation.ts';
import { acknowledgeOnly, MAX_ALERTS, prometheus, readPrometheus } from './prometheus.ts';

export const mimir = {
  slug: 'mimir',
  name: 'Grafana Mimir',
  description:
    'Sends alerts with the webhook receiver of the Mimir Alertmanager, or directly from the ruler.',
  problem: 'each alert, identified by all its labels',
  logo: 'grafana',
  guide: {
    steps: [
      'With the Mimir Alertmanager, add the receiver below to the configuration of the tenant, route to it, and upload it with mimirtool alertmanager load. Alerts of one group join one incident. The Prometheus Alertmanager guide describes groups, silences, clusters and authorization.',
      'Without it, set alertmanager_url of the ruler to {url}, as in mimir.yaml. The ruler appends /api/v2/alerts.',
    ],
    notes: [acknowledgeOnly],
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
  forms: prometheus.forms,
  groupLimit: prometheus.groupLimit,
  // Alertmanager sends again on 5xx only.
  busy: 503,
  read: readPrometheus,
} satisfies Tool;
