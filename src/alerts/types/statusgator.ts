import type { Tool } from '../reading/notation.ts';

export const statusgator = {
  slug: 'statusgator',
  name: 'StatusGator',
  description: 'Sends status changes of services and monitors on a board.',
  problem: 'each monitor, and separately for its early warnings',
  knownAs: ['StatusGator'],
  // It switches a webhook off that answers otherwise.
  status: 200,
  forms: [
    {
      // Its own guess, before the service admits anything; nothing tells of its end.
      when: ['type=EarlyWarningSignal', 'monitor | service'],
      title: ['{monitor.display_name | service.name}: {summary}', 'summary'],
      key: [
        ['monitor.id', 'type'],
        ['monitor.display_name | service.name', 'type'],
      ],
      state: [],
      severity: { at: 'type', sev3: 'EarlyWarningSignal' },
      links: { Service: 'service.landing_page_url', 'Status page': 'service.status_page_url' },
      omit: ['yes_vote_url', 'no_vote_url'],
    },
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
    {
      // Version 2.
      when: ['current_status', 'last_status', 'service_name | slug'],
      title: [
        '{service_name} is {current_status > take /^(up|down)$/}',
        '{service_name} {current_status > take /^(warn)$/}ing',
        '{service_name} {current_status}',
        'service_name',
      ],
      key: [['slug'], ['service_name']],
      state: [
        {
          at: 'current_status',
          trigger: 'down warn',
          resolve: 'up',
          nothing: 'maintenance unknown',
        },
      ],
      severity: { at: 'current_status', sev1: 'down', sev3: 'warn' },
      links: { 'Status page': 'status_page_url' },
    },
  ],
  guide: {
    steps: [
      'Go to Integrations > Advanced > Webhook > Add. Enter the URL {url}, then press Test Integrations. New webhooks use version 3.0. Older ones with version 2.0 are supported too.',
      'In the notification settings of each monitor, select what to send. Maintenance is ignored.',
    ],
    notes: [
      'Early warning signals have no end. If you turn them on, set auto_resolve on the integration.',
    ],
  },
} as const satisfies Tool;
