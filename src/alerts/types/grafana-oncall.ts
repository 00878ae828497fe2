import type { Tool } from '../reading/notation.ts';

export const grafanaOncall = {
  slug: 'grafana-oncall',
  name: 'Grafana OnCall',
  description:
    'Accepts events from tools that are configured for the formatted webhook of Grafana OnCall.',
  problem: 'each alert_uid, or each title without its marks of state if there is no alert_uid',
  logo: 'grafana',
  knownAs: ['Formatted webhook', 'formatted_webhook', 'Grafana OnCall'],
  guide: {
    steps: [
      'In the tool, replace the host of the OnCall integration URL with the host of {url}. Keep the rest of the address.',
      'Set the last part of that URL to {token}, the token of this integration. Or adopt its current token and do not change it.',
    ],
    snippets: [
      {
        file: 'address',
        text: '{origin}/integrations/v1/formatted_webhook/{token}/',
      },
    ],
  },
  forms: [
    {
      title: ['title', 'message'],
      key: [['alert_uid'], ['title > stem']],
      state: [{ at: 'state', trigger: 'alerting', resolve: 'ok' }],
      severity: 'severity',
      links: { Source: 'link_to_upstream_details', Image: 'image_url' },
    },
  ],
} as const satisfies Tool;
