import type { Tool } from '../reading/notation.ts';
import { acknowledgeOnly, prometheus, readPrometheus } from './prometheus.ts';

export const victoriametrics = {
  slug: 'victoriametrics',
  name: 'VictoriaMetrics',
  description: 'Sends alerts of vmalert, with Pager as its Alertmanager, also for VictoriaLogs.',
  problem: 'each alert, identified by all its labels',
  logo: 'victoriametrics',
  guide: {
    steps: [
      'Start vmalert with -notifier.url={url}. vmalert appends /api/v2/alerts. With the operator’s VMAlert, set spec.notifier as shown below and keep the rest of its spec.',
      'Give every alerting rule a severity label and a summary annotation. They become the severity and the title.',
    ],
    notes: [
      acknowledgeOnly,
      'An alert that vmalert no longer sends resolves automatically after four evaluation intervals or four times -rule.resendDelay, whichever is longer. If you set -rule.maxResolveDuration, keep it above both.',
      'vmalert sends no groups, so each alert opens its own incident. To group alerts by values, such as the title, change Group alerts in the settings of the integration.',
    ],
    snippets: [
      {
        file: 'vmalert.yaml',
        text: `apiVersion: operator.victoriametrics.com/v1beta1
kind: VMAlert
metadata:
  name: vmalert
spec:
  notifier:
    url: {url}`,
      },
    ],
  },
  forms: prometheus.forms,
  groupLimit: prometheus.groupLimit,
  // Alertmanager sends again on 5xx only.
  busy: 503,
  read: readPrometheus,
} satisfies Tool;
