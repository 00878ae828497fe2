import type { Tool } from '../reading/notation.ts';

export const appsignal = {
  slug: 'appsignal',
  name: 'AppSignal',
  description: 'Exception and performance incidents, and alerts of anomaly detection.',
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
      when: ['alert.site | alert.app_url', 'alert.metric_name | alert.trigger_description'],
      title: ['alert.trigger_description', 'alert.metric_name'],
      key: [
        ['alert.id'],
        ['alert.site', 'alert.environment', 'alert.number'],
        ['alert.site', 'alert.environment', 'alert.metric_name'],
        ['alert.site', 'alert.metric_name'],
      ],
      state: [
        { at: 'alert.state', trigger: 'open', resolve: 'closed', nothing: 'warmup untriggered' },
      ],
      links: { Alert: 'alert.url', Trigger: 'alert.edit_url' },
    },
    { when: ['marker.site | marker.revision'], state: [{ at: 'marker', else: 'nothing' }] },
  ],
  guide: {
    steps: [
      'The app, Notifications, Add integration: Webhook, with the URL {url}.',
      'Select exceptions, performance and anomaly detection; deploy markers open no incident.',
      'Alerts of anomaly detection resolve by themselves. Exceptions and performance incidents never do: set auto_resolve on the integration.',
    ],
  },
} as const satisfies Tool;
