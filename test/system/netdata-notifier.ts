// Netdata's own notifier.
import { execFile } from 'node:child_process';
import { access, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const NOTIFIER = '/usr/lib/netdata/plugins.d/alarm-notify.sh';

export const isInstalled = (): Promise<boolean> =>
  access(NOTIFIER).then(
    () => true,
    () => false,
  );

export type Transition = {
  /** Of the transition: another each time. */
  readonly id: number;
  readonly from: 'CLEAR' | 'WARNING' | 'CRITICAL';
  readonly to: 'CLEAR' | 'WARNING' | 'CRITICAL';
};

export type Notifying = {
  /** Its settings; they replace what is shipped. */
  readonly settings: string;
  /** In place of the host of PagerDuty, which is a constant. */
  readonly url?: string;
};

export const byPagerDuty = (url: string, key: string, version: 1 | 2): Notifying => ({
  url,
  settings: [
    'SEND_PD="YES"',
    `DEFAULT_RECIPIENT_PD="${key}"`,
    `USE_PD_VERSION="${version}"`,
    `role_recipients_pd[sysadmin]="${key}"`,
  ].join('\n'),
});

export async function notifyOf({ id, from, to }: Transition, { url, settings }: Notifying) {
  const folder = await mkdtemp(join(tmpdir(), 'pager-netdata-'));
  try {
    const script = join(folder, 'alarm-notify.sh');
    const shipped = await readFile(NOTIFIER, 'utf8');
    const host = 'https://events.pagerduty.com';
    await writeFile(script, shipped.replaceAll(host, url ?? host));
    await writeFile(join(folder, 'health_alarm_notify.conf'), `SEND_EMAIL="NO"\n${settings}\n`);
    const alarm = [
      'payments_queue',
      'statsd.queue',
      'gauges',
      to,
      from,
      '250',
      '5',
      '1 of queue.conf',
    ];
    const texts = [
      '20',
      '0',
      'messages',
      'depth of the payments queue',
      '250 messages',
      '5 messages',
    ];
    const expression = ['$this > 100', '[ $this = 250 ]', '0', '1', '', '', 'Workload', '', ''];
    await promisify(execFile)(
      'bash',
      [
        ...[script, 'sysadmin', 'web-01', String(id), '1795231181', String(id), '1795231204'],
        ...[...alarm, ...texts, ...expression],
      ],
      {
        env: {
          PATH: process.env['PATH'] ?? '',
          NETDATA_USER_CONFIG_DIR: folder,
          NETDATA_STOCK_CONFIG_DIR: folder,
          NETDATA_CACHE_DIR: folder,
        },
      },
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
