import type { Tool } from '../reading/notation.ts';
import { zabbixMediaType } from './zabbix-media-type.ts';

// An update says in its action whether it acknowledges; its state is still that of the problem.
const acknowledges = /\backnowledged/;
// The host, the trigger or the action was disabled: no end follows.
const canceled = (at: string) => ({ at, unwatched: /^NOTE: Escalation cancell?ed\b/i });
// The names of severities may be changed; their numbers are not.
const severities = { sev1: '5', sev2: '4', sev3: '3 2 1 0 notclassified' } as const;

/** As the messages name it that Zabbix comes with. */
const hostIn = (place: string) => `${place} > take /(?m)^Host: ([^\\r\\n]+)/`;

export const zabbix = {
  slug: 'zabbix',
  name: 'Zabbix',
  description:
    'Sends problems with Pager’s media type. The media types for PagerDuty, Opsgenie, VictorOps, SIGNL4, iLert, PagerTree, Grafana OnCall and Rootly are supported too.',
  problem: 'each problem event',
  knownAs: ['Zabbix', 'Zabbix Webhook (for 5.0 and 5.2)', 'zabbix'],
  forms: [
    {
      // Of ours and of iLert: the macros of Zabbix by their names.
      when: ['["EVENT.ID"] | ["EVENT.VALUE"]', '["EVENT.NAME"] | ["ALERT.SUBJECT"]'],
      title: ['["EVENT.NAME"]', '["ALERT.SUBJECT"]', '["TRIGGER.NAME"]'],
      key: [
        ['["EVENT.ID"]'],
        ['["HOST.HOST"]', '["TRIGGER.ID"]'],
        ['["HOST.HOST"] | ["HOST.NAME"]', '["EVENT.NAME"]'],
        ['["EVENT.NAME"]'],
      ],
      was: [['["EVENT.ID"]'], ['["HOST.HOST"]', '["TRIGGER.ID"]'], ['["EVENT.NAME"]']],
      host: ['["HOST.NAME"]', '["HOST.HOST"]', hostIn('["ALERT.MESSAGE"]')],
      state: [
        canceled('["ALERT.MESSAGE"]'),
        { at: '["EVENT.UPDATE.ACTION"]', acknowledge: acknowledges },
        { at: '["EVENT.UPDATE.ACTION"]', nothing: /./ },
        // In a test of the media type no macro is filled in.
        { at: '["EVENT.VALUE"]', trigger: '1', resolve: '0', else: 'nothing' },
        { at: '["TRIGGER.STATUS"]', trigger: 'PROBLEM', resolve: 'OK' },
      ],
      severity: {
        at: ['["EVENT.NSEVERITY"]', '["EVENT.SEVERITY"]', '["TRIGGER.SEVERITY"]'],
        ...severities,
      },
      links: { Event: 'LINK', Trigger: '["TRIGGER.URL"]', Zabbix: '["ZABBIX.URL"]' },
    },
    {
      // SIGNL4.
      when: ['Trigger_Status | X-S4-Status', 'Event_ID | Trigger_ID'],
      title: ['Subject', 'Message'],
      host: ['Hostname', hostIn('Message')],
      key: [['Event_ID'], ['X-S4-ExternalID > take /ZabbixEventID: (\\d+)/'], ['Trigger_ID']],
      state: [
        canceled('Message | Body'),
        { at: 'Event_Update_Action', acknowledge: acknowledges },
        { at: 'Event_Update_Action', nothing: /./ },
        { at: 'Trigger_Status', trigger: 'PROBLEM', resolve: 'OK', else: 'nothing' },
        { at: 'X-S4-Status', trigger: 'new', acknowledge: 'acknowledged', resolve: 'resolved' },
      ],
      severity: { at: 'Severity', ...severities },
      links: { Event: 'Link', Zabbix: 'Zabbix_URL' },
    },
    {
      // PagerTree, and others that post their parameters as they are.
      when: ['event_value | event_id', 'event_nseverity | event_source | event_tags | trigger_id'],
      title: ['title', 'event_name', 'alert_subject', 'subject'],
      host: ['host_name', 'host', 'hostname', hostIn('description'), hostIn('alert_message')],
      key: [['event_id'], ['trigger_id']],
      state: [
        canceled('alert_message | message | description'),
        { at: 'event_update_action', acknowledge: acknowledges },
        { at: 'event_update_action', nothing: /./ },
        { at: 'event_value', trigger: '1', resolve: '0', else: 'nothing' },
      ],
      severity: { at: ['event_nseverity', 'event_severity', 'severity'], ...severities },
      links: { Zabbix: 'zabbix_url' },
    },
    {
      // VictorOps. It calls every update an acknowledgement, and problems of low severity INFO,
      // for which VictorOps pages nobody.
      when: ['entity_id | entity_display_name', 'message_type | monitoring_tool'],
      title: ['entity_display_name', 'state_message'],
      host: ['hostname', hostIn('state_message')],
      key: [['entity_id'], ['hostname', 'entity_display_name > stem']],
      state: [
        canceled('state_message'),
        { at: 'state_message', nothing: /acknowledged: No\b/ },
        {
          at: 'message_type',
          trigger: 'CRITICAL WARNING',
          acknowledge: 'ACKNOWLEDGEMENT',
          resolve: 'RECOVERY OK',
          nothing: 'INFO',
        },
      ],
      severity: { at: ['severity', 'message_type'], ...severities },
      links: { Event: 'event_info' },
    },
    {
      // Opsgenie: what is done to which alert is in the address.
      when: ['@path~/alerts/[^/]+/[a-z]+'],
      key: [['@path > take /\\/alerts\\/([^\\/]+)\\//']],
      state: [
        {
          at: '@path > take /\\/alerts\\/[^\\/]+\\/([a-z]+)/',
          acknowledge: 'acknowledge',
          resolve: 'close',
          else: 'nothing',
        },
      ],
    },
    {
      when: ['message | description', 'alias', 'source=Zabbix'],
      title: 'message',
      host: [hostIn('description')],
      key: [['alias']],
      severity: { at: 'priority', sev3: 'P3 P4 P5' },
      priority: 'priority',
      links: { Event: 'details.Problem', Zabbix: 'details.["Zabbix server"]' },
    },
    {
      // PagerDuty.
      when: ['event_action', 'dedup_key'],
      title: ['payload.summary', 'payload.source'],
      host: ['payload.custom_details.Host | payload.custom_details.hostname', 'payload.component'],
      key: [['dedup_key']],
      state: [{ at: 'event_action' }],
      severity: 'payload.severity',
      links: { Event: ['links', 'client_url'], Image: 'images' },
      omit: ['routing_key'],
    },
    {
      // Grafana OnCall.
      when: ['alert_uid', 'state'],
      title: ['title', 'message'],
      host: [hostIn('message')],
      key: [['alert_uid']],
      state: [
        canceled('message'),
        { at: 'state', resolve: 'ok' },
        { at: 'message', acknowledge: /acknowledged: Yes\b/ },
        { at: 'state', trigger: 'alerting' },
      ],
      links: { Event: 'link_to_upstream_details' },
    },
    {
      // Rootly.
      when: ['alert_id', 'alert_name', 'original_source=Zabbix'],
      title: 'alert_name',
      host: ['host_name', 'host', hostIn('description'), hostIn('message')],
      key: [['alert_id']],
      state: [
        canceled('description | message'),
        { at: 'state', resolve: 'resolved' },
        { at: 'acknowledged', acknowledge: 'Yes' },
        { at: 'state', trigger: 'firing' },
      ],
      severity: 'severity',
      links: { Event: 'event_url', Zabbix: 'zabbix_url' },
    },
  ],
  guide: {
    steps: [
      'Save the file below as pager-media-type.yaml. It already contains {url}.',
      'In Zabbix 6.0 or later, go to Alerts (Administration before 6.4) > Media types > Import, and choose the file.',
      'For links to events, go to Administration > Macros (Administration > General > Macros before 6.4) and add the global macro {$ZABBIX.URL} with the address of the frontend.',
      'Go to Users > Users (Administration > Users before 6.4), open a user for notifications, and go to Media > Add. Choose type Pager, enter "pager" in Send to, and select the severities that should page.',
      'Go to Alerts (Configuration before 6.4) > Actions > Trigger actions. Send to this user in Operations, Recovery operations and Update operations. Without recovery operations, incidents are not resolved.',
    ],
    notes: [
      'Test in Media types > Pager sends placeholders. It shows that the connection works and pages nobody.',
      'While Pager restarts, Zabbix retries every 10 seconds for ten minutes.',
    ],
    snippets: [{ file: 'pager-media-type.yaml', text: zabbixMediaType }],
  },
} as const satisfies Tool;
