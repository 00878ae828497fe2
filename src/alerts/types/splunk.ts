import type { Tool } from '../reading/notation.ts';

export const splunk = {
  slug: 'splunk',
  name: 'Splunk',
  description: 'The webhook action of alerts in Splunk Enterprise and Splunk Cloud.',
  problem: 'each saved search of an app and its owner, and each host that a result names',
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
      'Search, Save As, Alert; or an alert, Edit, Edit Alert. Trigger Actions, Add Actions, Webhook: URL {url}.',
      'Splunk 9 and later send only to addresses of the webhook allow list: add the lines below to etc/system/local/alert_actions.conf, and restart Splunk; in Splunk Cloud, Settings, Server settings, Webhook allow list.',
      'A column severity or urgency of the first result gives the severity.',
      'Splunk never sends an end: set resolve_when_quiet of the integration to more than the interval of the search, and more than the throttling of the alert if it has one.',
    ],
    snippets: [
      {
        file: 'alert_actions.conf',
        text: `[webhook]
allowlist.pager = ^{url}$`,
      },
    ],
  },
} as const satisfies Tool;
