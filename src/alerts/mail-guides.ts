// How a tool is set to send its mails, and what of them is understood. They may go to an integration
// of any type.

const alertmanager =
  'an email_configs receiver with to: {email} and send_resolved: true, which is off by default for mail. Keep the default subject and text. Each group is one incident, known by the labels in the text.';

/** By the slug of the tool's type: what to set in the tool, and what its mails are paired by. */
const mails: Readonly<Record<string, string>> = {
  alertmanager,
  prometheus: alertmanager,
  mimir: alertmanager,
  'aws-cloudwatch':
    'an e-mail subscription of the SNS topic for {email}. The mail that asks to confirm it opens an incident, whose details have the link. ALARM: and OK: in front of the subject trigger and resolve.',
  'azure-monitor':
    'an e-mail notification to {email} in the action group. Fired: and Resolved:, or Activated and Deactivated, trigger and resolve.',
  betterstack:
    'e-mail alerts to {email}. Incident started and Incident resolved in front trigger and resolve.',
  checkly:
    'an e-mail alert channel for {email}, with failures and recoveries. Subjects that report a failed or recovered check trigger and resolve.',
  checkmk:
    'the method HTML Email or ASCII Email, with a contact whose address is {email}. The default subject names the states (OK -> CRIT), flapping, downtime and acknowledgements: send all of these.',
  datadog:
    'the recipient @{email} in the message of each monitor. [Triggered], [Warn] and [Recovered] in front trigger and resolve.',
  dynatrace:
    'an e-mail problem notification to {email}, for closed problems too. OPEN Problem and RESOLVED Problem in front trigger and resolve.',
  'gcp-monitoring':
    'an e-mail notification channel for {email}. [ALERT] and [RESOLVED] in front trigger and resolve.',
  grafana:
    'an e-mail contact point for {email}, with resolved messages. [FIRING:1], [Alerting] and [No Data] trigger, [RESOLVED] and [OK] resolve. [FIRING:1, RESOLVED:1] still fires.',
  'healthchecks-io':
    'an e-mail integration for {email}, for down and up events. DOWN | name triggers, UP | name resolves.',
  hetrixtools:
    '{email} as an address of the contact list. Offline and Online next to the name trigger and resolve.',
  icinga2:
    'a user with email = "{email}" and its commands mail-host-notification and mail-service-notification. Their subjects are read: type of notification, object and state. Send FlappingStart, FlappingEnd, DowntimeEnd and DowntimeRemoved too.',
  librenms:
    'a mail transport to {email}, with recovery alerts. The default titles are read: Alert for device, Device recovered from.',
  monit:
    'the line set alert {email} in monitrc. Keep the default mail-format: each rule of a service is a separate problem, known by the text of the mail.',
  nagios:
    'a contact with email {email} and its commands notify-host-by-email and notify-service-by-email. Their subjects are read: type of notification, object and state. Send recoveries, flapping and downtime (r, f and s) too.',
  netdata:
    'DEFAULT_RECIPIENT_EMAIL="{email}" in health_alarm_notify.conf. The headers name the alert, the chart and the host.',
  newrelic:
    'an e-mail destination for {email}. The state in brackets in front of the subject triggers or resolves.',
  pingdom:
    'a contact with the address {email}, alerted when back up too. DOWN alert: and UP alert: trigger and resolve.',
  prtg: 'a notification template Send Email to {email}. Keep the default subject: device, sensor and state are read, also "Down ended (now: Up)".',
  site24x7:
    'a user or an alert group with the address {email}. is Down and is Up behind the name trigger and resolve.',
  statuscake:
    '{email} as an address of the contact group. Down and Up next to the name trigger and resolve.',
  'uptime-kuma':
    'a notification of type Email (SMTP) to {email}. Leave its custom subject empty: [name] [Down] and [name] [Up] trigger and resolve.',
  uptimerobot:
    'an e-mail contact {email}, for up events too. Monitor is DOWN: and Monitor is UP: trigger and resolve.',
  zabbix:
    'the media type Email, sent to {email} in Operations and Recovery operations. Problem: and Resolved in 5m: in front of the subject trigger and resolve. The rest of the subject is the key: add {HOST.NAME} to it, so that hosts have a key each.',
};

/** The step of a guide that says so. */
export function mailStep(slug: string): readonly string[] {
  const mail = mails[slug];
  return mail === undefined ? [] : [`Or by mail: use ${mail}`];
}
