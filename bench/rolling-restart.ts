// Events that are refused while two servers behind HAProxy restart one after another.

import { access, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { haproxy, startHaproxy } from '../test/system/balancers.ts';
import { restartInTurn } from '../test/system/rolling-restart.ts';
import { quantile } from './load.ts';
import { type Report, times } from './report.ts';

const senders = 6;
const pauseMilliseconds = 20;

export async function measureRollingRestart(report: Report): Promise<void> {
  const what = 'events refused by two servers behind HAProxy that restart in turn';
  const isThere = await access(haproxy.binary).then(
    () => true,
    () => false,
  );
  if (!isThere) return report(what, 'not measured', `apt-get install ${haproxy.package}`);
  // One bundled PostgreSQL for both.
  const dataDir = await mkdtemp(join(tmpdir(), 'pager-bench-'));
  const answers = await restartInTurn({
    settings: { PAGER_DATA_DIR: dataDir, PAGER_DRAIN_SECONDS: '10' },
    balancers: [startHaproxy],
    senders,
    pauseMilliseconds,
  });
  const refused = answers.filter(({ status }) => status !== 202).length;
  const took = answers.map(({ milliseconds }) => milliseconds).sort((one, other) => one - other);
  const answered = { p50: quantile(took, 0.5), p99: quantile(took, 0.99) };
  const verdict = `aim 0: ${refused === 0 ? 'met' : '**missed**'}`;
  report(what, `${refused} of ${answers.length}`, `${verdict}; answers ${times(answered)}`);
}
