// Mails of tools, as they come in by SMTP. The type of the integration does not matter for them.
import type { Read } from './sample.ts';

export type OwnMail = {
  readonly what: string;
  /** Where the tool documents its mails. */
  readonly source: string;
  readonly raw: string;
  /** Absent: it reports no problem. */
  readonly reads?: Read;
};

type Headers = Readonly<Record<string, string>>;

const raw = (subject: string, lines: readonly string[], headers: Headers = {}): string =>
  [
    'From: monitor@example.com',
    'To: 0123456789abcdef@pager.example.com',
    `Subject: ${subject}`,
    'Date: Sat, 21 Nov 2026 02:59:00 +0000',
    'Message-ID: <1@monitor.example.com>',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    'Content-Type: text/plain; charset=utf-8',
    '',
    ...lines,
    '',
  ].join('\r\n');

const nagios = (type: string, state: string) =>
  raw(`** ${type} Service Alert: db-1/Disk is ${state} **`, [
    '***** Nagios *****',
    '',
    `Notification Type: ${type}`,
    '',
    'Service: Disk',
    'Host: db-1',
    'Address: 192.0.2.10',
    `State: ${state}`,
  ]);
const nagiosHost = (type: string, state: string) =>
  raw(`** ${type} Host Alert: db-1 is ${state} **`, [
    '***** Nagios *****',
    '',
    `Notification Type: ${type}`,
    'Host: db-1',
    `State: ${state}`,
    'Address: 192.0.2.10',
  ]);

const icinga = (type: string, state: string) =>
  raw(`[${type}] Disk on db-1 is ${state}!`, [
    '***** Service Monitoring on monitor *****',
    '',
    `Disk on db-1 is ${state}!`,
    '',
    'Service: Disk',
    'Host: db-1',
    'IPv4: 192.0.2.10',
  ]);

const monit = (event: string, description: string) =>
  raw(
    `monit alert --  ${event} nginx`,
    [
      `${event} Service nginx`,
      '',
      '\tDate:        Sat, 21 Nov 2026 02:59:00',
      '\tAction:      alert',
      '\tHost:        db-1',
      `\tDescription: ${description}`,
    ],
    { 'X-Mailer': 'Monit 5.33.0' },
  );

const netdata = (severity: string, subject: string) =>
  raw(subject, ['The disk of db-1'], {
    'X-Netdata-Severity': severity,
    'X-Netdata-Alert-Name': 'disk_space_usage',
    'X-Netdata-Chart': 'disk_space._var',
    'X-Netdata-Host': 'db-1',
  });

const zabbix = (line: string, first: string) =>
  raw(line, [
    first,
    'Problem name: Disk is full',
    'Host: db-1',
    'Severity: High',
    'Original problem ID: 4711',
  ]);

const of = {
  nagios: 'https://assets.nagios.com/downloads/nagioscore/docs/nagioscore/4/en/notifications.html',
  icinga: 'https://icinga.com/docs/icinga-2/latest/doc/03-monitoring-basics/#notifications',
  monit: 'https://mmonit.com/monit/documentation/monit.html#ALERT-MESSAGES',
  netdata:
    'https://learn.netdata.cloud/docs/alerts-&-notifications/notifications/agent-dispatched-notifications/email',
  zabbix: 'https://www.zabbix.com/documentation/current/en/manual/config/notifications/media/email',
  own: 'the guide of the type',
} as const;

const nagiosKey = 'Service Alert: db-1/Disk | 192.0.2.10';
const icingaKey = 'Disk on db-1 | db-1 | Disk | 192.0.2.10';
const monitKey = '[localhost]:80: Connection of nginx on db-1';

export const ownMails: readonly OwnMail[] = [
  {
    what: 'nagios firing',
    source: of.nagios,
    raw: nagios('PROBLEM', 'CRITICAL'),
    reads: ['trigger', nagiosKey, '** PROBLEM Service Alert: db-1/Disk is CRITICAL **', 'sev1'],
  },
  {
    what: 'nagios less severe',
    source: of.nagios,
    raw: nagios('PROBLEM', 'WARNING'),
    reads: ['trigger', nagiosKey, '** PROBLEM Service Alert: db-1/Disk is WARNING **', 'sev3'],
  },
  {
    what: 'nagios resolved',
    source: of.nagios,
    raw: nagios('RECOVERY', 'OK'),
    reads: ['resolve', nagiosKey, '** RECOVERY Service Alert: db-1/Disk is OK **'],
  },
  {
    what: 'nagios, a host',
    source: of.nagios,
    raw: nagiosHost('PROBLEM', 'DOWN'),
    reads: [
      'trigger',
      'Host Alert: db-1 | 192.0.2.10',
      '** PROBLEM Host Alert: db-1 is DOWN **',
      'sev1',
    ],
  },
  {
    what: 'nagios, a host, resolved',
    source: of.nagios,
    raw: nagiosHost('RECOVERY', 'UP'),
    reads: ['resolve', 'Host Alert: db-1 | 192.0.2.10', '** RECOVERY Host Alert: db-1 is UP **'],
  },
  {
    what: 'icinga firing',
    source: of.icinga,
    raw: icinga('PROBLEM', 'CRITICAL'),
    reads: ['trigger', icingaKey, '[PROBLEM] Disk on db-1 is CRITICAL!', 'sev1'],
  },
  {
    what: 'icinga acknowledged',
    source: of.icinga,
    raw: icinga('ACKNOWLEDGEMENT', 'CRITICAL'),
    reads: ['acknowledge', icingaKey, '[ACKNOWLEDGEMENT] Disk on db-1 is CRITICAL!'],
  },
  {
    what: 'icinga resolved',
    source: of.icinga,
    raw: icinga('RECOVERY', 'OK'),
    reads: ['resolve', icingaKey, '[RECOVERY] Disk on db-1 is OK!'],
  },
  {
    what: 'monit firing',
    source: of.monit,
    raw: monit('Connection failed', 'failed protocol test [HTTP] at [localhost]:80'),
    reads: ['trigger', monitKey, 'monit alert -- Connection failed nginx'],
  },
  {
    what: 'monit firing again',
    source: of.monit,
    raw: monit('Connection failed', 'failed to connect to [localhost]:80'),
    reads: ['trigger', monitKey, 'monit alert -- Connection failed nginx'],
  },
  {
    what: 'monit resolved',
    source: of.monit,
    raw: monit('Connection succeeded', 'connection succeeded to [localhost]:80'),
    reads: ['resolve', monitKey, 'monit alert -- Connection succeeded nginx'],
  },
  {
    what: 'monit itself',
    source: of.monit,
    raw: monit('Monit instance changed', 'Monit 5.33.0 started'),
  },
  {
    what: 'netdata firing',
    source: of.netdata,
    raw: netdata('critical', 'db-1 is critical - disk space usage = 97%'),
    reads: [
      'trigger',
      'disk_space_usage disk_space._var on db-1',
      'db-1 is critical - disk space usage = 97%',
      'sev1',
    ],
  },
  {
    what: 'netdata less severe',
    source: of.netdata,
    raw: netdata('warning', 'db-1 needs attention - disk space usage = 91%'),
    reads: [
      'trigger',
      'disk_space_usage disk_space._var on db-1',
      'db-1 needs attention - disk space usage = 91%',
      'sev3',
    ],
  },
  {
    what: 'netdata resolved',
    source: of.netdata,
    raw: netdata('clear', 'db-1 recovered - disk space usage = 50%'),
    reads: [
      'resolve',
      'disk_space_usage disk_space._var on db-1',
      'db-1 recovered - disk space usage = 50%',
    ],
  },
  {
    what: 'zabbix firing',
    source: of.zabbix,
    raw: zabbix('Problem: Disk is full', 'Problem started at 02:59:00 on 2026.11.21'),
    reads: ['trigger', 'Disk is full', 'Problem: Disk is full'],
  },
  {
    what: 'zabbix resolved',
    source: of.zabbix,
    raw: zabbix(
      'Resolved in 5m 0s: Disk is full',
      'Problem has been resolved in 5m 0s at 03:04:00',
    ),
    reads: ['resolve', 'Disk is full', 'Resolved in 5m 0s: Disk is full'],
  },
  {
    what: 'any tool, firing',
    source: of.own,
    raw: raw('FIRING: web-1 is slow', ['2.4 s']),
    reads: ['trigger', 'web-1 is slow', 'FIRING: web-1 is slow'],
  },
  {
    what: 'any tool, resolved',
    source: of.own,
    raw: raw('RESOLVED: web-1 is slow', ['0.1 s']),
    reads: ['resolve', 'web-1 is slow', 'RESOLVED: web-1 is slow'],
  },
];
