import type { Tool } from '../reading/notation.ts';

export const pulsetic = {
  slug: 'pulsetic',
  name: 'Pulsetic',
  description: 'Sends offline monitors and expiring certificates.',
  problem: 'each monitor, and separately for its certificate or domain',
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
      'In the monitor, go to Alerts > Webhook. Enter the URL {url} and save. To test it, press Send Offline Request and Send Online Request.',
      'Repeat this for every monitor that should page. Both offline and online events are sent.',
    ],
    notes: [
      'Certificate and domain warnings have no end. For those, set auto_resolve on the integration.',
    ],
  },
} as const satisfies Tool;
