// Debian's Alertmanager taking alerts in memory, over as many connections as we have.
import {
  type Alertmanager,
  isInstalled,
  startAlertmanager,
} from '../test/system/alertmanager-process.ts';
import { only } from './events.ts';
import { type Loaded, load, request } from './load.ts';
import type { Report } from './report.ts';

/** It notifies nobody. */
const nowhere = null;

export type AlertmanagerLoad = {
  readonly connections: number;
  readonly seconds: number;
  /** The next alert's name. */
  readonly title: () => string;
};

/** Null, with a line that says so, where it is not installed. */
export async function startBeside(report: Report): Promise<Alertmanager | null> {
  if (await isInstalled()) return startAlertmanager(nowhere);
  report('the same taken by Alertmanager', 'left out: apt-get install prometheus-alertmanager');
  return null;
}

export const loadAlertmanager = async (
  { port }: Alertmanager,
  options: AlertmanagerLoad,
): Promise<Loaded> =>
  only('200', await load({ ...options, port, next: () => alert(options.title()) }));

/** The same alert as ours, in its words. */
const alert = (title: string) =>
  request(
    '/api/v2/alerts',
    JSON.stringify([
      {
        labels: { alertname: title, severity: 'critical' },
        annotations: { text: 'x'.repeat(200) },
      },
    ]),
  );
