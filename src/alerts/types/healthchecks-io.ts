import type { Tool } from '../reading/notation.ts';

export const healthchecksIo = {
  slug: 'healthchecks-io',
  name: 'Healthchecks.io',
  description:
    'Checks of cron jobs, by a webhook with the body of the guide, or by its PagerTree one.',
  problem: 'each check',
  knownAs: ['Healthchecks.io', 'Healthchecks', 'healthchecks.io', 'healthchecks'],
  forms: [
    {
      // PagerTree. Its test notifications are about a check TEST.
      when: ['incident_key | event_type', 'client~(?i)healthchecks'],
      title: ['title', 'description'],
      key: [['incident_key']],
      state: [{ at: 'title', nothing: /^TEST is / }, { at: 'event_type' }],
      links: { Check: 'client_url' },
    },
    {
      when: ['code', 'status', 'name | exitstatus | now'],
      title: ['{name} is {status}', 'name'],
      key: [['code'], ['name']],
      state: [
        { at: 'name', nothing: /^TEST$/ },
        { at: 'status', trigger: 'down', resolve: 'up', nothing: 'new paused started grace' },
      ],
      links: { Check: 'url' },
    },
  ],
  guide: {
    steps: [
      'The project, Integrations, Webhook, Add Integration.',
      'Execute when a check goes down: POST {url}, the request body below, request header Content-Type: application/json.',
      'Execute when a check goes up: the same again. Without it nothing is resolved.',
      'Save Integration. Test! shows that the connection works, and pages nobody. New checks use the integration automatically.',
    ],
    snippets: [
      {
        file: 'Request Body',
        text: `{
  "code": "$CODE",
  "name": "$NAME",
  "status": "$STATUS",
  "tags": "$TAGS",
  "now": "$NOW",
  "exitstatus": "$EXITSTATUS"
}`,
      },
    ],
  },
} as const satisfies Tool;
