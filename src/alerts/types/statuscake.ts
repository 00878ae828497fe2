import type { Tool } from '../reading/notation.ts';

export const statuscake = {
  slug: 'statuscake',
  name: 'StatusCake',
  description: 'Sends uptime tests with a contact group webhook.',
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
      'Go to Alerting > Contact Groups > New Contact Group. Enter the Webhook URL {url} and choose Webhook Request Method POST.',
      'Go to Monitoring > Uptime. In each test, choose the group under Contact Groups. It sends Down, and Up when the test passes again.',
    ],
  },
} as const satisfies Tool;
