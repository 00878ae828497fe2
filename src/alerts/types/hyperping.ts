import type { Tool } from '../reading/notation.ts';

export const hyperping = {
  slug: 'hyperping',
  name: 'Hyperping',
  description: 'Sends down and up events of monitors.',
  problem: 'each monitor',
  knownAs: ['Hyperping'],
  forms: [
    {
      when: ['check.url | check.monitorUuid', 'check.downtime | check.down | pings'],
      title: [
        '{check.name | check.url} is {event > take /^check\\.(up|down)$/}',
        'check.name | check.url',
      ],
      key: [['check.monitorUuid'], ['check.url'], ['check.name']],
      state: [
        { at: 'event', trigger: 'check.down', resolve: 'check.up' },
        { at: 'check.down', trigger: 'true', resolve: 'false' },
      ],
      links: { Monitor: 'check.url' },
    },
  ],
  guide: {
    steps: [
      'Go to Integrations > Webhooks > Connect and paste {url}.',
      'Select the webhook in the monitors that should page. Both down and up events are sent.',
    ],
  },
} as const satisfies Tool;
