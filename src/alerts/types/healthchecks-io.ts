import type { Tool } from '../reading/notation.ts';

export const healthchecksIo = {
  slug: 'healthchecks-io',
  name: 'Healthchecks.io',
  description: 'Sends alerts of cron job checks with a webhook or its PagerTree integration.',
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
      'In the project, go to Integrations > Webhook > Add Integration.',
      'Under Execute when a check goes down, set POST {url}, the request body below, and the request header Content-Type: application/json.',
      'Under Execute when a check goes up, set the same. Without it, incidents are not resolved.',
      'Press Save Integration. Test! shows that the connection works and pages nobody. New checks use the integration automatically.',
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
