import type { Tool } from '../reading/notation.ts';

const name = ['monitorFriendlyName', 'monitorURL'] as const;

export const uptimerobot = {
  slug: 'uptimerobot',
  name: 'UptimeRobot',
  description: 'Sends monitor alerts with a webhook, as JSON, as a form or in the address.',
  problem: 'each monitor, and separately for its certificate or domain',
  knownAs: ['UptimeRobot', 'Uptime Robot', 'uptimerobot'],
  forms: [
    {
      // A certificate or a domain that expires is not over when the monitor is up.
      when: ['monitorID | monitorFriendlyName | monitorURL', 'alertType~^[3-9]$'],
      name,
      message: ['alertDetails', 'alertTypeFriendlyName', 'sslExpiryDate'],
      key: [
        ['monitorID', 'alertType'],
        ['monitorURL', 'alertType'],
        ['monitorFriendlyName', 'alertType'],
      ],
      state: [{ at: 'alertType', trigger: /./ }],
      severity: { at: 'alertType', sev3: /./ },
    },
    {
      when: ['alertTypeFriendlyName | alertType', 'monitorID | monitorFriendlyName | monitorURL'],
      title: [
        '{monitorFriendlyName} is {alertTypeFriendlyName}',
        '{monitorURL} is {alertTypeFriendlyName}',
        'monitorFriendlyName',
      ],
      key: [['monitorID'], ['monitorURL'], ['monitorFriendlyName']],
      state: [
        { at: 'alertType', trigger: '1', resolve: '2', nothing: '98 99' },
        { at: 'alertTypeFriendlyName', trigger: 'Down', resolve: 'Up', nothing: 'Started Paused' },
      ],
      links: { Monitor: 'monitorURL' },
    },
  ],
  guide: {
    steps: [
      'Go to Integrations > Webhook > Add. Enter the URL to notify {url} and the POST value below. Webhooks are part of the plans Team and Enterprise.',
      'Turn on "Send as JSON (application/json)". Under Events to notify, select Up events and Down events. Without Up events, incidents are not resolved.',
      'In each monitor, choose the integration and send a test notification.',
    ],
    snippets: [
      {
        file: 'POST value',
        text: `{
  "monitorID": "*monitorID*",
  "monitorURL": "*monitorURL*",
  "monitorFriendlyName": "*monitorFriendlyName*",
  "alertType": "*alertType*",
  "alertTypeFriendlyName": "*alertTypeFriendlyName*",
  "alertDetails": "*alertDetails*",
  "alertDuration": "*alertDuration*",
  "sslExpiryDate": "*sslExpiryDate*",
  "sslExpiryDaysLeft": "*sslExpiryDaysLeft*"
}`,
      },
    ],
  },
} as const satisfies Tool;
