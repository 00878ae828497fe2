import type { Tool } from '../reading/notation.ts';
import { acknowledgeOnly, prometheus, readPrometheus } from './prometheus.ts';

export const victoriametrics = {
  slug: 'victoriametrics',
  name: 'VictoriaMetrics',
  description:
    'Alerts of vmalert, which takes Pager for its Alertmanager; vmalert of VictoriaLogs too.',
  problem: 'each alert, by all its labels',
  logo: 'victoriametrics',
  guide: {
    steps: [
      'Start vmalert with -notifier.url={url}; it adds /api/v2/alerts automatically. With VMAlert of the operator, set spec.notifier as below; the rest of its spec stays.',
      'Give every alerting rule a severity label and a summary annotation: they become severity and title.',
      acknowledgeOnly,
      'An alert that vmalert does not send again resolves automatically after four evaluation intervals or four times -rule.resendDelay, whichever is longer. If you set -rule.maxResolveDuration, keep it above both.',
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
  proof: 'wire',
  forms: prometheus.forms,
  // Alertmanager sends again on 5xx only.
  busy: 503,
  read: readPrometheus,
} satisfies Tool;
