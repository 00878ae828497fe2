// Servers on one database tell each other what their commits left to do, by NOTIFY. It is sent
// after the commit, on a connection of its own: NOTIFY takes a lock on all commits that notify, and
// would queue up the engine's. What is lost is found by the loops, which look every second.
import { setTimeout as pause } from 'node:timers/promises';
import { noWake, type Wake } from '../engine/ledger.ts';
import type { Log } from '../engine/log.ts';
import { openDatabase } from './database.ts';

export type WakeUps = AsyncDisposable & {
  /** Never waits, never fails; all that is told meanwhile goes with the next notification. */
  notify(wake: Wake): void;
  /**
   * Calls `onWake` for the notifications of other servers, and for all loops after a lost
   * connection.
   */
  listen(onWake: (wake: Wake) => void): Promise<void>;
};

type Options = {
  readonly url: string;
  readonly log: Log;
  /** Tells this server's notifications from the others'. */
  readonly server: string;
  readonly failed: () => void;
};

const channel = 'pager_wake_ups';
/** Between two notifications of a server. */
const restMilliseconds = 20;
const loops = ['incidents', 'notices', 'backlog', 'shifts'] as const;
/** For notifications that were missed while the connection was lost. */
const everything: Wake = { incidents: true, notices: true, backlog: true, shifts: true };

export async function openWakeUps(options: Options): Promise<WakeUps> {
  const { url, log, server } = options;
  const opened = await openDatabase({ url, log, name: 'pager wake-ups', maxConnections: 1 });
  const { sql } = opened;
  const failed = (error: unknown) => {
    options.failed();
    log.warn(
      { err: error },
      'other servers cannot be notified; they find new work by themselves within a second',
    );
  };
  let pending: Wake = noWake;
  let sending: Promise<void> | null = null;
  let isOver = false;

  async function send(): Promise<void> {
    while (!isOver && isAny(pending)) {
      const payload = [server, ...loops.filter((loop) => pending[loop])].join(' ');
      pending = noWake;
      await sql.notify(channel, payload).catch(failed);
      await pause(restMilliseconds);
    }
    sending = null;
  }

  return {
    notify(wake) {
      pending = allOf((loop) => pending[loop] || wake[loop]);
      if (isAny(pending)) sending ??= send();
    },
    async listen(onWake) {
      const onNotification = (payload: string) => {
        const [from, ...names] = payload.split(' ');
        if (from !== server) onWake(allOf((loop) => names.includes(loop)));
      };
      await sql.listen(channel, onNotification, () => onWake(everything)).catch(failed);
    },
    async [Symbol.asyncDispose]() {
      isOver = true;
      await sending;
      await opened[Symbol.asyncDispose]();
    },
  };
}

const isAny = (wake: Wake): boolean => loops.some((loop) => wake[loop]);

const allOf = (isDue: (loop: (typeof loops)[number]) => boolean): Wake => ({
  incidents: isDue('incidents'),
  notices: isDue('notices'),
  backlog: isDue('backlog'),
  shifts: isDue('shifts'),
});
