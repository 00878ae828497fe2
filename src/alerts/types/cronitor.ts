import type { Tool } from '../reading/notation.ts';

export const cronitor = {
  slug: 'cronitor',
  name: 'Cronitor',
  description: 'Sends alerts and recoveries of jobs, heartbeats and checks.',
  problem: 'each monitor in each environment',
  knownAs: ['Cronitor'],
  forms: [
    {
      when: ['type~(?i)^(alert|recovery|test)', 'monitor | rule'],
      title: 'monitor',
      // One monitor watches each of its environments by itself.
      key: [['id', 'environment'], ['id'], ['monitor', 'environment'], ['monitor']],
      state: [{ at: 'type', trigger: 'Alert', resolve: 'Recovery', nothing: 'Test' }],
      links: { Issue: 'issue_url', Monitor: 'monitor_url' },
    },
  ],
  guide: {
    steps: [
      'Go to Settings > Integrations > Create Integration > Webhooks. Enter a name, a unique identifier and the URL {url}, and press Create Integration.',
      'Add the integration to each notification list that should page. Recoveries are sent automatically.',
    ],
  },
} as const satisfies Tool;
