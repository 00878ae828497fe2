import type { Tool } from '../reading/notation.ts';

export const appsignal = {
  slug: 'appsignal',
  name: 'AppSignal',
  description: 'Sends exception and performance incidents, and anomaly detection alerts.',
  problem: 'each error, performance problem or trigger of an app in an environment',
  logo: 'appsignal',
  knownAs: ['AppSignal', 'appsignal'],
  forms: [
    {
      when: ['exception.site | exception.app_url', 'exception.exception | exception.number'],
      name: 'exception.exception',
      message: 'exception.message',
      key: [
        ['exception.site', 'exception.environment', 'exception.number'],
        ['exception.site', 'exception.environment', 'exception.exception', 'exception.action'],
        ['exception.site', 'exception.exception'],
      ],
      state: [],
      links: { Incident: 'exception.url' },
    },
    {
      when: ['performance.site | performance.app_url'],
      title: ['{performance.action} is slow', 'performance.action'],
      key: [
        ['performance.site', 'performance.environment', 'performance.number'],
        ['performance.site', 'performance.environment', 'performance.action'],
      ],
      state: [],
      links: { Incident: 'performance.url' },
    },
    {
      // Anomaly detection.
      when: ['alert_id | alert_url', 'trigger_label | trigger_description | metric_name'],
      title: ['{trigger_label} of {site}', 'trigger_label', 'trigger_description', 'metric_name'],
      key: [['alert_id'], ['site', 'environment', 'metric_name', 'tags > hash'], ['metric_name']],
      state: [
        {
          at: 'state',
          trigger: 'open',
          resolve: 'closed archived',
          nothing: 'warmup cooldown untriggered',
        },
      ],
      links: { Alert: 'alert_url', Trigger: 'edit_trigger_url' },
    },
    { when: ['marker.site | marker.revision'], state: [{ at: 'marker', else: 'nothing' }] },
  ],
  guide: {
    steps: [
      'Go to App settings > Integrations (Notifications in older versions) > Add integration. Choose Webhook and enter the URL {url}.',
      'Select exceptions, performance and anomaly detection. Deploy markers open no incident.',
    ],
    notes: [
      'Anomaly detection alerts resolve automatically. Exceptions and performance incidents never do, so set auto_resolve on the integration.',
    ],
  },
} as const satisfies Tool;
