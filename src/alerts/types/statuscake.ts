import type { Tool } from '../reading/notation.ts';

export const statuscake = {
  slug: 'statuscake',
  name: 'StatusCake',
  description: 'Uptime tests, by the webhook of a contact group.',
  problem: 'each test',
  knownAs: ['StatusCake', 'Statuscake', 'statuscake'],
  forms: [
    {
      when: ['TestID | Checkrate | Token', 'Status | StatusCode', 'Name | URL'],
      title: ['{Name} is {Status}', '{URL} is {Status}', 'Name', 'URL'],
      key: [['TestID'], ['URL'], ['Name']],
      state: [
        { at: 'Status', trigger: 'Down', resolve: 'Up' },
        { at: 'StatusCode', resolve: /^2/ },
      ],
      links: { Tested: 'URL' },
      // Made of the name of the user and the API key.
      omit: ['Token'],
    },
  ],
  guide: {
    steps: [
      'Alerting, Contact Groups, New Contact Group: Webhook URL {url}, Webhook Request Method POST.',
      'Monitoring, Uptime, each test, Contact Groups: choose the group. It sends Down, and Up when the test passes again.',
    ],
  },
} as const satisfies Tool;
