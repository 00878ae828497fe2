import type { Tool } from '../reading/notation.ts';

// [Triggered], [Recovered on {host:web-01}], [P2] [Warn] and the like at the start of a title.
const MARK =
  '^(?:\\[P[1-5]\\] *)?\\[(?:Re-?)?(?:Triggered|Recovered|Warn|No data|Renotify)[^\\]]*\\] *';
const title = `title > cut /${MARK}/i`;
const monitor = 'body > take /monitors[\\/?#](\\d+)/';
const scope = 'title > take /^[^\\x7b]*\\] on \\x7b([^\\x7d]*)|\\[[A-Za-z -]+ on \\x7b([^\\x7d]*)/';

export const datadog = {
  slug: 'datadog',
  name: 'Datadog',
  description: 'Sends monitor alerts with a webhook.',
  problem: 'each group of each monitor',
  logo: 'datadog',
  knownAs: ['Datadog', 'DatadogV2', 'datadog'],
  busy: 503,
  forms: [
    {
      when: ['ALERT_ID | ALERT_TITLE', 'ALERT_TRANSITION | AGGREG_KEY | ALERT_SCOPE'],
      title: ['ALERT_TITLE', 'EVENT_TITLE', 'TEXT_ONLY_MSG'],
      // A cycle has another key each time it begins, which would hide how often it did.
      host: 'HOSTNAME',
      key: [
        ['ALERT_ID', 'AGGREG_KEY'],
        ['ALERT_ID', 'ALERT_SCOPE'],
        ['AGGREG_KEY'],
        ['ALERT_ID'],
        ['ALERT_TITLE', 'ALERT_SCOPE'],
      ],
      state: [
        {
          at: 'ALERT_TRANSITION',
          resolve: /recovered/i,
          trigger: /./,
        },
      ],
      severity: { at: ['ALERT_PRIORITY', 'ALERT_TRANSITION'], sev3: /^p5$|warn/i },
      priority: 'ALERT_PRIORITY',
      links: { Event: 'LINK', Snapshot: 'SNAPSHOT' },
    },
    {
      when: ['title', 'event_type | date', 'last_updated | org.id'],
      title,
      key: [[monitor, scope, title], [monitor, title], [scope, title], [title]],
      state: [
        { at: `title > take /${MARK}/i`, resolve: /recovered/i, trigger: /./ },
        { at: 'alert_transition' },
      ],
      severity: {
        at: ['title > take /^\\[(P[1-5])\\]/', 'title > take /\\[(?:Re-?)?(Warn)/i'],
        sev3: /^p5$|warn/i,
      },
      priority: 'title > take /^\\[(P[1-5])\\]/',
      links: { Monitor: 'body > take /\\((https:\\/\\/[^)\\s]+\\/monitors[^)\\s]*)\\)/' },
    },
  ],
  guide: {
    steps: [
      'Go to Integrations > Webhooks > New. Enter the name pager, the URL {url} and the payload below.',
      'Leave "Encode as form" off. The default payload contains neither the monitor nor the group.',
      'Add @webhook-pager to the message of each monitor, outside of conditions such as {{#is_alert}}. Inside a condition, recoveries are not sent.',
      'Set the priority of the monitors: P1 becomes sev1, P2 becomes sev2, P3 to P5 become sev3.',
    ],
    snippets: [
      {
        file: 'Payload',
        text: `{
  "ALERT_ID": "$ALERT_ID",
  "AGGREG_KEY": "$AGGREG_KEY",
  "ALERT_TRANSITION": "$ALERT_TRANSITION",
  "ALERT_TITLE": "$ALERT_TITLE",
  "ALERT_PRIORITY": "$ALERT_PRIORITY",
  "ALERT_SCOPE": "$ALERT_SCOPE",
  "ALERT_STATUS": "$ALERT_STATUS",
  "ALERT_METRIC": "$ALERT_METRIC",
  "ALERT_QUERY": "$ALERT_QUERY",
  "EVENT_TITLE": "$EVENT_TITLE",
  "TEXT_ONLY_MSG": "$TEXT_ONLY_MSG",
  "HOSTNAME": "$HOSTNAME",
  "TAGS": "$TAGS",
  "LINK": "$LINK",
  "SNAPSHOT": "$SNAPSHOT"
}`,
      },
    ],
  },
} as const satisfies Tool;
