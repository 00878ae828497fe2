import type { Tool } from '../reading/notation.ts';

export const grafana = {
  slug: 'grafana',
  name: 'Grafana',
  description: 'Alerting by a webhook contact point; alerts of Grafana 8 and older.',
  logo: 'grafana',
  knownAs: ['Grafana', 'GrafanaV2', 'grafana_alerting'],
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
      links: {
        Rule: 'generatorURL',
        Panel: 'panelURL',
        Dashboard: 'dashboardURL',
        Silence: 'silenceURL',
        Runbook: 'annotations.runbook_url',
      },
    },
    {
      when: ['ruleId'],
      title: ['ruleName', 'title'],
      key: [['ruleId']],
      state: [
        { at: 'state', trigger: 'alerting no_data', resolve: 'ok', nothing: 'pending paused' },
      ],
      links: { Rule: 'ruleUrl' },
    },
  ],
  guide: {
    steps: [
      'Alerting, Contact points, Add contact point: Webhook, URL {url}, method POST.',
      'Keep "Disable resolved message" off. Route a notification policy to it, and press Test.',
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
