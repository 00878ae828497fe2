import type { Tool } from '../reading/notation.ts';

export const netbox = {
  slug: 'netbox',
  name: 'NetBox',
  description:
    'Objects whose status becomes failed or offline, and jobs that fail; no other changes.',
  problem: 'each job, or object that was changed',
  forms: [
    {
      when: ['event~^job_', 'data | model'],
      title: ['{data.name} {event > cut /^job_/}', 'data.name', 'event'],
      key: [
        ['model', 'data.name'],
        ['model', 'data.object_type', 'data.object_id'],
      ],
      state: [
        {
          at: 'event',
          trigger: 'job_failed job_errored',
          resolve: 'job_completed',
          else: 'nothing',
        },
      ],
    },
    {
      when: ['event~^(updated|object_updated)$', 'model', 'data'],
      title: [
        '{data.display | data.name} is {data.status.value | data.status}',
        'data.display | data.name',
      ],
      key: [
        ['model', 'data.id'],
        ['model', 'data.name'],
      ],
      state: [
        {
          at: 'data.status.value | data.status',
          trigger: 'failed offline',
          resolve: 'active',
          else: 'nothing',
        },
        { at: 'event', else: 'nothing' },
      ],
      links: { Object: 'data.display_url' },
    },
    {
      when: ['event', 'model', 'username | request_id | snapshots'],
      state: [{ at: 'event', else: 'nothing' }],
    },
  ],
  guide: {
    steps: [
      'Operations, Integrations, Webhooks, Add: URL {url}, HTTP method POST, HTTP content type application/json. Leave the body template empty.',
      'Operations, Integrations, Event Rules, Add: the object types that are to page, event type Object updated (and Job failed, Job errored, Job completed), action type Webhook, the webhook.',
      'Restrict the rule by conditions to what pages. The status failed or offline opens an incident, active resolves it; every other change is ignored.',
    ],
    snippets: [
      {
        file: 'conditions.json',
        text: `{
  "and": [
    { "attr": "status.value", "value": ["failed", "offline", "active"], "op": "in" },
    { "attr": "role.slug", "value": "core-router" }
  ]
}`,
      },
    ],
  },
} as const satisfies Tool;
