import { answerEventGrid } from '../handshakes.ts';
import type { Tool } from '../reading/notation.ts';

// The tests of an action group are of a subscription that nobody has.
const test = {
  at: [
    'data.essentials.alertId',
    'data.context.id | data.context.activityLog.subscriptionId',
    'SubscriptionId | data.SubscriptionId',
  ],
  nothing: /11111111-1111-1111-1111-111111111111/,
} as const;

const classicKey = [
  ['data.context.id | context.id', 'data.context.resourceId | context.resourceId'],
  ['data.context.id | context.id'],
  ['data.context.name | context.name'],
] as const;

export const azureMonitor = {
  slug: 'azure-monitor',
  name: 'Azure Monitor',
  description:
    'Sends alerts with an action group webhook, including Service Health and Resource Health.',
  problem: 'each fired alert, and for older alerts each rule and resource with its dimensions',
  knownAs: ['Microsoft Azure', 'Azure', 'AzureAutomation', 'azure', 'Microsoft Azure Alerts'],
  handshake: answerEventGrid,
  forms: [
    {
      // Each update of Service Health is an alert of its own.
      when: ['data.essentials', 'data.alertContext.properties.trackingId'],
      title: ['data.alertContext.properties.title', 'data.essentials.alertRule'],
      key: [['data.alertContext.properties.trackingId']],
      state: [
        test,
        {
          at: 'data.alertContext.properties.incidentType',
          nothing: 'Maintenance Informational ActionRequired',
        },
        {
          at: 'data.alertContext.properties.stage | data.alertContext.status',
          trigger: 'Active',
          resolve: 'Resolved Complete RCA',
        },
      ],
      severity: 'data.essentials.severity',
    },
    {
      when: ['data.essentials', 'data.alertContext.properties.currentHealthStatus'],
      title: ['data.alertContext.properties.title', 'data.essentials.alertRule'],
      key: [
        ['data.essentials.alertRule', 'data.essentials.alertTargetIDs[0]'],
        ['data.essentials.alertRule'],
      ],
      state: [
        test,
        {
          at: 'data.alertContext.properties.currentHealthStatus',
          trigger: 'Unavailable Degraded Unknown',
          resolve: 'Available',
        },
      ],
      severity: 'data.essentials.severity',
    },
    {
      // A fired alert may carry a time of resolution too: only the condition says what it is.
      when: ['data.essentials'],
      title: [
        'data.essentials.alertRule',
        'data.essentials.description',
        'data.essentials.configurationItems[0]',
      ],
      key: [
        ['data.essentials.alertId'],
        ['data.essentials.originAlertId'],
        ['data.essentials.alertRule', 'data.essentials.alertTargetIDs[0]'],
      ],
      state: [
        test,
        { at: 'data.essentials.monitorCondition', trigger: 'Fired', resolve: 'Resolved' },
      ],
      severity: 'data.essentials.severity',
      links: {
        Alert: 'data.essentials.investigationLink',
        Results: [
          'data.alertContext.condition.allOf[0].linkToSearchResultsUI',
          'data.alertContext.LinkToSearchResults',
        ],
        Runbook: 'data.customProperties.runbook_url',
      },
    },
    {
      // Log search alerts without the common alert schema.
      when: [
        'AlertRuleName | data.AlertRuleName',
        'SearchQuery | AlertType | data.SearchQuery | data.AlertType',
      ],
      title: 'AlertRuleName | data.AlertRuleName',
      key: [
        ['SubscriptionId | data.SubscriptionId', 'AlertRuleName | data.AlertRuleName'],
        ['AlertRuleName | data.AlertRuleName'],
      ],
      state: [test],
      severity: {
        at: ['Severity', 'data.Severity'],
        sev1: '0 1 Sev0 Sev1',
        sev2: '2 Sev2',
        sev3: '3 4 Sev3 Sev4',
      },
      links: {
        Results: [
          'LinkToFilteredSearchResultsUI | data.LinkToFilteredSearchResultsUI',
          'LinkToSearchResults | data.LinkToSearchResults',
        ],
      },
    },
    {
      when: ['data.BudgetName', 'data.NotificationThresholdAmount | data.Budget'],
      title: [
        'Budget {data.BudgetName}: {data.SpendingAmount} {data.Unit} are spent',
        'Budget {data.BudgetName}',
      ],
      key: [['data.SubscriptionId', 'data.BudgetName'], ['data.BudgetName']],
      state: [test],
      severity: { at: 'data.BudgetName', sev3: /./ },
    },
    {
      when: ['data.context.activityLog'],
      title: [
        'data.context.activityLog.properties.title',
        'data.context.activityLog.operationName',
        'data.context.activityLog.description',
      ],
      key: [
        ['data.context.activityLog.properties.trackingId'],
        ['data.context.activityLog.resourceId', 'data.context.activityLog.operationName'],
        ['data.context.activityLog.correlationId'],
      ],
      state: [
        test,
        {
          at: 'data.context.activityLog.properties.incidentType',
          nothing: 'Maintenance Informational ActionRequired',
        },
        {
          at: 'data.context.activityLog.properties.stage',
          trigger: 'Active',
          resolve: 'Resolved Complete RCA',
        },
        {
          at: 'data.context.activityLog.properties.currentHealthStatus',
          trigger: 'Unavailable Degraded Unknown',
          resolve: 'Available',
        },
        { at: 'data.status', trigger: 'Activated', resolve: 'Deactivated Resolved' },
      ],
    },
    {
      // Metric alerts without the common alert schema, and classic ones.
      when: ['data.context.name | context.name', 'data.status | status'],
      title: 'data.context.name | context.name',
      // A rule with dimensions alerts for each of their values.
      key: [
        [
          'data.context.id | context.id',
          'data.context.resourceId | context.resourceId',
          'data.context.condition.allOf[0].dimensions | context.condition.allOf[0].dimensions > hash',
        ],
        ...classicKey,
      ],
      was: classicKey,
      state: [
        test,
        { at: 'data.status | status', trigger: 'Activated', resolve: 'Deactivated Resolved' },
      ],
      severity: {
        at: ['data.context.severity', 'context.severity'],
        sev1: '0 1',
        sev2: '2',
        sev3: '3 4',
      },
      links: { Resource: ['data.context.portalLink', 'context.portalLink'] },
    },
  ],
  guide: {
    steps: [
      'In the Azure portal, go to Monitor > Alerts > Action groups > Create. Under Actions, choose type Webhook, enter the URI {url}, and set Enable the common alert schema to Yes.',
      'Go to Monitor > Alerts > Alert rules. In each rule, choose the action group under Actions.',
      'In the details of each rule, set the severity: 0 and 1 become sev1, 2 becomes sev2, 3 and 4 become sev3. Keep "Automatically resolve alerts" on.',
    ],
    notes: [
      'Stateless log search rules and activity log rules never send an end, and each of their alerts is a separate incident. For those, set auto_resolve on the integration.',
      'Test action group shows that the connection works and pages nobody.',
    ],
  },
} as const satisfies Tool;
