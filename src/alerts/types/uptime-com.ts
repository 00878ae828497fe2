import type { Tool } from '../reading/notation.ts';

export const uptimeCom = {
  slug: 'uptime-com',
  name: 'Uptime.com',
  description: 'Sends alerts of checks with a custom postback URL.',
  problem: 'each check',
  knownAs: ['Uptime.com', 'Uptime'],
  forms: [
    {
      when: ['data.service | data.global_alert_state', 'data.alert | data.account | event'],
      name: ['data.service.display_name', 'data.service.name', 'data.device.display_name'],
      message: ['data.alert.short_output', 'data.alert.output'],
      key: [['data.service.id'], ['data.service.display_name | data.service.name']],
      state: [
        { at: 'event', trigger: 'alert_raised', resolve: 'alert_cleared', nothing: /test/i },
        { at: 'data.alert.is_up', trigger: 'false', resolve: 'true' },
      ],
      severity: { at: 'data.alert.state', sev1: 'CRITICAL', sev3: 'WARNING UNKNOWN' },
      links: {
        Alert: 'data.links.alert_details',
        Analysis: 'data.links.real_time_analysis',
      },
      omit: ['data.integration.headers', 'data.integration.postback_url'],
    },
    {
      // The legacy payload.
      when: ['check_id | check_name', 'check_type | check_uptime_api_url', 'state | output'],
      name: ['check_name', 'check_url'],
      message: 'output',
      key: [['check_id'], ['check_name']],
      state: [{ at: 'state', trigger: 'DOWN', resolve: 'UP' }],
      severity: { at: 'state', sev1: 'DOWN' },
      links: { Check: 'check_url' },
    },
  ],
  guide: {
    steps: [
      'Go to Notifications > Integrations > Add Integration Profile. Choose the provider type Custom Postback URL (Webhook) and enter the URL {url}. Under Assign to Contacts, select the contacts of the checks that should page. Save, and test it.',
    ],
    notes: ['Both raised and cleared alerts are sent.'],
  },
} as const satisfies Tool;
