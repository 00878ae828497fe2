import type { Tool } from '../reading/notation.ts';

const monitored =
  'data.pool_id | data.pool_name | data.tunnel_id | data.tunnel_name | data.health_check_id';

export const cloudflare = {
  slug: 'cloudflare',
  name: 'Cloudflare',
  description: 'Sends notifications with a generic webhook.',
  problem: 'each subject of a policy’s alerts',
  logo: 'cloudflare',
  knownAs: ['Cloudflare', 'cloudflare'],
  forms: [
    {
      when: ['text~^Hello World! This is a test message sent from https://cloudflare'],
      title: 'text',
      state: [{ at: 'text', else: 'nothing' }],
    },
    {
      when: ['alert_type | policy_id', 'policy_id | account_id | alert_event'],
      title: ['text', '{policy_name | name}: {alert_type}', 'alert_type'],
      key: [
        // Not if it is all zeros.
        ['alert_correlation_id > take /.*[1-9a-f].*/'],
        ['policy_id', 'alert_type', monitored],
        ['policy_id', 'alert_type', 'data > lasting'],
        ['policy_id', 'alert_type'],
        ['account_id', 'alert_type', 'data > lasting'],
        ['account_id', 'alert_type'],
        ['policy_id'],
      ],
      was: [
        ['alert_correlation_id > take /.*[1-9a-f].*/'],
        ['policy_id', 'alert_type', monitored],
        ['policy_id', 'alert_type'],
        ['account_id', 'alert_type'],
        ['policy_id'],
      ],
      state: [
        { at: 'alert_event', trigger: /_START$/, resolve: /_END$/ },
        {
          at: 'data.new_health | data.new_status | data.status | data.health',
          resolve: /(?:^|_)healthy$/i,
          trigger: /unhealthy$|_(?:down|degraded)$/i,
        },
        { at: 'alert_type', else: 'trigger' },
      ],
      severity: 'data.severity',
    },
  ],
  guide: {
    steps: [
      'In the account, go to Notifications > Destinations > Webhooks > Create. Enter the URL {url}. Cloudflare sends a test when you save it.',
      'Go to Notifications > Add. Choose the kind of notification, and the webhook as its destination.',
    ],
    notes: [
      'Health checks, load balancing and tunnels report when a problem is over. Most other kinds do not. For those, set auto_resolve on the integration.',
    ],
  },
} as const satisfies Tool;
