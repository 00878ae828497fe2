import type { Tool } from '../reading/notation.ts';

export const splunk = {
  slug: 'splunk',
  name: 'Splunk',
  description: 'Sends alerts with the webhook action of Splunk Enterprise and Splunk Cloud.',
  problem: 'each saved search of an app and owner, and each host in a result',
  logo: 'splunk',
  knownAs: ['Splunk', 'splunk'],
  forms: [
    {
      when: ['sid | search_name', 'results_link | result'],
      title: ['search_name', 'Search of {owner} in {app}'],
      // The id of the search is another in each run.
      key: [
        ['app', 'owner', 'search_name', 'result.host'],
        ['app', 'owner', 'search_name'],
        ['search_name', 'result.host'],
        ['search_name'],
        ['app', 'owner'],
      ],
      was: [['app', 'owner', 'search_name'], ['search_name'], ['app', 'owner']],
      host: 'result.host',
      state: [{ at: 'sid | search_name | results_link', else: 'trigger' }],
      severity: ['result.severity', 'result.urgency'],
      links: { Results: 'results_link' },
    },
  ],
  guide: {
    steps: [
      'Save a search with Save As > Alert, or open an alert with Edit > Edit Alert. Under Trigger Actions, press Add Actions > Webhook and enter the URL {url}.',
      'Splunk 9 and later send only to addresses in the webhook allow list. Add the lines below to etc/system/local/alert_actions.conf, and restart Splunk. In Splunk Cloud, go to Settings > Server settings > Webhook allow list.',
      'Splunk never sends an end. Set resolve_when_quiet on the integration to more than the search interval, and more than the alert’s throttling if it has any.',
    ],
    notes: ['The column severity or urgency in the first result determines the severity.'],
    snippets: [
      {
        file: 'alert_actions.conf',
        text: `[webhook]
allowlist.pager = ^{url}$`,
      },
    ],
  },
} as const satisfies Tool;
