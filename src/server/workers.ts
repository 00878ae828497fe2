// The worker threads of this server: who has how many, and for how long.
import type { MailTasks } from '../api/mail/reader.ts';
import type { Log } from '../engine/log.ts';
import type { Metrics } from '../metrics.ts';
import { Pool } from '../workers/pool.ts';

/**
 * Mails under way are as many as the sessions of the door. The largest mail that people write is
 * read in half a second.
 */
const MAIL = {
  threads: 2,
  runningPerOrganizationMax: 1,
  taskMsMax: 5_000,
  heapMegabytesMax: 128,
  waitingMax: 200,
  perCallerMax: 100,
  waitMsMax: 10_000,
};

export type Workers = {
  readonly mail: Pool<MailTasks>;
};

type Given = { readonly log: Log; readonly metrics: Metrics };

export function openWorkers({ log, metrics }: Given, stack: AsyncDisposableStack): Workers {
  const given = { log, finished: metrics.worked };
  const file = new URL('../api/mail/message.ts', import.meta.url);
  return { mail: stack.use(new Pool<MailTasks>({ name: 'mail', file, ...MAIL, ...given })) };
}
