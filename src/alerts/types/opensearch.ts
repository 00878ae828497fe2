import type { Tool } from '../reading/notation.ts';

const states = {
  trigger: 'ACTIVE ERROR',
  acknowledge: 'ACKNOWLEDGED',
  resolve: 'COMPLETED',
  nothing: 'DELETED AUDIT',
} as const;
const severities = { sev1: '1', sev2: '2', sev3: '3 4 5' } as const;

const proposedMonitor = 'text > take /Monitor (.+) just entered/';
const proposedTrigger = 'text > take /Trigger: (.+?)(?: - Severity|\\s*$)/m';

export const opensearch = {
  slug: 'opensearch',
  name: 'OpenSearch',
  description: 'Sends alerts of OpenSearch Alerting monitors with a custom webhook.',
  problem: 'each trigger of each monitor, or each of its buckets',
  logo: 'opensearch',
  knownAs: ['OpenSearch', 'opensearch', 'Amazon OpenSearch Service'],
  forms: [
    {
      // Of a monitor per bucket: what is new, and what is over.
      when: ['monitor', 'trigger', 'alerts'],
      each: 'alerts',
      title: [
        '{^monitor.name}: {^trigger.name}: {bucket | bucket_keys}',
        '{^monitor.name}: {^trigger.name}',
        '^trigger.name',
      ],
      key: [
        ['^monitor.id', '^trigger.id', 'bucket | bucket_keys'],
        ['^monitor.name', '^trigger.name', 'bucket | bucket_keys'],
        ['id'],
      ],
      state: [{ at: 'state', ...states }],
      severity: { at: ['^trigger.severity', 'severity'], ...severities },
    },
    {
      when: ['monitor.id | monitor.name', 'trigger.id | trigger.name', '!alerts'],
      title: ['{monitor.name}: {trigger.name}', 'trigger.name', 'monitor.name'],
      key: [
        ['monitor.id', 'trigger.id'],
        ['monitor.name', 'trigger.name'],
        ['trigger.id'],
        ['monitor.id'],
      ],
      state: [{ at: 'state', ...states }],
      severity: { at: 'trigger.severity', ...severities },
    },
    {
      // The message that OpenSearch proposes, on lines of its own or on one.
      when: ['text~Monitor .* just entered alert status'],
      name: proposedMonitor,
      message: proposedTrigger,
      key: [[proposedMonitor, proposedTrigger], [proposedMonitor]],
      state: [{ at: 'text', trigger: /just entered/ }],
      severity: { at: 'text > take /Severity: (\\d)/', ...severities },
    },
  ],
  guide: {
    steps: [
      'In OpenSearch Dashboards, go to Notifications > Channels > Create channel. Choose Custom webhook and method POST, enter the Webhook URL {url}, and add the header Content-Type application/json.',
      'Go to Alerting > Monitors, open the monitor and its trigger, and press Add action. Choose the channel, and paste the message below.',
    ],
    notes: [
      'Trigger severity 1 becomes sev1, 2 becomes sev2, 3 to 5 become sev3.',
      'Monitors per query and per document never send an end. Set resolve_when_quiet on the integration to more than their interval plus their throttle.',
      'A monitor per bucket sends completed alerts. Use its own message, and perform the action per execution.',
    ],
    snippets: [
      {
        file: 'Message of a monitor per query',
        text: `{
  "monitor": { "id": "{{ctx.monitor._id}}", "name": "{{ctx.monitor.name}}" },
  "trigger": {
    "id": "{{ctx.trigger.id}}",
    "name": "{{ctx.trigger.name}}",
    "severity": "{{ctx.trigger.severity}}"
  },
  "state": "ACTIVE",
  "periodStart": "{{ctx.periodStart}}",
  "periodEnd": "{{ctx.periodEnd}}"
}`,
      },
      {
        file: 'Message of a monitor per bucket',
        text: `{
  "monitor": { "id": "{{ctx.monitor._id}}", "name": "{{ctx.monitor.name}}" },
  "trigger": {
    "id": "{{ctx.trigger.id}}",
    "name": "{{ctx.trigger.name}}",
    "severity": "{{ctx.trigger.severity}}"
  },
  "alerts": [
    {{#ctx.newAlerts}}{ "state": "ACTIVE", "bucket": "{{bucket_keys}}" },{{/ctx.newAlerts}}
    {{#ctx.completedAlerts}}{ "state": "COMPLETED", "bucket": "{{bucket_keys}}" },{{/ctx.completedAlerts}}
  ]
}`,
      },
    ],
  },
} as const satisfies Tool;
