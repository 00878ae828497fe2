// What of a tool's own mails is understood. They may go to an integration of any type.

/** By the slug of the tool's type: what its mails are paired by. */
const mails: Readonly<Record<string, string>> = {
  alertmanager: 'A group is known by its labels, which the text of its default template names.',
  'aws-cloudwatch': 'ALARM: and OK: in front of the subject trigger and resolve.',
  'azure-monitor': 'Fired: and Resolved:, or Activated and Deactivated, trigger and resolve.',
  betterstack: 'Incident started and Incident resolved in front trigger and resolve.',
  checkmk: 'Its subject names the states (OK -> CRIT), flapping, downtime and acknowledgements.',
  datadog: '[Triggered], [Warn] and [Recovered] in front trigger and resolve.',
  'gcp-monitoring': '[ALERT] and [RESOLVED] in front trigger and resolve.',
  grafana:
    '[FIRING:1], [Alerting] and [No Data] trigger, [RESOLVED] and [OK] resolve. [FIRING:1, RESOLVED:1] still fires.',
  'healthchecks-io': 'DOWN | name triggers, UP | name resolves.',
  hetrixtools: 'Offline and Online next to the name trigger and resolve.',
  icinga2:
    'The subjects of its mail scripts are read: type of notification, object and state. Send FLAPPINGEND, DOWNTIMEEND and DOWNTIMEREMOVED too.',
  librenms: 'The default titles are read: Alert for device, Device recovered from.',
  monit: 'Each rule of a service is a problem of its own, known by the default text of the mail.',
  nagios:
    'The subjects of its notify-by-email commands are read: type of notification, object and state. Send flapping and downtime (f and s) too.',
  netdata: 'Its headers name the alert, the chart and the host.',
  newrelic: 'The state in brackets in front of the subject triggers or resolves.',
  pingdom: 'DOWN alert: and UP alert: trigger and resolve.',
  prtg: 'The default subject is read: device, sensor and state, also "Down ended (now: Up)".',
  site24x7: 'is Down and is Up behind the name trigger and resolve.',
  statuscake: 'Down and Up next to the name trigger and resolve.',
  'uptime-kuma': '[name] [Down] and [name] [Up], as it writes them, trigger and resolve.',
  uptimerobot: 'Monitor is DOWN: and Monitor is UP: trigger and resolve.',
  zabbix:
    'Problem: and Resolved in 5m: in front of the subject trigger and resolve; the rest of the subject is the key, so it should name the host.',
};

/** The step of a guide that says so. */
export function mailStep(slug: string): readonly string[] {
  const paired = mails[slug];
  return paired === undefined ? [] : [`Or have it send its mail to {email}. ${paired}`];
}
