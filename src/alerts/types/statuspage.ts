import type { Tool } from '../reading/notation.ts';

export const statuspage = {
  slug: 'statuspage',
  name: 'Atlassian Statuspage',
  description: 'Incidents of the status page of a supplier; scheduled maintenance is ignored.',
  problem: 'each incident, and each component of a page',
  logo: 'statuspage',
  knownAs: ['Statuspage', 'StatusPage.io', 'StatusPage'],
  forms: [
    {
      when: ['incident.status | incident.impact', 'page | incident.shortlink'],
      title: ['incident.name', 'incident.incident_updates[0].body'],
      key: [['incident.id'], ['page.id', 'incident.name']],
      state: [
        { at: 'incident.impact', nothing: 'maintenance' },
        {
          at: 'incident.status',
          trigger: 'investigating identified monitoring',
          resolve: 'resolved postmortem',
          nothing: 'scheduled in_progress verifying completed',
        },
        { at: 'incident.resolved_at', resolve: /./ },
      ],
      // The impact "none" is a word of theirs, and reads as absent.
      severity: {
        at: 'incident.impact',
        sev1: 'critical',
        sev2: 'major',
        sev3: 'minor',
        else: 'sev3',
      },
      links: { Incident: 'incident.shortlink' },
      omit: ['meta.unsubscribe'],
    },
    {
      when: ['component_update | component.status', 'component | page'],
      title: [
        '{component.name}: {component_update.new_status | component.status}',
        'component.name',
      ],
      key: [['component_update.component_id | component.id'], ['page.id', 'component.name']],
      state: [
        {
          at: 'component_update.new_status | component.status',
          trigger: 'degraded_performance partial_outage major_outage',
          resolve: 'operational',
          nothing: 'under_maintenance',
        },
      ],
      severity: {
        at: 'component_update.new_status | component.status',
        sev1: 'major_outage',
        sev2: 'partial_outage',
        sev3: 'degraded_performance',
      },
      omit: ['meta.unsubscribe'],
    },
  ],
  guide: {
    steps: [
      'On the status page: Subscribe to updates, the tab Webhook: URL {url}, and an address of yours for failures of the webhook.',
      'Select the components that matter to you, if the page lets you. Each change of a component opens a separate incident, in addition to that of the page.',
    ],
  },
} as const satisfies Tool;
