import type { Tool } from '../reading/notation.ts';

export const elastalert = {
  slug: 'elastalert',
  name: 'ElastAlert 2',
  description: 'Sends alerts of ElastAlert and ElastAlert 2 rules by HTTP POST.',
  problem: 'each subject of each rule',
  knownAs: ['ElastAlert', 'Elastalert', 'elastalert'],
  forms: [
    {
      when: ['Id', 'Title', 'event_type'],
      title: ['Title', 'Description'],
      key: [['Id'], ['Title']],
      state: [{ at: 'event_type', trigger: 'create', resolve: 'resolve' }],
    },
    {
      when: ['rule_name', 'source~(?i)^elastalert'],
      title: ['{rule_name}: {subject}', 'rule_name'],
      key: [['rule_name', 'subject'], ['rule_name']],
      severity: 'severity',
      links: { Kibana: 'kibana_discover_url | kibana_link', Runbook: 'runbook_url' },
      state: [{ at: 'status | rule_name', resolve: 'resolved', else: 'trigger' }],
    },
    {
      // The whole match, if the rule has no payload of its own.
      when: ['num_hits', 'num_matches'],
      title: ['rule_name | alert_subject', 'message'],
      state: [{ at: 'num_matches', else: 'trigger' }],
      links: { Kibana: 'kibana_discover_url | kibana_link' },
    },
  ],
  guide: {
    steps: [
      'Add the lines below to the rule, with {url} as the address. In subject, enter the field that distinguishes the matches, or remove it.',
      'ElastAlert never sends an end. Set resolve_when_quiet on the integration to more than realert plus run_every. It resolves an incident when no alert has arrived for that long.',
    ],
    notes: [
      'You do not have to change query_key and realert of the rule: repeated alerts are one incident.',
    ],
    snippets: [
      {
        file: 'rule.yaml',
        text: `alert: [post]
http_post_url: "{url}"
http_post_static_payload:
  source: elastalert
  rule_name: Errors of the API
  severity: critical
http_post_payload:
  subject: host.name`,
      },
    ],
  },
} as const satisfies Tool;
