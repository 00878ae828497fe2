import type { Tool } from '../reading/notation.ts';

export const gcpMonitoring = {
  slug: 'gcp-monitoring',
  name: 'Google Cloud Monitoring',
  description: 'Sends alerts of alerting policies with a webhook notification channel.',
  problem: 'each incident of a condition and resource',
  logo: 'googlecloud',
  knownAs: ['Google Stackdriver', 'Stackdriver', 'StackDriver', 'stackdriver', 'Google Cloud'],
  forms: [
    {
      when: [
        'incident.incident_id | incident.policy_name',
        'incident.condition_name | incident.condition | incident.policy_name',
      ],
      // The name of a policy may be its path, which says nothing to a reader.
      name: [
        'incident.policy_name > cut /^projects\\/.*\\/alertPolicies\\/.*$/',
        'incident.policy_display_name',
      ],
      message: [
        'incident.condition_name',
        'incident.condition.displayName',
        'incident.documentation.subject',
        'incident.summary',
      ],
      key: [
        ['incident.incident_id'],
        ['incident.url > take /incidents\\/([^?\\/]+)/'],
        ['incident.policy_name', 'incident.condition_name', 'incident.resource_name'],
        ['incident.policy_name', 'incident.condition_name'],
      ],
      state: [
        { at: '^version', nothing: 'test' },
        {
          at: 'incident.state',
          trigger: 'open',
          acknowledge: 'acknowledged',
          resolve: 'closed',
        },
        { at: 'incident.ended_at', resolve: /^[1-9]/ },
      ],
      severity: [
        'incident.severity',
        'incident.policy_user_labels.severity',
        'incident.metadata.user_labels.severity',
      ],
      links: { Incident: 'incident.url' },
    },
  ],
  guide: {
    steps: [
      'In the Google Cloud console, go to Monitoring > Alerting > Edit notification channels > Webhooks > Add new. Enter the Endpoint URL {url} and the display name Pager.',
      'Press Test connection, then Save.',
      'Under Alerting, edit each policy. In Notifications and name, choose the channel and turn on "Notify on incident closure". Without it, incidents are not resolved.',
      'Choose a Policy severity level: Critical becomes sev1, Error becomes sev2, Warning becomes sev3.',
    ],
  },
} as const satisfies Tool;
