import type { Tool } from '../reading/notation.ts';
import { acknowledgeOnly, prometheus, readPrometheus } from './prometheus.ts';

export const thanos = {
  slug: 'thanos',
  name: 'Thanos',
  description: 'Sends alerts of Thanos Ruler, with Pager as its Alertmanager.',
  problem: 'each alert, identified by all its labels',
  logo: 'thanos',
  guide: {
    steps: [
      'Create the file below, which sends to {url}. Thanos Ruler appends /api/v2/alerts.',
      'Start Thanos Ruler with --alertmanagers.config-file=alertmanagers.yaml, or for a single address with --alertmanagers.url={url}.',
      'Drop the replica labels with --alert.label-drop, so that replicas send one alert.',
    ],
    notes: [
      acknowledgeOnly,
      'Thanos Ruler sends no groups, so each alert opens its own incident. To group alerts by values, such as the title, change Group alerts in the settings of the integration.',
    ],
    snippets: [
      {
        file: 'alertmanagers.yaml',
        text: `alertmanagers:
  - api_version: v2
    scheme: {origin_scheme}
    static_configs: ["{origin_host}"]
    path_prefix: /hooks/{token}/push-events`,
      },
    ],
  },
  forms: prometheus.forms,
  groupLimit: prometheus.groupLimit,
  // Alertmanager sends again on 5xx only.
  busy: 503,
  read: readPrometheus,
} satisfies Tool;
