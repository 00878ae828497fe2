import type { Tool } from '../reading/notation.ts';

export const betterstack = {
  slug: 'betterstack',
  name: 'Better Stack',
  description: 'Sends Better Stack Uptime incidents and errors with outgoing webhooks.',
  problem: 'each incident',
  logo: 'betterstack',
  knownAs: ['Better Stack', 'Better Uptime', 'BetterStack', 'BetterUptime', 'betterstack'],
  forms: [
    {
      when: ['data.type=error', 'data.attributes'],
      name: 'data.attributes.error_type',
      message: 'data.attributes.error_message',
      key: [['data.id']],
      state: [
        {
          at: 'data.attributes.event',
          trigger: 'new_error threshold spike reoccurred unresolved',
          resolve: 'resolved ignored',
        },
      ],
      links: { Error: 'data.attributes.error_url' },
    },
    {
      // Who is on call there, and which monitors there are.
      when: ['data.type~^(monitor|heartbeat|on_call|on-call|release|contact)', 'data.attributes'],
      title: 'data.attributes.name',
      state: [{ at: 'data.type', else: 'nothing' }],
    },
    {
      when: ['data.attributes.cause | data.attributes.started_at', 'data.attributes'],
      name: ['data.attributes.name', 'data.attributes.url'],
      message: 'data.attributes.cause',
      key: [['data.id'], ['data.attributes.name'], ['data.attributes.url']],
      state: [
        {
          at: 'event',
          trigger: /start|creat|open/,
          acknowledge: /acknowledg/,
          resolve: /resol/,
          nothing: /comment|update/,
        },
        { at: 'data.attributes.resolved_at', resolve: /./ },
        { at: 'data.attributes.acknowledged_at', acknowledge: /./ },
      ],
      links: {
        Monitored: 'data.attributes.url',
        Screenshot: 'data.attributes.screenshot_url',
        Response: 'data.attributes.response_url',
      },
    },
  ],
  guide: {
    steps: [
      'Go to Uptime > Integrations > Exporting data > Outgoing webhooks > Configure. Choose type Incident and enter the Webhook URL {url}.',
      'For errors, go to Outgoing webhooks > Error webhook > Add. Enter the same URL and choose the events New error, Reoccurred and Resolved.',
    ],
    notes: ['The webhook sends incidents when they start, are acknowledged and are resolved.'],
  },
} as const satisfies Tool;
