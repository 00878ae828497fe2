import type { Tool } from '../reading/notation.ts';
import { prometheus, readPrometheus } from './prometheus.ts';

export const alertmanager = {
  slug: 'alertmanager',
  name: 'Prometheus Alertmanager',
  description: 'The webhook receiver of Alertmanager; each alert of a group is its own incident.',
  problem: 'each alert, by all its labels',
  logo: 'prometheus',
  knownAs: ['AlertManager', 'Alertmanager', 'Prometheus Alertmanager', 'legacy_alertmanager'],
  guide: {
    steps: [
      'Add the receiver below to alertmanager.yml, with {url} as its address.',
      'Route to it: route: { receiver: pager }. Reload Alertmanager.',
    ],
    snippets: prometheus.guide.snippets,
  },
  forms: [
    { ...prometheus.forms[0], when: ['alerts', 'groupKey', 'receiver', 'version=4'] },
    ...prometheus.forms,
  ],
  // Alertmanager sends again on 5xx only.
  busy: 503,
  read: readPrometheus,
  testRequest: prometheus.testRequest,
} as const satisfies Tool;
