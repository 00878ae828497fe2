// Prometheus, what sends alerts as it does, and Grafana.
import { message, messages, type ToolSamples } from './sample.ts';

const page = 'https://prometheus.io/docs/alerting/latest/configuration/#webhook_config';

const disk = { alertname: 'DiskFull', instance: 'db-1', severity: 'critical' };
const load = { alertname: 'Load', instance: 'db-2' };
const slow = { alertname: 'Slow', instance: 'web-1', severity: 'warning' };

const alert = (status: string, labels: object, summary: string, fingerprint: string) => ({
  status,
  labels: { ...labels },
  annotations: { summary },
  startsAt: '2026-11-21T02:55:00Z',
  endsAt: status === 'resolved' ? '2026-11-21T02:58:00Z' : '0001-01-01T00:00:00Z',
  generatorURL: 'https://prometheus.example.com/graph?g0.expr=up',
  fingerprint,
});

const diskAlert = (status: string, summary = 'Disk of db-1 is full') =>
  alert(status, disk, summary, 'c1b0ffee00000001');
const loadAlert = (status: string) =>
  alert(status, load, 'Load of db-2 is high', 'c1b0ffee00000003');
const slowAlert = (status: string) => alert(status, slow, 'web-1 is slow', 'c1b0ffee00000002');

type Alert = ReturnType<typeof alert>;

const group = (...alerts: readonly Alert[]) => ({
  version: '4',
  groupKey: '{}:{alertname="DiskFull"}',
  truncatedAlerts: 0,
  status: alerts.some(({ status }) => status === 'firing') ? 'firing' : 'resolved',
  receiver: 'pager',
  groupLabels: { alertname: 'DiskFull' },
  commonLabels: {},
  commonAnnotations: {},
  externalURL: 'https://alertmanager.example.com',
  alerts,
});

const opens = ['trigger', 'c1b0ffee00000001', 'Disk of db-1 is full', 'sev1'] as const;
const ends = ['resolve', 'c1b0ffee00000001', 'Disk of db-1 is full', 'sev1'] as const;
const loadOpens = ['trigger', 'c1b0ffee00000003', 'Load of db-2 is high'] as const;
const loadEnds = ['resolve', 'c1b0ffee00000003', 'Load of db-2 is high'] as const;
const slowOpens = ['trigger', 'c1b0ffee00000002', 'web-1 is slow', 'sev3'] as const;
const slowEnds = ['resolve', 'c1b0ffee00000002', 'web-1 is slow', 'sev3'] as const;

const grouped = (source: string): ToolSamples => ({
  source,
  sent: [
    message('firing', group(diskAlert('firing')), opens),
    message('firing again', group(diskAlert('firing', 'Disk of db-1 is at 99 %')), [
      'trigger',
      'c1b0ffee00000001',
      'Disk of db-1 is at 99 %',
      'sev1',
    ]),
    messages('several in one body', group(loadAlert('firing'), slowAlert('firing')), [
      loadOpens,
      slowOpens,
    ]),
    messages('one of several ends', group(loadAlert('resolved'), slowAlert('firing')), [
      loadEnds,
      slowOpens,
    ]),
    messages('all of several end', group(loadAlert('resolved'), slowAlert('resolved')), [
      loadEnds,
      slowEnds,
    ]),
    message('resolved', group(diskAlert('resolved')), ends),
  ],
});

/** As Prometheus itself posts them to `/api/v2/alerts`: it fires as long as `endsAt` is to come. */
const direct = (labels: object, summary: string, endsAt: string) => ({
  labels: { ...labels },
  annotations: { summary },
  startsAt: '2026-11-21T02:55:00Z',
  endsAt,
  generatorURL: 'https://prometheus.example.com/graph?g0.expr=up',
});
/** Without a fingerprint: the first 128 bits of the SHA-256 of the labels, as JSON in the order of names. */
const diskKey = 'a72e7a573dbb4b9482534a9a117bcd76';
const loadKey = 'c0052ebea053f5ce330ad9c3af2d27df';
const slowKey = '0e1d6caa50e7bbc723b81b6030f825a3';

const later = '2026-11-21T03:05:00Z';
const past = '2026-11-21T02:58:00Z';

const directly = (source: string): ToolSamples => ({
  source,
  sent: [
    message(
      'firing',
      [direct(disk, 'Disk of db-1 is full', later)],
      ['trigger', diskKey, 'Disk of db-1 is full', 'sev1'],
    ),
    message(
      'firing again',
      [direct(disk, 'Disk of db-1 is at 99 %', later)],
      ['trigger', diskKey, 'Disk of db-1 is at 99 %', 'sev1'],
    ),
    messages(
      'several in one body',
      [direct(load, 'Load of db-2 is high', later), direct(slow, 'web-1 is slow', later)],
      [
        ['trigger', loadKey, 'Load of db-2 is high'],
        ['trigger', slowKey, 'web-1 is slow', 'sev3'],
      ],
    ),
    message(
      'resolved',
      [direct(disk, 'Disk of db-1 is full', past)],
      ['resolve', diskKey, 'Disk of db-1 is full', 'sev1'],
    ),
  ],
});

export const prometheusFamily: Readonly<Record<string, ToolSamples>> = {
  alertmanager: grouped(page),
  prometheus: directly('https://prometheus.io/docs/alerting/latest/clients/'),
  loki: directly('https://grafana.com/docs/loki/latest/alert/'),
  mimir: directly(
    'https://grafana.com/docs/mimir/latest/references/architecture/components/ruler/',
  ),
  thanos: directly('https://thanos.io/tip/components/rule.md/'),
  victoriametrics: directly('https://docs.victoriametrics.com/victoriametrics/vmalert/'),
  signoz: grouped('https://signoz.io/docs/alerts-management/notification-channel/webhook/'),
  grafana: grouped(
    'https://grafana.com/docs/grafana/latest/alerting/configure-notifications/manage-contact-points/integrations/webhook-notifier/',
  ),
};
