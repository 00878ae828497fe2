import { pagerSend } from '../delivery-script.ts';
import type { Form, Tool } from '../reading/notation.ts';

/**
 * What the types of notification of Nagios mean; Icinga and Checkmk have the same. While something
 * flaps, Nagios sends no problem of it. At the end of flapping and of a downtime, the state decides.
 */
export const notificationWords = {
  trigger: /^(?:problem|flapping_?start)$/i,
  acknowledge: 'ACKNOWLEDGEMENT',
  resolve: 'RECOVERY',
  nothing: /^(?:downtime_?start|custom|alerthandler)/i,
} as const;

/** The states of its hosts and services; of a host that is not reached nobody knows better. */
export const nagiosStates = { trigger: 'CRITICAL WARNING UNKNOWN DOWN', resolve: 'OK UP' } as const;
export const nagiosSeverities = { sev1: 'CRITICAL DOWN UNREACHABLE UNREACH' } as const;

const field = (name: string) => `--data-urlencode '${name}'`;
const command = (name: string, problem: string, fields: readonly string[]) => `define command {
  command_name  ${name}
  command_line  /usr/local/bin/pager-send '${problem}' \\
    ${fields.map(field).join(' \\\n    ')}
}`;
const common = [
  'notificationType=$NOTIFICATIONTYPE$',
  'host=$HOSTNAME$',
  'hostAddress=$HOSTADDRESS$',
];

const macroHost = 'NAGIOS_HOSTNAME | NAGIOS_HOSTDISPLAYNAME | NAGIOS_HOSTADDRESS';
/** Several hosts may have one display name. */
const macroHostKey = 'NAGIOS_HOSTNAME | NAGIOS_HOSTADDRESS | NAGIOS_HOSTDISPLAYNAME';

const agentHost = 'HOSTNAME | details.HOSTNAME';
const agentService = 'SERVICEDESC | details.SERVICEDESC | service_description';
const agentState = 'SERVICESTATE | details.SERVICESTATE | state | HOSTSTATE | details.HOSTSTATE';

/** Of the agents of PagerDuty, Opsgenie and Keep: macros, as they are called or as host_name. */
export const nagiosAgentForm = {
  when: [agentHost, 'NOTIFICATIONTYPE | details.NOTIFICATIONTYPE | event_type'],
  name: [`{${agentHost}}/{${agentService}}`, agentHost],
  message: [
    'SERVICEOUTPUT | details.SERVICEOUTPUT | plugin_output',
    'HOSTOUTPUT | details.HOSTOUTPUT',
    agentState,
  ],
  key: [[agentHost, agentService], [agentHost]],
  state: [
    { at: 'NOTIFICATIONTYPE | details.NOTIFICATIONTYPE', ...notificationWords },
    { at: 'event_type' },
    { at: agentState, ...nagiosStates },
  ],
  severity: { at: agentState, ...nagiosSeverities },
  omit: ['apiKey', 'service_key'],
} as const satisfies Form;

export const nagios = {
  slug: 'nagios',
  name: 'Nagios',
  description: 'Sends notifications of hosts and services with a command.',
  problem: 'each host, and each service of a host',
  knownAs: ['Nagios', 'NagiosV2', 'Nagios XI', 'nagios'],
  forms: [
    {
      // Of the guide, or the same as JSON.
      when: ['notificationType | stateType', 'host | hostAddress', 'state | output'],
      name: ['{host | hostAddress}/{service}', 'host | hostAddress'],
      message: ['output', 'state'],
      key: [['host | hostAddress', 'service'], ['host | hostAddress']],
      state: [
        { at: 'notificationType', ...notificationWords },
        { at: 'state', ...nagiosStates },
      ],
      severity: { at: 'state', ...nagiosSeverities },
      links: { Notes: 'notesUrl' },
    },
    {
      // The macros in the environment of a command.
      when: [macroHost, 'NAGIOS_NOTIFICATIONTYPE | NAGIOS_HOSTSTATE'],
      name: [`{${macroHost}}/{NAGIOS_SERVICEDESC}`, macroHost],
      message: ['NAGIOS_SERVICEOUTPUT', 'NAGIOS_HOSTOUTPUT'],
      key: [[macroHostKey, 'NAGIOS_SERVICEDESC'], [macroHostKey]],
      was: [[macroHost, 'NAGIOS_SERVICEDESC'], [macroHost]],
      state: [
        { at: 'NAGIOS_NOTIFICATIONTYPE', ...notificationWords },
        { at: 'NAGIOS_SERVICESTATE | NAGIOS_HOSTSTATE', ...nagiosStates },
      ],
      severity: { at: 'NAGIOS_SERVICESTATE | NAGIOS_HOSTSTATE', ...nagiosSeverities },
      links: { Notes: ['NAGIOS_SERVICENOTESURL', 'NAGIOS_HOSTNOTESURL'] },
    },
    nagiosAgentForm,
  ],
  guide: {
    steps: [
      'Save pager-send below, which posts to {url}, as /usr/local/bin/pager-send, mode 755. It returns at once and sends in the background. While Pager restarts, it retries for ten minutes, so you do not have to change notification_timeout in nagios.cfg. Lost notifications are in the system log.',
      'Save pager.cfg below next to your other object files, and add it to nagios.cfg with cfg_file=, unless a cfg_dir= there contains its folder. Nagios rejects a file that it reads twice.',
      'Add the contact pager to the contacts or contact groups of hosts and services.',
      'Keep the options r, f and s. r sends recoveries. Without them, incidents are not resolved. f and s send the ends of flapping and downtime, because Nagios sends no recovery during flapping or downtime. Acknowledgements are sent with the problem options.',
      'Keep notification_interval above 0. A repeat is counted on the open incident and pages nobody. If a notification was lost, its repeat opens an incident.',
      'Keep the default of illegal_macro_output_chars in nagios.cfg, which removes quotes from plugin output before a shell reads it.',
      'Check the configuration with nagios -v nagios.cfg, then reload Nagios.',
    ],
    snippets: [
      {
        file: 'pager.cfg',
        text: `${command('notify-host-by-pager', '$HOSTNAME$', [
          'type=host',
          ...common,
          'state=$HOSTSTATE$',
          'output=$HOSTOUTPUT$',
          'notesUrl=$HOSTNOTESURL$',
        ])}
${command('notify-service-by-pager', '$HOSTNAME$/$SERVICEDESC$', [
  'type=service',
  ...common,
  'service=$SERVICEDESC$',
  'state=$SERVICESTATE$',
  'output=$SERVICEOUTPUT$',
  'notesUrl=$SERVICENOTESURL$',
])}
define contact {
  contact_name                   pager
  alias                          Pager
  host_notification_period       24x7
  service_notification_period    24x7
  host_notification_options      d,u,r,f,s
  service_notification_options   w,u,c,r,f,s
  host_notification_commands     notify-host-by-pager
  service_notification_commands  notify-service-by-pager
}`,
      },
      { file: 'pager-send', text: pagerSend },
    ],
  },
} as const satisfies Tool;
