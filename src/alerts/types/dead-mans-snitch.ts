import type { Tool } from '../reading/notation.ts';

export const deadMansSnitch = {
  slug: 'dead-mans-snitch',
  name: "Dead Man's Snitch",
  description: 'Jobs that did not report in time, or reported an error.',
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
    steps: [
      'Integrations of the case, Webhooks, Add: Hook URL {url}.',
      'Missing and errored snitches open incidents, and a report resolves them. A pause does nothing.',
    ],
  },
} as const satisfies Tool;
