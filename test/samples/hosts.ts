// Monitors of hosts, networks and what runs on them.
import { form, formType, message, messages, type ToolSamples } from './sample.ts';

const checkmk = (notification_type: string, status: string, output: string) => ({
  site: 'main',
  host: 'db-1',
  address: '192.0.2.10',
  what: 'SERVICE',
  service: 'Disk /var',
  notification_type,
  status,
  output,
});

// The severity is the state, so a recovery has other labels than its problem.
const collectd = (severity: string, summary: string) => ({
  labels: { alertname: 'collectd_df', instance: 'db-1', df: 'var', severity, service: 'collectd' },
  annotations: { summary },
});

/** The first 128 bits of the SHA-256 of the other labels, as JSON in the order of names. */
const collectdKey = '9d47752d68d5ddbaf926d122ef51873e';

const icinga = (type: string, state: string, output: string) =>
  form({
    notification_type: type,
    host_name: 'db-1',
    host_display_name: 'Database 1',
    host_state: 'UP',
    service_name: 'disk',
    service_display_name: 'Disk /var',
    service_state: state,
    service_output: output,
  });
const icingaHost = (type: string, state: string, output: string) =>
  form({
    notification_type: type,
    host_name: 'web-1',
    host_display_name: 'Web 1',
    host_state: state,
    host_output: output,
  });

const kapacitor = (level: string, host = 'db-1') => ({
  id: `disk:host=${host}`,
  message: `Disk of ${host} is ${level}`,
  level,
  time: '2026-11-21T03:00:00Z',
  data: { series: [{ name: 'disk', tags: { host }, columns: ['time', 'used'] }] },
});

const librenms = (state: string, title: string, id: string) => ({
  id,
  alert_id: '615',
  rule_id: '5',
  device_id: '3',
  hostname: 'db-1',
  sysName: 'db-1',
  name: 'Disk above 90 %',
  title,
  state,
  severity: 'critical',
});

const logicmonitor = (alertstatus: string, value: string, level = 'critical') => ({
  alertid: 'LMD77',
  alertstatus,
  level,
  host: 'db-1',
  datasource: 'Volume usage',
  instance: '/var',
  datapoint: 'PercentUsed',
  value,
  alerturl: 'https://acme.logicmonitor.com/alerts/77',
});

const monit = (event: string, description: string, host = 'db-1', service = 'nginx') =>
  form({
    MONIT_HOST: host,
    MONIT_SERVICE: service,
    MONIT_EVENT: event,
    MONIT_DESCRIPTION: description,
    MONIT_DATE: 'Sat, 21 Nov 2026 03:00:00',
  });

const nagios = (notificationType: string, state: string, output: string) =>
  form({
    notificationType,
    host: 'db-1',
    hostAddress: '192.0.2.10',
    service: 'Disk /var',
    state,
    output,
  });
const nagiosHost = (notificationType: string, state: string, output: string) =>
  form({ notificationType, host: 'web-1', hostAddress: '192.0.2.20', state, output });

const netbox = (status: string) => ({
  event: 'updated',
  timestamp: '2026-11-21 03:00:00+00:00',
  model: 'device',
  username: 'ada',
  request_id: '17af32f0',
  data: {
    id: 212,
    name: 'switch-7',
    display: 'switch-7',
    display_url: 'https://netbox.example.com/dcim/devices/212/',
    status: { value: status, label: status },
  },
});

const netdata = (status: string, alarm: string, old_status = 'CLEAR') => ({
  host: 'db-1',
  chart: 'disk_space._var',
  name: 'disk_space_usage',
  alarm,
  status,
  old_status,
  alarm_id: '1795',
  info: 'Space of /var',
  goto_url: 'https://netdata.example.com/alerts/1795',
});

const prtg = (status: string, words: string) =>
  form({
    sensorid: '2001',
    device: 'db-1',
    name: 'Ping',
    status,
    message: words,
    link: 'https://prtg.example.com/sensor.htm?id=2001',
  });

const riemann = (state: string, metric: number) => ({
  host: 'db-1',
  service: 'disk /var',
  state,
  description: 'Disk /var of db-1',
  metric,
  ttl: 60,
});

const UPTIME = '.1.3.6.1.2.1.1.3.0 0:1:02:03.45';
const TRAP = '.1.3.6.1.6.3.1.1.4.1.0';

/** The lines that snmptrapd gives to a program, which the script of the guide posts. */
const trap = (varbinds: readonly string[], port = 40_122) =>
  ['switch-7', `UDP: [192.0.2.7]:${port}->[192.0.2.1]:162`, UPTIME, ...varbinds].join('\n');
/** The same as fields, which scripts of others post. */
const link = (number: number, port?: number) => {
  const [host = '', transport = '', ...varbinds] = trap(
    [
      `${TRAP} .1.3.6.1.6.3.1.1.5.${number}`,
      '.1.3.6.1.2.1.2.2.1.1.9 9',
      '.1.3.6.1.2.1.2.2.1.2.9 "ge-0/0/9"',
    ],
    port,
  ).split('\n');
  return { host, transport, varbinds };
};
const ups = (number: number) =>
  trap([`${TRAP} .1.3.6.1.2.1.33.2.${number}`, '.1.3.6.1.2.1.33.1.6.2.1.1.4 4']);
const upsKey = '192.0.2.7 | upsAlarm | .1.3.6.1.2.1.33.1.6.2.1.1.4';
const linkKey = '192.0.2.7 | .1.3.6.1.2.1.2.2.1.1.9=9';
const plain = { contentType: 'text/plain' } as const;

const vrealize = (status: string, criticality: string, info: string) => ({
  alertId: '7c11',
  alertName: 'Disk is almost full',
  resourceName: 'db-1',
  resourceId: 'r-5',
  resourceKind: 'VirtualMachine',
  adapterKind: 'VMWARE',
  status,
  criticality,
  info,
});

const zabbix = (over: Readonly<Record<string, string>>) => ({
  'EVENT.ID': '4711',
  'EVENT.VALUE': '1',
  'EVENT.NAME': 'Disk /var of db-1 is full',
  'EVENT.NSEVERITY': '4',
  'EVENT.UPDATE.ACTION': '',
  'HOST.HOST': 'db-1',
  'HOST.NAME': 'db-1',
  'TRIGGER.ID': '13491',
  'TRIGGER.STATUS': 'PROBLEM',
  'ZABBIX.URL': 'https://zabbix.example.com',
  ...over,
});

export const hosts: Readonly<Record<string, ToolSamples>> = {
  checkmk: {
    source: 'https://docs.checkmk.com/latest/en/notifications.html#scripts',
    sent: [
      message('firing', checkmk('PROBLEM', 'CRITICAL', '97 % used'), [
        'trigger',
        'db-1 | SERVICE | Disk /var',
        'db-1/Disk /var: 97 % used',
        'sev1',
      ]),
      message('less severe', checkmk('PROBLEM', 'WARNING', '91 % used'), [
        'trigger',
        'db-1 | SERVICE | Disk /var',
        'db-1/Disk /var: 91 % used',
        'sev3',
      ]),
      message('acknowledged', checkmk('ACKNOWLEDGEMENT', 'CRITICAL', '97 % used'), [
        'acknowledge',
        'db-1 | SERVICE | Disk /var',
        'db-1/Disk /var: 97 % used',
        'sev1',
      ]),
      message('resolved', checkmk('RECOVERY', 'OK', '50 % used'), [
        'resolve',
        'db-1 | SERVICE | Disk /var',
        'db-1/Disk /var: 50 % used',
      ]),
      messages('a downtime begins', checkmk('DOWNTIMESTART', 'OK', '50 % used'), []),
    ],
  },
  collectd: {
    source: 'https://www.collectd.org/documentation/manpages/collectd.conf.html',
    sent: [
      message('firing', collectd('FAILURE', 'Disk /var of db-1 is at 97 %'), [
        'trigger',
        collectdKey,
        'Disk /var of db-1 is at 97 %',
        'sev1',
      ]),
      message('less severe', collectd('WARNING', 'Disk /var of db-1 is at 91 %'), [
        'trigger',
        collectdKey,
        'Disk /var of db-1 is at 91 %',
        'sev3',
      ]),
      message('resolved', collectd('OKAY', 'Disk /var of db-1 is at 50 %'), [
        'resolve',
        collectdKey,
        'Disk /var of db-1 is at 50 %',
      ]),
    ],
  },
  icinga2: {
    source:
      'https://icinga.com/docs/icinga-2/latest/doc/03-monitoring-basics/#notification-commands',
    sent: [
      message(
        'firing',
        icinga('PROBLEM', 'CRITICAL', '97 % used'),
        ['trigger', 'db-1 | disk', 'Database 1/Disk /var: 97 % used', 'sev1'],
        formType,
      ),
      message(
        'less severe',
        icinga('PROBLEM', 'WARNING', '91 % used'),
        ['trigger', 'db-1 | disk', 'Database 1/Disk /var: 91 % used', 'sev3'],
        formType,
      ),
      message(
        'a host',
        icingaHost('PROBLEM', 'DOWN', 'No answer'),
        ['trigger', 'web-1', 'Web 1: No answer', 'sev1'],
        formType,
      ),
      message(
        'acknowledged',
        icinga('ACKNOWLEDGEMENT', 'CRITICAL', '97 % used'),
        ['acknowledge', 'db-1 | disk', 'Database 1/Disk /var: 97 % used', 'sev1'],
        formType,
      ),
      message(
        'resolved',
        icinga('RECOVERY', 'OK', '50 % used'),
        ['resolve', 'db-1 | disk', 'Database 1/Disk /var: 50 % used'],
        formType,
      ),
      message(
        'a host resolved',
        icingaHost('RECOVERY', 'UP', 'It answers'),
        ['resolve', 'web-1', 'Web 1: It answers'],
        formType,
      ),
      messages('a downtime begins', icinga('DOWNTIMESTART', 'OK', '50 % used'), [], formType),
    ],
  },
  kapacitor: {
    source: 'https://docs.influxdata.com/kapacitor/v1/reference/event_handlers/post/',
    sent: [
      message('firing', kapacitor('CRITICAL'), [
        'trigger',
        'disk:host=db-1',
        'Disk of db-1 is CRITICAL',
        'sev1',
      ]),
      message('less severe', kapacitor('WARNING'), [
        'trigger',
        'disk:host=db-1',
        'Disk of db-1 is WARNING',
        'sev3',
      ]),
      message('another host', kapacitor('CRITICAL', 'db-2'), [
        'trigger',
        'disk:host=db-2',
        'Disk of db-2 is CRITICAL',
        'sev1',
      ]),
      message('resolved', kapacitor('OK'), ['resolve', 'disk:host=db-1', 'Disk of db-1 is OK']),
    ],
  },
  librenms: {
    source: 'https://docs.librenms.org/Alerting/Transports/#api',
    sent: [
      message('firing', librenms('1', 'Alert for db-1: disk above 90 %', '100'), [
        'trigger',
        '615',
        'Alert for db-1: disk above 90 %',
        'sev1',
      ]),
      message('worse', librenms('3', 'Alert for db-1: disk above 90 % got worse', '101'), [
        'trigger',
        '615',
        'Alert for db-1: disk above 90 % got worse',
        'sev1',
      ]),
      message('acknowledged', librenms('2', 'db-1 disk above 90 % got acknowledged', '101'), [
        'acknowledge',
        '615',
        'db-1 disk above 90 % got acknowledged',
        'sev1',
      ]),
      message(
        'another device',
        {
          ...librenms('1', 'Alert for web-9: no answer', '102'),
          alert_id: '616',
          rule_id: '6',
          device_id: '4',
          hostname: 'web-9',
          sysName: 'web-9',
          name: 'No answer',
        },
        ['trigger', '616', 'Alert for web-9: no answer', 'sev1'],
      ),
      message('resolved', librenms('0', 'Device db-1 recovered from disk above 90 %', '101'), [
        'resolve',
        '615',
        'Device db-1 recovered from disk above 90 %',
        'sev1',
      ]),
    ],
  },
  logicmonitor: {
    source: 'https://www.logicmonitor.com/support/custom-http-integration',
    sent: [
      message('firing', logicmonitor('active', '97'), [
        'trigger',
        'LMD77',
        'db-1: Volume usage PercentUsed is 97',
        'sev1',
      ]),
      message('firing again', logicmonitor('escalated', '98'), [
        'trigger',
        'LMD77',
        'db-1: Volume usage PercentUsed is 98',
        'sev1',
      ]),
      message('acknowledged', logicmonitor('ack', '98'), [
        'acknowledge',
        'LMD77',
        'db-1: Volume usage PercentUsed is 98',
        'sev1',
      ]),
      message(
        'another alert',
        { ...logicmonitor('active', '9'), alertid: 'LMD78', host: 'web-9', datasource: 'Load' },
        ['trigger', 'LMD78', 'web-9: Load PercentUsed is 9', 'sev1'],
      ),
      message('resolved', logicmonitor('clear', '50'), [
        'resolve',
        'LMD77',
        'db-1: Volume usage PercentUsed is 50',
        'sev1',
      ]),
    ],
  },
  monit: {
    source: 'https://mmonit.com/monit/documentation/monit.html#ENVIRONMENT',
    sent: [
      message(
        'firing',
        monit('Connection failed', 'failed to connect to [localhost]:80'),
        [
          'trigger',
          'db-1 | nginx | Connection | [localhost]:80',
          'db-1: nginx: failed to connect to [localhost]:80',
        ],
        formType,
      ),
      message(
        'firing again',
        monit('Connection failed', 'failed to connect to [localhost]:80 -- timeout'),
        [
          'trigger',
          'db-1 | nginx | Connection | [localhost]:80',
          'db-1: nginx: failed to connect to [localhost]:80 -- timeout',
        ],
        formType,
      ),
      message(
        'another rule',
        monit('Resource limit matched', 'cpu usage of 97% matches resource limit', 'db-2', 'cron'),
        [
          'trigger',
          'db-2 | cron | Resource limit | cpu usage',
          'db-2: cron: cpu usage of 97% matches resource limit',
        ],
        formType,
      ),
      message(
        'resolved',
        monit('Connection succeeded', 'connection succeeded to [localhost]:80'),
        [
          'resolve',
          'db-1 | nginx | Connection | [localhost]:80',
          'db-1: nginx: connection succeeded to [localhost]:80',
        ],
        formType,
      ),
      messages('Monit itself', monit('Instance changed', 'Monit 5.33 started'), [], formType),
    ],
  },
  nagios: {
    source: 'https://assets.nagios.com/downloads/nagioscore/docs/nagioscore/4/en/macrolist.html',
    sent: [
      message(
        'firing',
        nagios('PROBLEM', 'CRITICAL', '97 % used'),
        ['trigger', 'db-1 | Disk /var', 'db-1/Disk /var: 97 % used', 'sev1'],
        formType,
      ),
      message(
        'less severe',
        nagios('PROBLEM', 'WARNING', '91 % used'),
        ['trigger', 'db-1 | Disk /var', 'db-1/Disk /var: 91 % used', 'sev3'],
        formType,
      ),
      message(
        'a host',
        nagiosHost('PROBLEM', 'DOWN', 'No answer'),
        ['trigger', 'web-1', 'web-1: No answer', 'sev1'],
        formType,
      ),
      message(
        'acknowledged',
        nagios('ACKNOWLEDGEMENT', 'CRITICAL', '97 % used'),
        ['acknowledge', 'db-1 | Disk /var', 'db-1/Disk /var: 97 % used', 'sev1'],
        formType,
      ),
      message(
        'resolved',
        nagios('RECOVERY', 'OK', '50 % used'),
        ['resolve', 'db-1 | Disk /var', 'db-1/Disk /var: 50 % used'],
        formType,
      ),
      message(
        'a host resolved',
        nagiosHost('RECOVERY', 'UP', 'It answers'),
        ['resolve', 'web-1', 'web-1: It answers'],
        formType,
      ),
      messages('a custom notification', nagios('CUSTOM', 'OK', '50 % used'), [], formType),
    ],
  },
  netbox: {
    source: 'https://netboxlabs.com/docs/netbox/integrations/webhooks/',
    sent: [
      message('firing', netbox('failed'), ['trigger', 'device | 212', 'switch-7 is failed']),
      message('firing again', netbox('offline'), [
        'trigger',
        'device | 212',
        'switch-7 is offline',
      ]),
      message('resolved', netbox('active'), ['resolve', 'device | 212', 'switch-7 is active']),
      messages('another change', netbox('planned'), []),
    ],
  },
  netdata: {
    source:
      'https://learn.netdata.cloud/docs/alerts-&-notifications/notifications/agent-dispatched-notifications/custom',
    sent: [
      message('firing', netdata('CRITICAL', 'disk space usage = 97%'), [
        'trigger',
        'db-1 | disk_space._var | disk_space_usage',
        'db-1: disk space usage = 97%',
        'sev1',
      ]),
      message('less severe', netdata('WARNING', 'disk space usage = 91%', 'CRITICAL'), [
        'trigger',
        'db-1 | disk_space._var | disk_space_usage',
        'db-1: disk space usage = 91%',
        'sev3',
      ]),
      message('resolved', netdata('CLEAR', 'disk space usage = 50%', 'WARNING'), [
        'resolve',
        'db-1 | disk_space._var | disk_space_usage',
        'db-1: disk space usage = 50%',
      ]),
      messages('without a value', netdata('UNINITIALIZED', 'disk space usage'), []),
    ],
  },
  prtg: {
    source: 'https://www.paessler.com/manuals/prtg/notifications_based_on_http',
    sent: [
      message(
        'firing',
        prtg('Down', 'No answer'),
        ['trigger', '2001', 'db-1 Ping: No answer', 'sev1'],
        formType,
      ),
      message(
        'firing again',
        prtg('Down', 'Timeout'),
        ['trigger', '2001', 'db-1 Ping: Timeout', 'sev1'],
        formType,
      ),
      message(
        'less severe',
        prtg('Warning', 'Slow'),
        ['trigger', '2001', 'db-1 Ping: Slow', 'sev3'],
        formType,
      ),
      message('resolved', prtg('Up', 'OK'), ['resolve', '2001', 'db-1 Ping: OK'], formType),
    ],
  },
  riemann: {
    source: 'https://riemann.io/concepts.html',
    sent: [
      message('firing', riemann('critical', 97), [
        'trigger',
        'db-1 | disk /var',
        'Disk /var of db-1',
        'sev1',
      ]),
      message('less severe', riemann('warning', 91), [
        'trigger',
        'db-1 | disk /var',
        'Disk /var of db-1',
        'sev3',
      ]),
      message('resolved', riemann('ok', 50), ['resolve', 'db-1 | disk /var', 'Disk /var of db-1']),
    ],
  },
  snmptrap: {
    source:
      'https://www.rfc-editor.org/rfc/rfc3418 and https://www.net-snmp.org/docs/man/snmptrapd.conf.html',
    sent: [
      message('firing', link(3), ['trigger', linkKey, 'linkDown ge-0/0/9 from switch-7']),
      message('firing again', link(3, 51_000), [
        'trigger',
        linkKey,
        'linkDown ge-0/0/9 from switch-7',
      ]),
      message('another', ups(3), ['trigger', upsKey, 'upsAlarmAdded from switch-7'], plain),
      message(
        'the end of the other',
        ups(4),
        ['resolve', upsKey, 'upsAlarmRemoved from switch-7'],
        plain,
      ),
      message('resolved', link(4), ['resolve', linkKey, 'linkUp ge-0/0/9 from switch-7']),
    ],
  },
  'vmware-vrealize': {
    source:
      'https://techdocs.broadcom.com/us/en/vmware-cis/aria/aria-operations/8-18/vmware-aria-operations-configuration-guide-8-18/rest-notification-plugin.html',
    sent: [
      message('firing', vrealize('ACTIVE', 'ALERT_CRITICALITY_LEVEL_CRITICAL', '97 %'), [
        'trigger',
        '7c11',
        'db-1: Disk is almost full',
        'sev1',
      ]),
      message('less severe', vrealize('UPDATED', 'ALERT_CRITICALITY_LEVEL_WARNING', '91 %'), [
        'trigger',
        '7c11',
        'db-1: Disk is almost full',
        'sev3',
      ]),
      message('resolved', vrealize('CANCELED', 'ALERT_CRITICALITY_LEVEL_IMMEDIATE', '50 %'), [
        'resolve',
        '7c11',
        'db-1: Disk is almost full',
        'sev2',
      ]),
    ],
  },
  zabbix: {
    source:
      'https://www.zabbix.com/documentation/current/en/manual/appendix/macros/supported_by_location',
    sent: [
      message('firing', zabbix({}), ['trigger', '4711', 'Disk /var of db-1 is full', 'sev2']),
      message('more severe', zabbix({ 'EVENT.NSEVERITY': '5' }), [
        'trigger',
        '4711',
        'Disk /var of db-1 is full',
        'sev1',
      ]),
      message(
        'another problem',
        zabbix({ 'EVENT.ID': '4712', 'EVENT.NAME': 'Host db-1 is slow', 'TRIGGER.ID': '13502' }),
        ['trigger', '4712', 'Host db-1 is slow', 'sev2'],
      ),
      message('acknowledged', zabbix({ 'EVENT.UPDATE.ACTION': 'acknowledged' }), [
        'acknowledge',
        '4711',
        'Disk /var of db-1 is full',
        'sev2',
      ]),
      message('resolved', zabbix({ 'EVENT.VALUE': '0', 'TRIGGER.STATUS': 'OK' }), [
        'resolve',
        '4711',
        'Disk /var of db-1 is full',
        'sev2',
      ]),
      messages('a comment', zabbix({ 'EVENT.UPDATE.ACTION': 'commented' }), []),
    ],
  },
};
