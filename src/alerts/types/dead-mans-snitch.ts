import type { Tool } from '../reading/notation.ts';

export const deadMansSnitch = {
  slug: 'dead-mans-snitch',
  name: "Dead Man's Snitch",
  description: 'Jobs that did not report in time, or reported an error.',
  knownAs: ["Dead Man's Snitch", 'DeadMansSnitch'],
  forms: [
    {
      when: ['type~^snitch\\.', 'data.snitch'],
      title: ['data.snitch.name', 'data.snitch.token'],
      key: [['data.snitch.token'], ['data.snitch.name']],
      state: [
        {
          at: 'type',
          trigger: 'snitch.missing snitch.errored',
          resolve: 'snitch.reporting',
          else: 'nothing',
        },
      ],
    },
  ],
  guide: {
    steps: [
      'The case, Integrations, Webhook: add the URL {url}.',
      'Keep the alerts for missing, errored and reporting snitches on: reporting resolves.',
    ],
  },
} as const satisfies Tool;
