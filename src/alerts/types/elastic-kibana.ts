import type { Tool } from '../reading/notation.ts';

export const elasticKibana = {
  slug: 'elastic-kibana',
  name: 'Elastic / Kibana',
  description: 'Sends alerts of Kibana rules with a webhook connector.',
  problem: 'each alert of each rule',
  logo: 'kibana',
  knownAs: ['Elastic', 'Kibana', 'ElasticSearch', 'Elastic Alerts', 'kibana', 'elasticsearch'],
  forms: [
    {
      when: ['rule.id | rule.name', 'alert.id | alert.actionGroup | alert.actionGroupName'],
      name: ['rule.name', 'rule.id'],
      message: ['reason', 'context.reason', 'message', 'alert.id'],
      key: [['rule.id', 'alert.id'], ['rule.name', 'alert.id'], ['rule.id']],
      state: [
        // Of what started, the group is that of its rule type.
        { at: 'alert.actionGroup', resolve: 'recovered', trigger: /./ },
        { at: 'status', trigger: 'active firing' },
        { at: 'alert.actionGroupName' },
      ],
      severity: ['severity', 'context.severity'],
      links: {
        Rule: 'rule.url',
        Alert: ['alertDetailsUrl', 'context.alertDetailsUrl', 'context.viewInAppUrl'],
        Kibana: 'kibanaBaseUrl',
      },
    },
    {
      // The variables by their names before Kibana 8.
      when: ['alertId', 'alertInstanceId | alertActionGroup | alertName'],
      name: ['alertName', 'alertId'],
      message: ['reason', 'message', 'alertInstanceId'],
      key: [['alertId', 'alertInstanceId'], ['alertId']],
      state: [{ at: 'alertActionGroup', resolve: 'recovered', trigger: /./ }],
      severity: 'severity',
      links: { Kibana: 'kibanaBaseUrl' },
    },
  ],
  guide: {
    steps: [
      'Go to Stack Management > Connectors > Create connector > Webhook. Set method POST, the URL {url}, no authentication, and the header Content-Type application/json.',
      'In each rule, add an action with the connector. Choose For each alert, On status changes, run when the rule fires, and paste the body below.',
      'Add a second action with the same body that runs when Recovered. Without it, incidents are not resolved.',
      'Set severity to critical, error or warning in the bodies of each rule. If a rule type has no context.reason, use another variable of the rule type.',
    ],
    snippets: [
      {
        file: 'Body',
        text: `{
  "rule": {
    "id": "{{rule.id}}",
    "name": "{{rule.name}}",
    "type": "{{rule.type}}",
    "url": "{{rule.url}}"
  },
  "alert": {
    "id": "{{alert.id}}",
    "uuid": "{{alert.uuid}}",
    "actionGroup": "{{alert.actionGroup}}",
    "actionGroupName": "{{alert.actionGroupName}}"
  },
  "severity": "critical",
  "reason": "{{context.reason}}",
  "alertDetailsUrl": "{{context.alertDetailsUrl}}",
  "date": "{{date}}",
  "kibanaBaseUrl": "{{kibanaBaseUrl}}"
}`,
      },
    ],
  },
} as const satisfies Tool;
