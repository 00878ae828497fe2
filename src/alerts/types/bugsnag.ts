import type { Tool } from '../reading/notation.ts';

export const bugsnag = {
  slug: 'bugsnag',
  name: 'BugSnag',
  description: 'Sends errors and spikes with a project webhook.',
  problem: 'each error of a project',
  knownAs: ['Bugsnag', 'BugSnag', 'bugsnag'],
  forms: [
    {
      when: ['trigger.type | error.errorId | error.exceptionClass', 'project | error | account'],
      title: [
        '{error.exceptionClass}: {error.message}',
        'error.exceptionClass',
        'error.message',
        '{project.name}: {trigger.message}',
        'trigger.message',
      ],
      key: [['error.errorId'], ['error.id > cut /:.*$/'], ['project.id', 'trigger.type']],
      state: [
        {
          at: 'trigger.type',
          trigger:
            'firstException errorEventFrequency powerTen exception reopened projectSpiking errorSpiking',
          nothing: 'release comment projectSamplingStarted projectApproachingRateLimit',
        },
        {
          at: 'trigger.stateChange',
          trigger: 'open opened reopened',
          resolve: 'fixed ignored discarded',
          else: 'nothing',
        },
        {
          at: 'error.status',
          trigger: 'open',
          resolve: 'fixed ignored discarded',
          else: 'nothing',
        },
      ],
      severity: 'error.severity',
      links: { Error: 'error.url', Project: 'project.url' },
    },
  ],
  guide: {
    steps: [
      'Go to Project settings > Integrations (or Data forwarding) > Webhook. Enter the URL {url}, test it, and save.',
      'Select the triggers A new error occurs, An error is automatically reopened, and This project has a spike in errors. You do not need Every time an error occurs.',
      'Also select A collaborator changes the state of an error, so that an error marked as fixed resolves. The end of a spike is never sent, so set auto_resolve on the integration.',
    ],
  },
} as const satisfies Tool;
