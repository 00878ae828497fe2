import type { Form, Tool } from '../reading/notation.ts';

const victoropsForms: readonly Form[] = [
  {
    when: ['message_type'],
    title: ['entity_display_name', 'state_message', 'entity_id'],
    host: ['host_name', 'hostname'],
    key: [['entity_id'], ['entity_display_name > stem']],
    state: [
      {
        at: 'message_type',
        trigger: 'CRITICAL WARNING PROBLEM',
        acknowledge: 'ACKNOWLEDGEMENT',
        resolve: 'RECOVERY',
        nothing: 'INFO',
      },
    ],
    severity: 'message_type',
    links: { Alert: 'alert_url', Annotation: '^ > links' },
  },
];

export const victorops = {
  slug: 'victorops',
  name: 'Splunk On-Call (VictorOps)',
  description:
    'Accepts events from tools that are configured for the Splunk On-Call REST endpoint.',
  problem: 'each entity_id, or each entity_display_name if there is no entity_id',
  logo: 'splunk',
  knownAs: ['VictorOps', 'Splunk On-Call', 'REST Endpoint'],
  guide: {
    steps: [
      'In the tool, replace alert.victorops.com with the host of {url}. Keep the rest of the address.',
      'Set the API key, the part of the address after /alert/, to {token}, the token of this integration. Or adopt the tool’s current key and do not change it. You can use any routing key.',
    ],
    snippets: [
      {
        file: 'alertmanager.yml',
        text: `receivers:
  - name: pager
    victorops_configs:
      - api_url: {origin}/integrations/generic/20131114/alert/
        api_key: {token}
        routing_key: pager`,
      },
    ],
  },
  forms: victoropsForms,
} as const satisfies Tool;
