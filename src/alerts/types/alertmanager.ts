import type { Tool } from '../reading/notation.ts';
import { MAX_ALERTS, prometheus, readPrometheus } from './prometheus.ts';

export const alertmanager = {
  slug: 'alertmanager',
  name: 'Prometheus Alertmanager',
  description: 'Sends alerts with its webhook receiver. Alerts of one group join one incident.',
  problem: 'each alert, identified by all its labels',
  logo: 'prometheus',
  knownAs: ['AlertManager', 'Alertmanager', 'Prometheus Alertmanager', 'legacy_alertmanager'],
  guide: {
    steps: [
      'Add the route and the receivers below to alertmanager.yml, with {url} as the address, and reload Alertmanager. All members of a high-availability cluster send to the same integration.',
      'Keep send_resolved on. Without it, incidents are not resolved. The label severity becomes the severity of the incident, and the annotation summary its title.',
      'Route Watchdog and InfoInhibitor of kube-prometheus to nobody, as shown below. Watchdog always fires, and InfoInhibitor only inhibits other alerts.',
    ],
    notes: [
      `max_alerts limits a group to ${MAX_ALERTS} alerts, which fit into the 8 MiB of an event if each has up to 8 KiB. Alertmanager omits the rest, and they open no incidents. The timeline shows how many alerts are missing, and the attention strip above the incidents names the group until its next complete message, for a day at most. If this happens, group by more labels.`,
      'To keep the token out of alertmanager.yml, use url_file instead of url (Alertmanager 0.26 and later). Or send to {origin}/api/v2/alerts with the token as a bearer token, as in alertmanager-bearer.yml, whose credentials_file contains {token}. With basic_auth, the token is the password, and any username is accepted.',
      'Two alerts with equal labels are one problem. If several clusters send alerts, create an integration for each, or set different external_labels in each Prometheus. Otherwise, the end in one cluster ends the alert of the other.',
      "A new integration groups alerts as Alertmanager does: alerts with the same values of the labels in group_by join one incident, which is resolved when none of them is active. Alerts of a route with an empty group_by, or with group_by: ['...'], each open their own incident. To group by other values or not at all, change Group alerts in the settings of the integration.",
      'While an alert fires, Alertmanager repeats it after each repeat_interval. A repeat is counted on the open incident and pages nobody. If you resolve an incident while its alert fires, the next repeat opens another incident and pages people.',
      'During a silence or an inhibition, Alertmanager sends neither repeats nor ends. An open incident stays open and continues to escalate, so acknowledge or mute it. If the alert ends in that time, Alertmanager never reports it, so resolve the incident yourself.',
      'If your alerts are often silenced, set resolve_when_quiet on the integration to more than repeat_interval plus group_interval. It resolves incidents whose alerts Alertmanager no longer sends, even if the alert is silenced and still fires. That alert pages again after the silence.',
      'If your alerts go through pagerduty_configs, see the guide for PagerDuty Events v2. There, Alertmanager sends one event for each group, without its single alerts.',
    ],
    snippets: [
      {
        file: 'alertmanager.yml',
        text: `route:
  receiver: pager
  group_by: [alertname]
  repeat_interval: 4h
  routes:
    - matchers: ['alertname=~"Watchdog|InfoInhibitor"']
      receiver: nobody
receivers:
  - name: pager
    webhook_configs:
      - url: {url}
        send_resolved: true
        max_alerts: ${MAX_ALERTS}
  - name: nobody`,
      },
      {
        file: 'alertmanager-bearer.yml',
        text: `receivers:
  - name: pager
    webhook_configs:
      - url: {origin}/api/v2/alerts
        http_config:
          authorization:
            credentials_file: /etc/alertmanager/pager-token
        send_resolved: true
        max_alerts: ${MAX_ALERTS}`,
      },
    ],
  },
  forms: [
    { ...prometheus.forms[0], when: ['alerts', 'groupKey', 'receiver', 'version=4'] },
    ...prometheus.forms,
  ],
  groupLimit: prometheus.groupLimit,
  // Alertmanager sends again on 5xx only.
  busy: 503,
  read: readPrometheus,
  testRequest: prometheus.testRequest,
} as const satisfies Tool;
