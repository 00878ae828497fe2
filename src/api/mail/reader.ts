// Mail is read apart from the engine's thread, once, and what was read is kept with the event. One
// that cannot be read in time still pages: its headers say enough.
import type { Mail } from '../../alerts/alert.ts';
import type { Log } from '../../engine/log.ts';
import type { Pool, Refused } from '../../workers/pool.ts';
import type { Requester } from '../../workers/task-queue.ts';
import { mailOfHeaders } from './headers.ts';

export type MailTasks = typeof import('./message.ts');

const reasons: Readonly<Record<Refused | 'failed' | 'malformed', string>> = {
  too_slow: 'it takes too long',
  too_large: 'it takes too much memory',
  busy: 'too much mail came at once',
  caller_busy: 'too much mail came at once',
  gone: 'its sender left',
  failed: 'its reader failed',
  malformed: 'it is not a valid e-mail',
};

type ReaderOptions = { readonly pool: Pool<MailTasks>; readonly log: Log };

/** Never rejects: a mail that makes its reader fail is read by its headers too. */
export function createMailReader({ pool, log }: ReaderOptions) {
  return async (raw: Uint8Array, requester: Requester): Promise<Mail> => {
    const ran = await pool.run(requester, 'readMessage', raw).catch((error: unknown) => {
      log.error({ err: error, integration_id: requester.caller }, 'the reader of an e-mail failed');
      return { refused: 'failed' as const };
    });
    if ('value' in ran && ran.value !== null) return ran.value;
    const reason = 'refused' in ran ? ran.refused : 'malformed';
    const details = { integration_id: requester.caller, reason, bytes: raw.byteLength };
    log.warn(details, 'only the headers of an e-mail could be read');
    return mailOfHeaders(raw, reasons[reason]);
  };
}
