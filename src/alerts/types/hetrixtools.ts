import type { Tool } from '../reading/notation.ts';

export const hetrixtools = {
  slug: 'hetrixtools',
  name: 'HetrixTools',
  description: 'Sends alerts of uptime, resource usage and blacklist monitors.',
  problem: 'each monitor, and each of its resources',
  knownAs: ['HetrixTools'],
  forms: [
    {
      when: ['monitor_status', 'monitor_id | monitor_name'],
      title: ['{monitor_name} is {monitor_status}', 'monitor_name', 'monitor_target'],
      key: [['monitor_id'], ['monitor_name']],
      state: [
        { at: 'monitor_status', trigger: 'offline', resolve: 'online', nothing: 'maintenance' },
      ],
      links: { Target: 'monitor_target' },
    },
    {
      when: ['resource_usage'],
      name: 'monitor_name',
      message: [
        '{resource_usage.resource_type} {resource_usage.current_usage}',
        'resource_usage.resource_type',
      ],
      // Its own problem: a server that goes offline meanwhile is another.
      key: [
        ['monitor_id', 'resource_usage.resource_type'],
        ['monitor_name', 'resource_usage.resource_type'],
      ],
      state: [],
    },
    {
      when: ['monitor', 'blacklisted_now'],
      title: ['{monitor} is on {blacklisted_now} blacklists', 'monitor'],
      key: [['monitor']],
      state: [{ at: 'blacklisted_now', resolve: '0', else: 'trigger' }],
      links: { Report: 'links.report_link' },
    },
  ],
  guide: {
    steps: [
      'Go to Contact Lists and edit the list (the pencil). Enter the Webhook URL {url} and save.',
      'Select the contact list in the monitors that should page. Uptime and blacklist monitors resolve automatically.',
    ],
    notes: [
      'Resource usage warnings have no end. Set auto_resolve on the integration, or send these warnings only by e-mail.',
    ],
  },
} as const satisfies Tool;
