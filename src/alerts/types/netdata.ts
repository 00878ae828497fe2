import { deliver } from '../delivery-script.ts';
import type { Tool } from '../reading/notation.ts';

// Without a value an alarm has no state.
const states = {
  trigger: 'WARNING CRITICAL',
  resolve: 'CLEAR CLEARED OK NORMAL',
  // Its chart is gone, as of a disk that was taken out or a container that was stopped.
  unwatched: 'REMOVED',
  nothing: 'UNDEFINED UNINITIALIZED INDETERMINATE',
} as const;

export const netdata = {
  slug: 'netdata',
  name: 'Netdata',
  description:
    'Sends alerts of Netdata agents with a custom sender. The formats for PagerDuty, Opsgenie, Alerta and StackPulse are supported too.',
  problem: 'each alert of each chart of a host',
  logo: 'netdata',
  knownAs: ['Netdata', 'netdata'],
  forms: [
    {
      // Alerta.
      when: ['resource | event', 'type | origin~^netdata'],
      title: ['text', 'event'],
      host: 'resource > cut /:.*$/',
      key: [['resource', 'event', 'environment'], ['resource', 'event'], ['event'], ['resource']],
      state: [{ at: 'severity', ...states }],
      severity: 'severity',
      links: { Netdata: 'attributes.moreInfo > take /href="([^"]+)"/' },
    },
    {
      // PagerDuty. Its key is that of one change of an alarm, which its end does not share.
      when: [
        'payload.custom_details.alarm_id | payload.custom_details.chart',
        'payload.custom_details.name | payload.class',
      ],
      title: ['payload.summary', 'payload.custom_details.info'],
      host: 'payload.source',
      key: [
        [
          'payload.source',
          'payload.custom_details.chart | payload.class',
          'payload.custom_details.name',
        ],
        ['payload.source', 'payload.custom_details.alarm_id'],
        ['payload.custom_details.chart', 'payload.custom_details.name'],
      ],
      // Of an alert whose chart is gone it sends the end to PagerDuty too.
      state: [
        { at: 'payload.custom_details.status', unwatched: 'REMOVED' },
        { at: 'event_action' },
        { at: 'payload.custom_details.status', ...states },
      ],
      severity: ['payload.custom_details.status', 'payload.severity'],
      omit: ['routing_key'],
    },
    {
      // Of the guide, and Opsgenie.
      when: [
        'chart | name',
        'status | severity',
        'alarm_id | alarmId | unique_id',
        'old_status | goto_url | calc_expression',
      ],
      title: ['{host | args_host}: {alarm}', 'info', 'name'],
      key: [
        ['host | args_host', 'chart', 'name'],
        ['host', 'alarm_id | alarmId'],
        ['chart', 'name'],
      ],
      state: [
        { at: 'status', ...states },
        { at: 'severity', ...states },
      ],
      severity: ['status', 'severity'],
      links: { Netdata: 'goto_url' },
    },
    {
      // StackPulse.
      when: ['Node | CalcExpression', 'Chart | Alarm', 'Status | OldStatus'],
      title: ['Description', '{Node}: {Alarm}'],
      host: 'Node',
      key: [
        ['Node', 'Chart', 'Alarm'],
        ['Node', 'ID'],
        ['Chart', 'Alarm'],
      ],
      state: [{ at: 'Status', ...states }],
      severity: 'Status',
    },
  ],
  guide: {
    steps: [
      'On each agent, or on their parent, run cd /etc/netdata, then sudo ./edit-config health_alarm_notify.conf.',
      'Replace its SEND_CUSTOM, DEFAULT_RECIPIENT_CUSTOM and custom_sender with the lines below, which post to {url}. They send in the background. While Pager restarts, they retry for ten minutes. Lost alerts are in the system log.',
      'To send a test, run sudo -u netdata /usr/libexec/netdata/plugins.d/alarm-notify.sh test (in Debian packages: /usr/lib/netdata/plugins.d). It sends an alarm and its end, so the incident is resolved at once.',
    ],
    snippets: [
      {
        file: 'health_alarm_notify.conf',
        text: `SEND_CUSTOM="YES"
DEFAULT_RECIPIENT_CUSTOM="pager"
${deliver}
custom_sender() {
  local url='{url}' body=
  deliver "\${host}/\${chart}/\${name}" \\
    --data-urlencode "host=\${host}" \\
    --data-urlencode "chart=\${chart}" \\
    --data-urlencode "name=\${name}" \\
    --data-urlencode "alarm_id=\${alarm_id}" \\
    --data-urlencode "status=\${status}" \\
    --data-urlencode "old_status=\${old_status}" \\
    --data-urlencode "alarm=\${alarm}" \\
    --data-urlencode "info=\${info}" \\
    --data-urlencode "value=\${value_string}" \\
    --data-urlencode "roles=\${roles}" \\
    --data-urlencode "goto_url=\${goto_url}"
  info "handed over to Pager: \${host} \${chart}.\${name} is \${status}"
}`,
      },
    ],
  },
} as const satisfies Tool;
