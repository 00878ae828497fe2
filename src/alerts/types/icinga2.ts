import { pagerSend } from '../delivery-script.ts';
import type { Tool } from '../reading/notation.ts';
import { nagiosAgentForm, nagiosSeverities, nagiosStates, notificationWords } from './nagios.ts';

// The event stream numbers states: of a service 0 OK, 1 WARNING, 2 CRITICAL, 3 UNKNOWN; of a host
// 0 UP, 1 DOWN. A soft state may still pass.
const streamed = [
  { at: 'type', acknowledge: 'AcknowledgementSet', nothing: 'CheckResult' },
  { at: 'notification_type', ...notificationWords },
  { at: 'state_type', nothing: '0' },
  { at: 'state | check_result.state', trigger: '1 2 3', resolve: '0' },
] as const;

const notification = (
  name: string,
  problem: string,
  fields: readonly string[],
) => `object NotificationCommand "${name}" {
  command = [ "/usr/local/bin/pager-send", "${problem}" ]
  arguments = {
    "--data-urlencode" = { value = "$pager_fields$", repeat_key = true }
  }
  vars.pager_fields = [
${fields.map((field) => `    "${field}"`).join(',\n')}
  ]
}`;
/** Without the ends of flapping and of downtimes, what recovers meanwhile would stay open. */
const types =
  'Problem, Acknowledgement, Recovery, FlappingStart, FlappingEnd, DowntimeStart, DowntimeEnd, DowntimeRemoved';
const common = [
  'notification_type=$notification.type$',
  'author=$notification.author$',
  'comment=$notification.comment$',
  'host_name=$host.name$',
  'host_display_name=$host.display_name$',
  'host_state=$host.state$',
];

export const icinga2 = {
  slug: 'icinga2',
  name: 'Icinga 2',
  description:
    'Sends notifications of hosts and services with a command. The event stream is supported too.',
  problem: 'each host, and each service of a host',
  logo: 'icinga',
  knownAs: ['Icinga', 'Icinga2', 'Icinga 2', 'icinga', 'icinga2'],
  forms: [
    {
      when: [
        'notification_type | service.state_type | service.last_state',
        'host.name | host.display_name',
        'service.name | service.display_name | service.state',
      ],
      name: [
        '{host.display_name | host.name}/{service.display_name | service.name}',
        'service.display_name | service.name',
      ],
      message: ['service.output', 'service.state'],
      // Several hosts may have one display name.
      key: [
        ['host.name', 'service.name'],
        [
          'host.name | host.address | host.address6 | host.display_name',
          'service.name | service.display_name',
        ],
      ],
      was: [
        ['host.name', 'service.name'],
        ['host.name | host.display_name', 'service.name | service.display_name'],
      ],
      state: [
        { at: 'notification_type', ...notificationWords },
        { at: 'service.state', ...nagiosStates },
      ],
      severity: { at: 'service.state', ...nagiosSeverities },
      links: { Notes: ['service.notes_url', 'host.notes_url'] },
    },
    {
      when: ['notification_type | host.state', 'host.name | host.display_name', '!service'],
      name: 'host.display_name | host.name',
      message: ['host.output', 'host.state'],
      key: [['host.name'], ['host.address | host.address6'], ['host.display_name']],
      was: [['host.name'], ['host.display_name']],
      state: [
        { at: 'notification_type', ...notificationWords },
        { at: 'host.state', ...nagiosStates },
      ],
      severity: { at: 'host.state', ...nagiosSeverities },
      links: { Notes: 'host.notes_url' },
    },
    {
      // Of the guide.
      when: ['notification_type', 'host_name | host_display_name', 'host_state | service_state'],
      name: [
        '{host_display_name | host_name}/{service_display_name | service_name}',
        'host_display_name | host_name',
      ],
      message: ['service_output', 'host_output', 'service_state', 'host_state'],
      key: [
        ['host_name', 'service_name'],
        ['host_name | host_address | host_display_name', 'service_name | service_display_name'],
        ['host_name'],
        ['host_address'],
        ['host_display_name'],
      ],
      was: [['host_name', 'service_name'], ['host_name'], ['host_display_name']],
      state: [
        { at: 'notification_type', ...notificationWords },
        { at: 'service_state | host_state', ...nagiosStates },
      ],
      severity: { at: 'service_state | host_state', ...nagiosSeverities },
      links: { Notes: 'notes_url' },
    },
    nagiosAgentForm,
    {
      // Of the event stream, what is no change of a state.
      when: [
        'type~^(Comment|Downtime|Object)(Added|Removed|Started|Triggered|Created|Modified|Deleted)$|^(Flapping|AcknowledgementCleared)$',
      ],
      title: 'type',
      state: [{ at: 'type', else: 'nothing' }],
    },
    {
      when: ['check_result | acknowledgement_type | state_type', 'host', 'service'],
      title: ['{host}/{service}: {check_result.output}', '{host}/{service}'],
      key: [['host', 'service']],
      state: streamed,
      severity: { at: ['state', 'check_result.state'], sev1: '2', sev3: '1 3' },
    },
    {
      when: ['check_result | acknowledgement_type | state_type', 'host', '!service'],
      title: ['{host}: {check_result.output}', 'host'],
      key: [['host']],
      state: streamed,
      severity: { at: ['state', 'check_result.state'], sev1: '1 2 3' },
    },
  ],
  guide: {
    steps: [
      'Save pager-send below, which posts to {url}, as /usr/local/bin/pager-send, mode 755, on each node that sends notifications. It returns at once and sends in the background. While Pager restarts, it retries for ten minutes, so the commands can keep their default timeout. Lost notifications are in the system log.',
      'Save pager.conf below as /etc/icinga2/conf.d/pager.conf, or create the same command and notifications in Icinga Director.',
      'Keep its types. Without Recovery, incidents are not resolved. FlappingEnd, DowntimeEnd and DowntimeRemoved resolve objects that recovered in the meantime, because Icinga sends no recovery during flapping or downtime.',
      'Keep interval above 0. A repeat is counted on the open incident and pages nobody. If a notification was lost, its repeat opens an incident.',
      'Check the configuration with icinga2 daemon -C, then reload Icinga 2.',
    ],
    notes: [
      'pager.conf sends notifications for all hosts and services. Narrow its assign rules if you need to.',
    ],
    snippets: [
      {
        file: '/etc/icinga2/conf.d/pager.conf',
        text: `${notification('pager-host', '$host.name$', [
          ...common,
          'host_output=$host.output$',
          'notes_url=$host.notes_url$',
        ])}
${notification('pager-service', '$host.name$/$service.name$', [
  ...common,
  'service_name=$service.name$',
  'service_display_name=$service.display_name$',
  'service_state=$service.state$',
  'service_output=$service.output$',
  'notes_url=$service.notes_url$',
])}
object User "pager" {
  display_name = "Pager"
}
apply Notification "pager-host" to Host {
  command = "pager-host"
  users = [ "pager" ]
  types = [ ${types} ]
  states = [ Up, Down ]
  interval = 30m
  assign where true
}
apply Notification "pager-service" to Service {
  command = "pager-service"
  users = [ "pager" ]
  types = [ ${types} ]
  states = [ OK, Warning, Critical, Unknown ]
  interval = 30m
  assign where true
}`,
      },
      { file: 'pager-send', text: pagerSend },
    ],
  },
} as const satisfies Tool;
