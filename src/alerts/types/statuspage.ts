import type { Tool } from '../reading/notation.ts';

export const statuspage = {
  slug: 'statuspage',
  name: 'Atlassian Statuspage',
  description: 'Sends incidents of a supplier’s status page. Scheduled maintenance is ignored.',
  problem: 'each incident and each component of a page',
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
      'On the status page, press Subscribe to updates and open the Webhook tab. Enter the URL {url} and your own e-mail address for webhook failures.',
      'If the page allows it, select the components that matter to you. Each change of a component opens its own incident, in addition to the incident of the page.',
    ],
  },
} as const satisfies Tool;
