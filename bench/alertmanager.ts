// Debian's Alertmanager taking alerts in memory, over as many connections as we have.
import {
  type Alertmanager,
  isInstalled,
  startAlertmanager,
} from '../test/system/alertmanager-process.ts';
import { only } from './events.ts';
import { type Loaded, load, request } from './load.ts';
import type { Tell } from './told.ts';

/** Tells nobody of anything. */
const nowhere = null;

export type Taking = {
  readonly connections: number;
  readonly seconds: number;
  /** The next alert's name. */
  readonly title: () => string;
};

/** Null, with a line that says so, where it is not installed. */
export async function startBeside(tell: Tell): Promise<Alertmanager | null> {
  if (await isInstalled()) return startAlertmanager(nowhere);
  tell('the same taken by Alertmanager', 'left out: apt-get install prometheus-alertmanager');
  return null;
}

export const takenBy = async ({ port }: Alertmanager, taking: Taking): Promise<Loaded> =>
  only('200', await load({ ...taking, port, next: () => alert(taking.title()) }));

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
