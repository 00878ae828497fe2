import type { Tool } from '../reading/notation.ts';

const server = 'ruleUrl > take /^https?:\\/\\/([^\\/?#]+)/';

export const grafana = {
  slug: 'grafana',
  name: 'Grafana',
  description:
    'Sends alerts with a webhook contact point. Alerts of Grafana 8 and older are supported too.',
  problem:
    'each alert instance, identified by all its labels, and for Grafana 8 and older each rule of a server and organization',
  logo: 'grafana',
  knownAs: ['Grafana', 'GrafanaV2', 'grafana_alerting'],
  groupLimit: 'Max Alerts of the contact point',
  // Receivers that were imported from an Alertmanager send again on 5xx only, its own on nothing.
  busy: 503,
  forms: [
    {
      when: ['alerts'],
      each: 'alerts',
      title: [
        'annotations.summary',
        'annotations.title',
        'annotations.message',
        'annotations.description',
        'labels.alertname',
        '^title',
      ],
      // The group's key holds a time in a test of a contact point.
      key: [['fingerprint'], ['labels > hash']],
      state: [{ at: 'status | ^status' }],
      severity: 'labels.severity',
      priority: 'labels.priority',
      began: 'startsAt',
      ended: 'endsAt',
      cut: '^truncatedAlerts',
      group: '^groupKey',
      links: {
        Rule: 'generatorURL',
        Panel: 'panelURL',
        Dashboard: 'dashboardURL',
        Image: 'imageURL',
        Silence: 'silenceURL',
        Runbook: 'annotations.runbook_url',
      },
    },
    {
      when: ['ruleId'],
      title: ['ruleName', 'title'],
      // A rule's number is given again on each server; its links name the server.
      key: [['orgId', server, 'ruleId'], [server, 'ruleId'], ['orgId', 'ruleId'], ['ruleId']],
      was: [['ruleId']],
      state: [
        { at: 'state', trigger: 'alerting no_data', resolve: 'ok', nothing: 'pending paused' },
      ],
      links: { Rule: 'ruleUrl', Image: 'imageUrl' },
    },
  ],
  guide: {
    steps: [
      'Go to Alerting (in Grafana Cloud, Alerts & IRM > Alerting) > Contact points > Add contact point. Choose the integration Webhook, enter the URL {url}, and choose the HTTP method POST.',
      'Keep "Disable resolved message" off. Without resolved messages, incidents are not resolved. Press Test, and save the contact point.',
      'Go to Alerting > Notification policies and route the alerts to the contact point.',
    ],
    notes: [
      'A new integration groups alerts as the notification policy does: alerts with the same values of the labels in Group by join one incident, which is resolved when none of them is active. Alerts of a policy with an empty Group by, or with Group by "...", each open their own incident. To group by other values or not at all, change Group alerts in the settings of the integration.',
    ],
    snippets: [
      {
        file: 'provisioning/alerting/pager.yaml',
        text: `apiVersion: 1
contactPoints:
  - name: pager
    receivers:
      - uid: pager
        type: webhook
        settings: { url: "{url}", httpMethod: POST }`,
      },
    ],
  },
} as const satisfies Tool;
