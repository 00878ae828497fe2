import type { Tool } from '../reading/notation.ts';

export const graylog = {
  slug: 'graylog',
  name: 'Graylog',
  description: 'Event definitions by HTTP notification; alert conditions of Graylog 2.',
  problem: 'each key or group of an event definition',
  logo: 'graylog',
  knownAs: ['Graylog', 'graylog'],
  forms: [
    {
      when: ['event_definition_id', 'event | event_definition_title'],
      title: [
        '{event_definition_title}: {event.key}',
        'event_definition_title',
        'event.message',
        'event_definition_id',
      ],
      // Of an event definition with groups each has its own key.
      key: [
        ['event_definition_id', 'event.key'],
        ['event_definition_id', 'event.group_by_fields > hash'],
        ['event_definition_id'],
      ],
      was: [['event_definition_id', 'event.key'], ['event_definition_id']],
      state: [
        { at: 'event_definition_type', nothing: 'test-dummy-v1' },
        { at: 'event_definition_id', nothing: 'this-is-a-test-notification', else: 'trigger' },
      ],
      severity: { at: 'event.priority', sev1: '4', sev2: '3', sev3: '2 1' },
    },
    {
      when: ['check_result', 'stream'],
      title: ['check_result.result_description', 'stream.title'],
      key: [['stream.id', 'check_result.triggered_condition.id'], ['stream.id']],
      state: [{ at: 'check_result.triggered', trigger: 'true', resolve: 'false' }],
    },
  ],
  guide: {
    steps: [
      'System, Configurations, URL Whitelist (in newer versions URL Allowlist): add {url}.',
      'Alerts, Notifications, Create notification: type HTTP Notification, URL {url}. Press Execute test notification.',
      'Alerts, Event definitions, the definition, Notifications: add it.',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is Graylog that has templates.
      'A definition that groups by fields opens an incident for each group. Older versions of Graylog do not send the group: there add a custom field under Fields, turn on "Use Field as Event Key", and set its value by a template, such as ${source.host} for the field host.',
      'Graylog sends nothing when the condition is over: set resolve_when_quiet of the integration to more than the interval of the search and the grace period of the notifications together.',
    ],
  },
} as const satisfies Tool;
