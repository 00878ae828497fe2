import type { Tool } from '../reading/notation.ts';

export const site24x7 = {
  slug: 'site24x7',
  name: 'Site24x7',
  description: 'Sends monitor alerts with a third-party webhook integration.',
  problem: 'each monitor',
  knownAs: ['Site24x7', 'site24x7'],
  forms: [
    {
      when: ['MONITORNAME | MONITOR_ID | MONITORURL', 'STATUS | INCIDENT_REASON | MONITORTYPE'],
      name: ['MONITORNAME', 'MONITORURL'],
      message: ['INCIDENT_REASON', 'REASON', 'STATUS'],
      key: [['MONITOR_ID'], ['MONITORNAME']],
      state: [
        {
          at: 'STATUS',
          trigger: 'down trouble critical configuration_error',
          resolve: 'up clear',
          nothing: 'maintenance suspended discovery discovery_in_progress test',
        },
      ],
      severity: { at: 'STATUS', sev1: 'down critical', sev3: 'trouble configuration_error' },
      links: { 'Root cause': 'RCA_LINK', Monitor: 'MONITOR_DASHBOARD_LINK' },
    },
  ],
  guide: {
    steps: [
      'Go to Admin > Third-Party Integrations > Add Third-Party Integration > Webhooks. Enter the Hook URL {url} and choose HTTP Method POST.',
      'Select Post as JSON and Send Incident Parameters. Choose to send Down, Trouble, Critical and Up, and choose the monitors.',
      'Save, and press Test Alert.',
    ],
  },
} as const satisfies Tool;
