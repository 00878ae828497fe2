import type { Tool } from '../reading/notation.ts';

const severity = {
  sev1: 'availability monitoring_unavailable',
  sev2: 'error',
  sev3: 'performance slowdown resource_contention resource custom_alert info',
} as const;

export const dynatrace = {
  slug: 'dynatrace',
  name: 'Dynatrace',
  description: 'Sends problems with a custom integration or a workflow.',
  problem: 'each problem',
  logo: 'dynatrace',
  knownAs: ['Dynatrace', 'DynatraceV2', 'dynatrace'],
  forms: [
    {
      // ProblemID is a number for people, which is given again.
      when: ['PID | ProblemID', 'State | ProblemTitle'],
      title: ['ProblemTitle', 'ImpactedEntity'],
      host: 'ImpactedEntities[0].name',
      key: [['PID'], ['ProblemID']],
      // MERGED: another event has joined the problem.
      state: [{ at: 'State', trigger: 'open merged', resolve: 'resolved closed' }],
      severity: { at: 'ProblemSeverity', ...severity },
      links: { Problem: '["Problem URL"] | ProblemURL' },
    },
    {
      when: ['["event.kind"] | ["event.category"]', '["event.id"]'],
      title: ['["event.name"]', '["display_id"]'],
      key: [['["event.id"]']],
      state: [{ at: '["event.status"]', trigger: 'active', resolve: 'closed' }],
      severity: { at: '["event.category"]', ...severity },
    },
  ],
  guide: {
    steps: [
      'Go to Settings > Integration > Problem notifications > Add notification. Choose type Custom integration and enter the webhook URL {url}.',
      'Keep "Call webhook if problem is closed" on. Without it, incidents are not resolved. Paste the custom payload below.',
      'Choose the alerting profile, press Send test notification, and save.',
    ],
    snippets: [
      {
        file: 'payload.json',
        text: `{
  "State": "{State}",
  "PID": "{PID}",
  "ProblemID": "{ProblemID}",
  "ProblemTitle": "{ProblemTitle}",
  "ProblemSeverity": "{ProblemSeverity}",
  "ProblemImpact": "{ProblemImpact}",
  "ImpactedEntity": "{ImpactedEntity}",
  "ProblemURL": "{ProblemURL}",
  "Tags": "{Tags}"
}`,
      },
    ],
  },
} as const satisfies Tool;
