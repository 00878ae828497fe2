import type { Tool } from '../reading/notation.ts';

export const apexPing = {
  slug: 'apex-ping',
  name: 'Apex Ping',
  description: 'Sends alerts of checks by webhook.',
  problem: 'each alert rule of each check',
  knownAs: ['Apex Ping'],
  forms: [
    {
      when: ['check.id | check.name | alert.id', 'alert.stat | alert.window_duration | alert.op'],
      name: 'check.name',
      message: ['{alert.type} {alert.stat} {value}', '{alert.type} {value}', 'alert.type'],
      key: [['alert.id', 'check.id'], ['check.id'], ['check.name'], ['alert.id']],
      state: [{ at: 'state', trigger: 'triggered', resolve: 'resolved' }],
      links: { Check: 'check.url' },
    },
  ],
  guide: {
    steps: [
      'Go to Menu > Alerts > Add Alert. Choose Webhook, enter the URL {url}, and choose every check or a single one and the metric. Save.',
      'Repeat this for every metric that should page. Resolved messages are sent automatically.',
    ],
  },
} as const satisfies Tool;
