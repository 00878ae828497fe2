import type { Tool } from '../reading/notation.ts';

export const appsignal = {
  slug: 'appsignal',
  name: 'AppSignal',
  description: 'Exception and performance incidents, and alerts of anomaly detection.',
  problem: 'each error, performance problem or trigger of an app and its environment',
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
      'App settings, Integrations (in older versions Notifications), Add integration: Webhook, with the URL {url}.',
      'Select exceptions, performance and anomaly detection; deploy markers open no incident.',
      'Anomaly detection alerts resolve automatically. Exceptions and performance incidents never do: set auto_resolve of the integration.',
    ],
  },
} as const satisfies Tool;
