import type { Tool } from '../reading/notation.ts';

export const uptimeKuma = {
  slug: 'uptime-kuma',
  name: 'Uptime Kuma',
  description:
    'Sends webhook notifications as JSON, as a form or by GET. The PagerTree format is supported too.',
  problem: 'each monitor, and separately for each certificate',
  logo: 'uptimekuma',
  isOfQuery: (query) =>
    query.has('msg') &&
    query.keys().every((name) => ['msg', 'heartbeat', 'monitor'].includes(name)),
  forms: [
    {
      when: ['event_type', 'id'],
      title: ['title > cut /^Uptime Kuma Alert$/', 'description', 'title'],
      // Of all that is about no monitor, such as certificates, the id is the same.
      constants: 'uptime-kuma',
      key: [['id'], ['description > cut /\\d+ days?/'], ['title > cut /\\d+ days?/']],
      was: [['id']],
      state: [
        { at: ['description', 'title'], nothing: /Testing$/ },
        { at: 'event_type', trigger: 'create' },
      ],
      links: { Monitor: 'monitor.url' },
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
      'Go to Settings > Notifications > Setup Notification. Choose type Webhook, enter the Post URL {url}, and choose the Request Body "Preset - application/json".',
      'Turn on Default enabled, for new monitors, and Apply on all existing monitors. Press Test, then Save. It sends Down and Up.',
    ],
  },
} as const satisfies Tool;
