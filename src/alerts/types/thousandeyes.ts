import type { Tool } from '../reading/notation.ts';

const severity = {
  sev1: 'critical',
  sev2: 'major',
  sev3: 'minor info unknown',
} as const;

export const thousandeyes = {
  slug: 'thousandeyes',
  name: 'ThousandEyes',
  description: 'Sends alerts of tests and agents with a webhook.',
  problem: 'each alert',
  knownAs: ['ThousandEyes', 'Cisco ThousandEyes'],
  forms: [
    {
      when: ['eventType~_(TRIGGER|CLEAR|TEST)$'],
      title: [
        '{alert.testName}: {alert.ruleName}',
        'alert.ruleName',
        'alert.testName',
        'alert.ruleExpression',
      ],
      // The id of the event differs between trigger and clear.
      key: [
        ['alert.alertId'],
        ['alert.testId | alert.agentId', 'alert.ruleId'],
        ['alert.testName | alert.agentName', 'alert.ruleName'],
      ],
      state: [{ at: 'eventType', trigger: /_TRIGGER$/, resolve: /_CLEAR$/, nothing: /_TEST$/ }],
      severity: { at: 'alert.severity', ...severity },
      links: { Alert: ['alert.permalink', 'alert.agents[0].permalink'] },
    },
    {
      // The preset "Generic" of custom webhooks.
      when: ['type', 'alert.rule.id | alert.rule.name', 'alert.id | alert.triggered'],
      title: ['{alert.test.name}: {alert.rule.name}', 'alert.rule.name', 'alert.test.name'],
      key: [['alert.id'], ['alert.rule.id', 'alert.test.name'], ['alert.rule.id']],
      state: [{ at: 'type', trigger: '2 trigger', resolve: '1 clear', else: 'nothing' }],
      severity: { at: 'alert.severity', ...severity },
      links: { Alert: 'alert.url | alert.permalink | alert.links.appLink' },
    },
  ],
  guide: {
    steps: [
      'Go to Manage > Integrations > Integrations 2.0 > Integration Templates > Custom Webhook. Enter the URL {url}, choose Auth Type None and the preset configuration Generic, and test it.',
      'Go to Alerts > Alert Rules. In each rule, select the webhook under Notifications > Integrations.',
    ],
    notes: [
      'If you have Integrations 1.0, press New Integration and choose Webhook (URL {url}, Auth Type None), or Custom Webhook as above.',
      'The end of an alert is sent to the same webhook and resolves the incident.',
    ],
  },
} as const satisfies Tool;
