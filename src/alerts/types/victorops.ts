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
  description: 'Tools that are set up for Splunk On-Call, by its REST endpoint.',
  problem: 'each entity_id; without one each entity_display_name',
  logo: 'splunk',
  knownAs: ['VictorOps', 'Splunk On-Call', 'REST Endpoint'],
  guide: {
    steps: [
      'In the tool, replace alert.victorops.com by the host of {url}; the rest of the address stays.',
      'As API key, the part of the address behind /alert/, set {token}, the token of this integration; or adopt the key that the tool has, and leave it there. The routing key may be any.',
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
