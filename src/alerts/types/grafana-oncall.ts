import type { Tool } from '../reading/notation.ts';

export const grafanaOncall = {
  slug: 'grafana-oncall',
  name: 'Grafana OnCall',
  description: 'Tools that are set up for Grafana OnCall, by its formatted webhook.',
  problem: 'each alert_uid; without one each title, without its marks of state',
  logo: 'grafana',
  knownAs: ['Formatted webhook', 'formatted_webhook', 'Grafana OnCall'],
  guide: {
    steps: [
      'In the tool, replace the host of the integration URL of OnCall by that of {url}; the rest stays.',
      'As the last part of that URL set {token}, the token of this integration; or adopt the one that is there, and leave it.',
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
