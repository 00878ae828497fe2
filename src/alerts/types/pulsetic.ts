import type { Tool } from '../reading/notation.ts';

export const pulsetic = {
  slug: 'pulsetic',
  name: 'Pulsetic',
  description: 'Monitors that go offline, and certificates that expire.',
  problem: 'each monitor, and its certificate or domain by itself',
  knownAs: ['Pulsetic'],
  forms: [
    {
      when: ['alert_type~^monitor_'],
      title: [
        '{monitor.name | monitor.url} {alert_type > take /^monitor_(\\w+)$/}',
        'monitor.name | monitor.url',
      ],
      key: [['monitor.id'], ['monitor.url']],
      state: [
        {
          at: 'alert_type',
          trigger: 'monitor_offline',
          resolve: 'monitor_online',
          else: 'nothing',
        },
      ],
      links: { Monitor: 'monitor.url' },
    },
    {
      when: ['alert_type', 'monitor.id | monitor.url | days_left'],
      title: [
        '{monitor.name | monitor.url} certificate expires in {days_left} days',
        '{monitor.name | monitor.url}: {alert_type}',
        'monitor.name | monitor.url',
      ],
      key: [
        ['monitor.id', 'alert_type'],
        ['monitor.url', 'alert_type'],
      ],
      state: [{ at: 'alert_type', nothing: /(^|_)test/ }],
      links: { Monitor: 'monitor.url' },
    },
  ],
  guide: {
    steps: [
      'The monitor, Alerts, Webhook: URL {url}. Save, and test it by Send Offline Request and Send Online Request.',
      'Repeat it for every monitor that should page. Offline and online are both sent.',
      'Warnings of certificates and domains have no end: set auto_resolve of the integration for those.',
    ],
  },
} as const satisfies Tool;
