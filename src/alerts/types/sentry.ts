import type { Tool } from '../reading/notation.ts';

export const sentry = {
  slug: 'sentry',
  name: 'Sentry',
  description: 'Sends metric alerts, issue alerts and issues with an internal integration.',
  problem: 'each issue or metric alert',
  logo: 'sentry',
  knownAs: ['Sentry', 'sentry', 'sentry_platform'],
  headers: ['sentry-hook-resource'],
  forms: [
    {
      // The title of a metric alert is a random code name.
      when: ['data.metric_alert'],
      title: [
        'data.metric_alert.alert_rule.name',
        'data.description_title > stem',
        'data.description_text',
      ],
      key: [['data.metric_alert.id'], ['data.metric_alert.identifier']],
      state: [{ at: 'action', trigger: 'critical warning open', resolve: 'resolved close' }],
      severity: 'action',
      links: { Alert: 'data.web_url' },
    },
    {
      when: ['data.issue', 'action | installation.uuid'],
      title: ['data.issue.title', 'data.issue.metadata.value', 'data.issue.culprit'],
      key: [['data.issue.id'], ['data.issue.shortId']],
      state: [
        // Alerts about the activity of an issue are all "triggered".
        {
          at: 'data.activity.type',
          resolve: /^set_(?:resolved|ignored|archived)/,
          nothing: /assign|note/,
        },
        {
          at: 'action',
          trigger: 'created unresolved triggered',
          resolve: 'resolved archived ignored',
          else: 'nothing',
        },
        { at: 'data.issue.status', trigger: 'unresolved', resolve: 'resolved ignored' },
      ],
      severity: 'data.issue.level',
      links: { Issue: ['data.issue.web_url', 'data.issue.permalink'] },
    },
    {
      // Of an issue alert; the issue is the one that is resolved later.
      when: ['data.event | data.error'],
      title: [
        'data.event.title | data.error.title',
        'data.event.message | data.error.message',
        'data.triggered_rule',
      ],
      key: [
        ['data.event.issue_id | data.error.issue_id'],
        ['data.event.issue_url > take /issues\\/(\\d+)/'],
        ['data.triggered_rule'],
      ],
      state: [{ at: 'action', trigger: 'triggered created' }],
      severity: 'data.event.level | data.error.level',
      links: { Event: ['data.event.web_url', 'data.error.web_url'] },
    },
    {
      // The older plugin for webhooks.
      when: ['event', 'project_slug | project_name', 'culprit | triggering_rules'],
      title: ['event.title', 'message', 'event.metadata.value', 'culprit'],
      key: [['id'], ['event.issue_id'], ['url']],
      severity: 'level',
      links: { Issue: 'url' },
    },
    {
      // Of comments and installations.
      when: ['installation.uuid', 'action'],
      title: 'data.comment',
      state: [{ at: 'action', else: 'nothing' }],
    },
    {
      when: ['@header.sentry-hook-resource'],
      state: [{ at: '@header.sentry-hook-resource', else: 'nothing' }],
    },
  ],
  guide: {
    steps: [
      'Go to Settings > Custom Integrations > Create New Integration > Internal Integration. Enter the Webhook URL {url} and turn on Alert Action (Alert Rule Action in older versions).',
      'Set the permission Issue & Event to Read, and select the webhook issue. This webhook alerts for every new issue, and resolves the incident when the issue is resolved.',
      'Go to Monitors > Alerts (Alerts in older versions). In each alert, add the action "Send a notification via an integration", and choose the integration. Add the trigger "An issue is resolved" if it is available. In metric alerts of older versions, add the action for Critical and for Warning.',
    ],
    notes: [
      'To be paged only by these alerts, leave the webhook issue off, and set auto_resolve on the integration, because alerts do not report every resolved issue.',
    ],
  },
} as const satisfies Tool;
