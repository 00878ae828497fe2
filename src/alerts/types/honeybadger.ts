import type { Tool } from '../reading/notation.ts';

const state = [
  {
    at: 'event',
    resolve: 'resolved up check_in_reporting alarm_ok',
    nothing: 'assigned commented deployed test',
    else: 'trigger',
  },
  {
    at: 'fault.resolved | site.state | check_in.state | alarm.state',
    resolve: 'true up reporting ok',
  },
] as const;
const omit = ['project.token', 'notice.request.session', 'notice.request.params'] as const;

export const honeybadger = {
  slug: 'honeybadger',
  name: 'Honeybadger',
  description: 'Sends errors, uptime checks, check-ins and alarms.',
  problem: 'each error, site, check-in or alarm',
  logo: 'honeybadger',
  knownAs: ['Honeybadger', 'Honeybadger.io'],
  forms: [
    {
      when: ['fault.id | fault.klass', 'event | message | project'],
      title: ['{fault.klass}: {fault.message}', 'fault.klass', 'message'],
      key: [['fault.id'], ['project.id', 'fault.klass', 'fault.environment']],
      state,
      links: { Error: 'fault.url', Notice: 'notice.url' },
      omit,
    },
    {
      // Of a site that is up: its own problem, which no message ends.
      when: ['event=cert_will_expire'],
      title: ['message', 'site.name'],
      key: [
        ['site.id', 'event'],
        ['site.name', 'event'],
      ],
      state,
      links: { Site: 'site.details_url' },
      omit,
    },
    {
      when: [
        'site.details_url | check_in.details_url | alarm.details_url',
        'event | message | project',
      ],
      title: ['message', 'site.name | check_in.name | alarm.name'],
      // Their ids are counted each by itself.
      key: [
        ['site.id'],
        ['check-in {check_in.id}'],
        ['alarm {alarm.id}'],
        ['project.id', 'site.name | check_in.name | alarm.name'],
        ['site.name | check_in.name | alarm.name'],
      ],
      was: [
        ['site.id | check_in.id | alarm.id'],
        ['project.id', 'site.name | check_in.name | alarm.name'],
        ['site.name | check_in.name | alarm.name'],
      ],
      state,
      links: { Details: 'site.details_url | check_in.details_url | alarm.details_url' },
      omit,
    },
    {
      when: ['event', 'message', 'project.id | project.token | deploy'],
      title: 'message',
      state,
      omit,
    },
  ],
  guide: {
    steps: [
      'Go to Project settings > Alerts & Integrations and add a Webhook. Enter the URL {url}, choose payload version v2, and test it.',
      'Select these events: error occurred, resolved and reopened, site down and up, check-in missing and reporting, alarm triggered and back to normal. Comments, assignments and deploys open no incident.',
    ],
    notes: [
      'Errors resolve when someone resolves them in Honeybadger. Expiring certificates never do. For those, set auto_resolve on the integration.',
    ],
  },
} as const satisfies Tool;
