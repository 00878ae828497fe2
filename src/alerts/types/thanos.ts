import type { Tool } from '../reading/notation.ts';
import { acknowledgeOnly, prometheus, readPrometheus } from './prometheus.ts';

export const thanos = {
  slug: 'thanos',
  name: 'Thanos',
  description: 'Alerts of Thanos Ruler, which takes Pager for its Alertmanager.',
  problem: 'each alert, by all its labels',
  logo: 'thanos',
  guide: {
    steps: [
      'Write the file below, with host, scheme and path of {url}. Thanos Ruler adds /api/v2/alerts automatically.',
      'Start Thanos Ruler with --alertmanagers.config-file=alertmanagers.yaml, or for a single address with --alertmanagers.url={url}.',
      'Drop the labels of replicas with --alert.label-drop, so that replicas send one alert.',
      acknowledgeOnly,
    ],
    snippets: [
      {
        file: 'alertmanagers.yaml',
        text: `alertmanagers:
  - api_version: v2
    scheme: https
    static_configs: ["pager.example.com"]
    path_prefix: /hooks/{token}/push-events`,
      },
    ],
  },
  proof: 'wire',
  forms: prometheus.forms,
  // Alertmanager sends again on 5xx only.
  busy: 503,
  read: readPrometheus,
} satisfies Tool;
