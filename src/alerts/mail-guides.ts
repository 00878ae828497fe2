// How a tool is set to send its mails, and what of them is understood. They may go to an integration
// of any type.

const alertmanager =
  'add an email_configs receiver with to: {email} and send_resolved: true, which is off by default for e-mail. Keep the default subject and text. Each group is one incident, identified by the labels in the text.';

/** By the slug of the tool's type: what to set in the tool, and what its mails are paired by. */
const mails: Readonly<Record<string, string>> = {
  alertmanager,
  prometheus: alertmanager,
  mimir: alertmanager,
  'aws-cloudwatch':
    'add an e-mail subscription for {email} to the SNS topic. The confirmation e-mail opens an incident, and its details contain the link. ALARM: and OK: at the start of the subject trigger and resolve.',
  'azure-monitor':
    'add an e-mail notification to {email} in the action group. Fired: and Resolved:, or Activated and Deactivated, trigger and resolve.',
  betterstack:
    'send e-mail alerts to {email}. Incident started and Incident resolved at the start trigger and resolve.',
  checkly:
    'add an e-mail alert channel for {email}, with failures and recoveries. Subjects in which the check has failed or has recovered trigger and resolve.',
  checkmk:
    'use the method HTML Email or ASCII Email, with a contact whose address is {email}. The default subject contains the states (OK -> CRIT), flapping, downtime and acknowledgements. Send all of these.',
  datadog:
    'add the recipient @{email} to the message of each monitor. [Triggered] and [Warn] at the start trigger, [Recovered] resolves.',
  dynatrace:
    'add an e-mail problem notification to {email}, also for closed problems. OPEN Problem and RESOLVED Problem at the start trigger and resolve.',
  'gcp-monitoring':
    'add an e-mail notification channel for {email}. [ALERT] and [RESOLVED] at the start trigger and resolve.',
  grafana:
    'add an e-mail contact point for {email}, with resolved messages. [FIRING:1], [Alerting] and [No Data] trigger, [RESOLVED] and [OK] resolve. [FIRING:1, RESOLVED:1] still fires.',
  'healthchecks-io':
    'add an e-mail integration for {email}, for down and up events. DOWN | name triggers, UP | name resolves.',
  hetrixtools:
    'add {email} to the contact list. Offline and Online next to the name trigger and resolve.',
  icinga2:
    'add a user with email = "{email}" and the commands mail-host-notification and mail-service-notification. Pager reads their subjects: type of notification, object and state. Also send FlappingStart, FlappingEnd, DowntimeEnd and DowntimeRemoved.',
  librenms:
    'add a mail transport to {email}, with recovery alerts. Pager reads the default titles: Alert for device, Device recovered from.',
  monit:
    'add the line set alert {email} to monitrc. Keep the default mail-format: each rule of a service is a separate problem, identified by the text of the e-mail.',
  nagios:
    'add a contact with email {email} and the commands notify-host-by-email and notify-service-by-email. Pager reads their subjects: type of notification, object and state. Also send recoveries, flapping and downtime (r, f and s).',
  netdata:
    'set DEFAULT_RECIPIENT_EMAIL="{email}" in health_alarm_notify.conf. The headers contain the alert, the chart and the host.',
  newrelic:
    'add an e-mail destination for {email}. The state in brackets at the start of the subject triggers or resolves.',
  pingdom:
    'add a contact with the address {email} that is also alerted when the check is back up. DOWN alert: and UP alert: trigger and resolve.',
  prtg: 'add a notification template Send Email to {email}. Keep the default subject. Pager reads device, sensor and state, including "Down ended (now: Up)".',
  site24x7:
    'add a user or an alert group with the address {email}. "is Down" and "is Up" after the name trigger and resolve.',
  statuscake: 'add {email} to the contact group. Down and Up next to the name trigger and resolve.',
  'uptime-kuma':
    'add a notification of type Email (SMTP) to {email}. Leave its custom subject empty: [name] [Down] and [name] [Up] trigger and resolve.',
  uptimerobot:
    'add an e-mail contact {email}, also for up events. Monitor is DOWN: and Monitor is UP: trigger and resolve.',
  zabbix:
    'use the media type Email, sent to {email} in Operations and Recovery operations. Problem: and Resolved in 5m: at the start of the subject trigger and resolve. The rest of the subject is the key. Add {HOST.NAME} to it, so that each host has its own key.',
};

/** The note of a guide that says so. */
export function mailNote(slug: string): readonly string[] {
  const mail = mails[slug];
  return mail === undefined ? [] : [`E-mail also works: ${mail}`];
}
