import type { Tool } from '../reading/notation.ts';

export const netbox = {
  slug: 'netbox',
  name: 'NetBox',
  description:
    'Sends objects whose status becomes failed or offline, and failed jobs. Other changes are ignored.',
  problem: 'each job, or each changed object',
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
      'Go to Operations > Integrations > Webhooks > Add. Enter the URL {url}, HTTP method POST and HTTP content type application/json. Leave the body template empty.',
      'Go to Operations > Integrations > Event Rules > Add. Choose the object types that should page, the event type Object updated (and Job failed, Job errored, Job completed), the action type Webhook, and the webhook.',
      'Add conditions to limit the rule to objects that should page. The status failed or offline opens an incident, and active resolves it. Every other change is ignored.',
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
