import type { Tool } from '../reading/notation.ts';

export const collectd = {
  slug: 'collectd',
  name: 'collectd',
  description: 'Sends threshold notifications with the write_http plugin.',
  problem: 'each threshold of each value of a host, identified by all labels except the severity',
  knownAs: ['collectd'],
  forms: [
    {
      when: ['labels.service | labels.alertname~^collectd'],
      title: ['annotations.summary', '{labels.alertname} on {labels.instance}', 'labels.alertname'],
      // The severity is the state, so a recovery has other labels than its problem; version 6
      // has it among the annotations.
      key: [['labels > without severity > hash']],
      state: [
        {
          at: 'labels.severity | annotations.severity',
          trigger: 'WARNING FAILURE',
          resolve: 'OKAY',
        },
      ],
      severity: {
        at: 'labels.severity | annotations.severity',
        sev1: 'FAILURE',
        sev3: 'WARNING',
      },
    },
  ],
  guide: {
    steps: [
      'Add the lines below to collectd.conf. The plugin write_http posts notifications, but no metrics, to {url}. The plugin threshold creates the notifications, in this example for full disks. On Debian, write_http needs the package libyajl2.',
      'Keep "Persist true" in each threshold. collectd does not retry notifications that were lost while Pager restarted, but then repeats a value that is out of range at each interval. The notification OKAY resolves. Values that no longer arrive are reported too, unless a threshold has "Interesting false".',
      'OKAY is sent once. Set resolve_when_quiet on the integration to ten minutes, so that it resolves an incident whose OKAY was lost. Do not set it with "Persist false", which sends each change of state once.',
      'Restart collectd.',
    ],
    snippets: [
      {
        file: 'collectd.conf',
        text: `LoadPlugin df
<Plugin df>
  ValuesPercentage true
</Plugin>
LoadPlugin threshold
LoadPlugin write_http
<Plugin write_http>
  <Node "pager">
    URL "{url}"
    Metrics false
    Notifications true
  </Node>
</Plugin>
<Plugin threshold>
  <Plugin "df">
    <Type "percent_bytes">
      Instance "used"
      WarningMax 80
      FailureMax 95
      Persist true
    </Type>
  </Plugin>
</Plugin>`,
      },
    ],
  },
} as const satisfies Tool;
