import type { Tool } from '../reading/notation.ts';

export const graylog = {
  slug: 'graylog',
  name: 'Graylog',
  description:
    'Sends events of event definitions by HTTP notification. Alert conditions of Graylog 2 are supported too.',
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
      'Go to System > Configurations > URL Whitelist (URL Allowlist in newer versions) and add {url}.',
      'Go to Alerts > Notifications > Create notification. Choose type HTTP Notification, enter the URL {url}, and press Execute test notification.',
      'Go to Alerts > Event definitions, open the definition, and add the notification under Notifications.',
      'Graylog sends nothing when the condition is over. Set resolve_when_quiet on the integration to more than the search interval plus the grace period of the notifications.',
    ],
    notes: [
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is Graylog that has templates.
      'A definition that groups by fields opens an incident for each group. Older versions of Graylog do not send the group. In that case, add a custom field under Fields, turn on "Use Field as Event Key", and set its value with a template, such as ${source.host} for the field host.',
    ],
  },
} as const satisfies Tool;
