import type { Tool } from '../reading/notation.ts';

export const pingdom = {
  slug: 'pingdom',
  name: 'Pingdom',
  description: 'Uptime and transaction checks of SolarWinds Pingdom, by a webhook.',
  problem: 'each check',
  logo: 'pingdom',
  knownAs: ['Pingdom', 'PingdomV2', 'Pingdom Server Monitor', 'pingdom'],
  forms: [
    {
      when: ['check_id | check_name', 'current_state | previous_state'],
      name: ['check_name', 'check_params.full_url', 'check_params.hostname'],
      message: ['description', 'long_description'],
      key: [['check_id'], ['check_name']],
      state: [
        {
          at: 'current_state',
          trigger: 'DOWN FAILING FAILED',
          resolve: 'UP SUCCESS',
          nothing: 'PAUSED UNKNOWN UNCONFIRMED_DOWN',
        },
        // Where only what was before is known.
        { at: 'previous_state', trigger: 'UP SUCCESS', resolve: 'DOWN FAILING' },
      ],
      severity: 'importance_level',
      links: { Checked: 'check_params.full_url' },
    },
  ],
  guide: {
    steps: [
      'Settings, Integrations, Add integration: type Webhook, name Pager, URL {url}, Active. Save integration.',
      'Synthetics, Uptime (or Transaction), each check, Connect integrations: choose Pager.',
      'Keep "Alert when back up" on: without it nothing is resolved. Importance High alerts as sev2, Low as sev3.',
    ],
  },
} as const satisfies Tool;
