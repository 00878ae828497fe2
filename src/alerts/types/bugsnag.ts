import type { Tool } from '../reading/notation.ts';

export const bugsnag = {
  slug: 'bugsnag',
  name: 'BugSnag',
  description: 'Errors and spikes by the webhook of a project.',
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
      'Project settings, Integrations (or Data forwarding), Webhook: URL {url}. Test it, and save.',
      'Triggers: A new error occurs, An error is automatically reopened, This project has a spike in errors. Every time an error occurs is not needed.',
      'Also select A collaborator changes the state of an error: an error marked as fixed then resolves. The end of a spike is never sent: set auto_resolve of the integration.',
    ],
  },
} as const satisfies Tool;
