import type { Tool } from '../reading/notation.ts';

export const appdynamics = {
  slug: 'appdynamics',
  name: 'AppDynamics',
  description: 'Sends health rule violations and other events with an HTTP request action.',
  problem: 'each incident of a health rule',
  knownAs: ['AppDynamics', 'appdynamics'],
  forms: [
    {
      when: ['details.event_type_key | details.event_type | details.event_name', 'incident_key'],
      title: [
        'description',
        '{details.health_rule} on {details.node_name | details.tier_name}',
        'details.health_rule',
        'details.summary',
        'details.event_name',
      ],
      key: [['incident_key'], ['details.application_name', 'description > stem']],
      state: [
        { at: 'event_type', trigger: 'trigger', resolve: 'resolve' },
        {
          at: 'details.event_type_key | details.event_type',
          resolve: /_(CLOSE|CANCELED)_/,
        },
      ],
      severity: { at: 'details.severity', sev1: 'ERROR', sev3: 'WARN INFO' },
      links: { Event: ['details.deep_link'], Context: 'contexts', Controller: 'client_url' },
    },
    {
      // The template of Grafana OnCall.
      when: ['event.eventTypeKey | event.eventType', 'event.guid | event.deepLink'],
      title: ['event.summaryMessage', 'event.displayName'],
      key: [
        ['event.incident.id'],
        ['event.application.name', 'event.healthRule.name', 'event.node.name | event.tier.name'],
        ['event.application.name', 'event.healthRule.name'],
      ],
      state: [{ at: 'event.eventTypeKey | event.eventType', resolve: /_(CLOSE|CANCELED)_/ }],
      severity: { at: 'event.severity', sev1: 'ERROR', sev3: 'WARN INFO' },
      links: { Event: 'event.deepLink' },
    },
  ],
  guide: {
    steps: [
      'Go to Alert & Respond > HTTP Request Templates > New. Set method POST, Raw URL {url}, Authentication None, Payload MIME type application/json, and paste the template below. Press Test.',
      'Select One Request Per Event, so that no event is lost. In the policy, leave Execute Action in Batch off.',
      'Go to Alert & Respond > Actions > Create. Choose Make an HTTP Request and the template.',
      'Go to Alert & Respond > Policies. Trigger on Health Rule Violation Started, Upgraded, Downgraded, Ended and Canceled, and add the action. Without Ended and Canceled, incidents stay open.',
    ],
    snippets: [
      {
        file: 'template.json',
        text: `{
  "incident_key": "\${latestEvent.incident.id}",
  "client": "AppDynamics",
  "client_url": "\${controllerUrl}",
  "details": {
    "health_rule": "\${latestEvent.healthRule.name}",
    "event_name": "\${latestEvent.displayName}",
    "event_type_key": "\${latestEvent.eventTypeKey}",
    "summary": "\${latestEvent.summaryMessage}",
    "severity": "\${latestEvent.severity}",
    "application_name": "\${latestEvent.application.name}",
    "tier_name": "\${latestEvent.tier.name}",
    "node_name": "\${latestEvent.node.name}",
    "policy_name": "\${policy.name}",
    "deep_link": "\${latestEvent.deepLink}"
  }
}`,
      },
    ],
  },
} as const satisfies Tool;
