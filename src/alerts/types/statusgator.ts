import type { Tool } from '../reading/notation.ts';

export const statusgator = {
  slug: 'statusgator',
  name: 'StatusGator',
  description: 'Changes of the status of services and monitors on a board.',
  knownAs: ['StatusGator'],
  forms: [
    {
      when: ['status', 'previous_status | recorded_at', 'monitor | service'],
      title: [
        '{monitor.display_name | service.name} is {status > take /^(up|down)$/}',
        '{monitor.display_name | service.name} {status > take /^(warn)$/}ing',
        '{monitor.display_name | service.name} {status}',
        'monitor.display_name | service.name',
      ],
      key: [['monitor.id'], ['service.id'], ['monitor.display_name | service.name']],
      state: [
        {
          at: 'status',
          trigger: 'down warn',
          resolve: 'up',
          nothing: 'maintenance unknown',
        },
      ],
      severity: { at: 'status', sev1: 'down', sev3: 'warn' },
      links: { Service: 'service.landing_page_url', 'Status page': 'service.status_page_url' },
    },
  ],
  guide: {
    steps: [
      'The board, Settings, Integrations, Webhook: add {url}, format JSON.',
      'Select the changes to send: down, warning and up. Maintenance is sent too if selected, and asks for nothing.',
    ],
  },
} as const satisfies Tool;
