import type { Tool } from '../reading/notation.ts';

export const pingdom = {
  slug: 'pingdom',
  name: 'Pingdom',
  description: 'Sends uptime and transaction checks of SolarWinds Pingdom with a webhook.',
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
      'Go to Settings > Integrations > Add integration. Choose type Webhook, enter the name Pager and the URL {url}, select Active, and save the integration.',
      'Go to Synthetics > Uptime (or Transaction). In each check, choose Pager under Connect integrations.',
      'Keep "Alert when back up" on. Without it, incidents are not resolved. Importance High becomes sev2, Low becomes sev3.',
    ],
  },
} as const satisfies Tool;
