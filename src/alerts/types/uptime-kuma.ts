import type { Tool } from '../reading/notation.ts';

export const uptimeKuma = {
  slug: 'uptime-kuma',
  name: 'Uptime Kuma',
  description: 'Webhook notifications as JSON, as a form or by GET; also in the form of PagerTree.',
  logo: 'uptimekuma',
  forms: [
    {
      when: ['event_type', 'id'],
      title: 'title',
      key: [['id']],
      state: [{ at: 'event_type', trigger: 'create' }],
    },
    {
      when: ['heartbeat.status'],
      name: 'monitor.name',
      message: ['heartbeat.msg', 'msg'],
      key: [['monitor.id | heartbeat.monitorID'], ['monitor.name']],
      state: [{ at: 'heartbeat.status', trigger: '0', resolve: '1', nothing: '2 3' }],
      links: { Monitor: 'monitor.url' },
    },
    {
      // Warnings of certificates that expire have no heartbeat.
      title: 'msg',
      key: [['msg > cut /\\d+ days?/']],
      state: [{ at: 'msg', nothing: /Testing$/ }],
    },
  ],
  guide: {
    steps: [
      'Settings, Notifications, Setup Notification: type Webhook, Post URL {url}, Request Body "Preset - application/json".',
      'Switch on Default enabled, for new monitors, and Apply on all existing monitors. Press Test, and Save. It sends Down and Up.',
    ],
  },
} as const satisfies Tool;
