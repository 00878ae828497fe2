import type { Tool } from '../reading/notation.ts';

export const deadMansSnitch = {
  slug: 'dead-mans-snitch',
  name: "Dead Man's Snitch",
  description: 'Sends an alert when a job does not report in time or reports an error.',
  problem: 'each snitch',
  knownAs: ["Dead Man's Snitch", 'DeadMansSnitch'],
  forms: [
    {
      when: ['data.snitch.token | data.snitch.name'],
      title: ['data.snitch.name', 'data.snitch.token'],
      key: [['data.snitch.token'], ['data.snitch.name']],
      state: [
        {
          at: 'type',
          trigger: 'snitch.missing snitch.errored',
          resolve: 'snitch.reporting',
          else: 'nothing',
        },
        { at: 'data.snitch.status', trigger: 'missing errored', resolve: 'healthy' },
      ],
    },
  ],
  guide: {
    steps: ['In the case, go to Integrations > Webhooks > Add. Enter the Hook URL {url}.'],
    notes: [
      'Missing and errored snitches open incidents, and a report resolves them. A pause has no effect.',
    ],
  },
} as const satisfies Tool;
