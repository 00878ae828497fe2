// Servers on one database tell each other what their commits left to do, by NOTIFY. It is sent
// after the commit, on a connection of its own: NOTIFY takes a lock on all commits that notify, and
// would queue up the engine's. What is lost is found by the loops, which look every second.
import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '../../engine/log.ts';
import { noWake, type Wake } from '../../engine/wake.ts';
import { eventStreamLimits } from '../../limits/event-stream.ts';
import type { ChangedIncident } from '../organizations/hints.ts';
import { openDatabase } from './database.ts';
import type { Liveness } from './liveness.ts';

export type WakeUps = AsyncDisposable & {
  /** Never waits, never fails; all that is told meanwhile goes with the next notification. */
  notify(wake: Wake): void;
  /** The same of incidents that changed. */
  notifyChanged(incidents: Iterable<ChangedIncident>): void;
  listen(listener: WakeUpListener): Promise<void>;
};

export type WakeUpListener = {
  /** For the notifications of other servers, and for all loops after a lost connection. */
  onWake(wake: Wake): void;
  onChanged?(incidents: readonly ChangedIncident[]): void;
  /** Some that changed were not named; of all organisations, or one. */
  onLost?(organizationId?: string): void;
};

type Options = {
  readonly url: string;
  readonly log: Log;
  readonly liveness?: Liveness;
  /** Tells this server's notifications from the others'. */
  readonly server: string;
  readonly failed: () => void;
};

const channel = 'pager_wake_ups';
/** Between two notifications of a server. */
const restMilliseconds = 20;
const loops = ['incidents', 'notices', 'backlog', 'shifts', 'posts'] as const;
/** For notifications that were missed while the connection was lost. */
const everything: Wake = {
  incidents: true,
  notices: true,
  backlog: true,
  shifts: true,
  posts: true,
};

export async function openWakeUps(options: Options): Promise<WakeUps> {
  const { url, log, server, liveness } = options;
  const opened = await openDatabase({
    url,
    log,
    ...(liveness && { liveness }),
    name: 'pager wake-ups',
    maxConnections: 1,
  });
  const { sql } = opened;
  const failed = (error: unknown) => {
    options.failed();
    log.warn(
      { err: error },
      'other servers cannot be notified; they find new work by themselves within a second',
    );
  };
  let pending: Wake = noWake;
  const changed = new Map<string, string>();
  let sending: Promise<void> | null = null;
  let isOver = false;

  async function send(): Promise<void> {
    while (!isOver && (isAny(pending) || changed.size > 0)) {
      const due = loops.filter((loop) => pending[loop]);
      const payload = [server, ...due, ...wordsOf(changed)].join(' ');
      pending = noWake;
      changed.clear();
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
    notifyChanged(incidents) {
      for (const { organizationId, id } of incidents) changed.set(id, organizationId);
      sending ??= send();
    },
    async listen({ onWake, onChanged, onLost }) {
      const onNotification = (payload: string) => {
        const [from, ...words] = payload.split(' ');
        if (from === server) return;
        const wake = allOf((loop) => words.includes(loop));
        if (isAny(wake)) onWake(wake);
        const named = words.flatMap((word) => {
          const [organizationId, id] = word.split('/');
          return organizationId && id ? { organizationId, id } : [];
        });
        onChanged?.(named.filter(({ id }) => id !== UNNAMED));
        for (const { organizationId, id } of named)
          if (id === UNNAMED) onLost?.(organizationId === UNNAMED ? undefined : organizationId);
      };
      const onConnected = () => {
        onWake(everything);
        onLost?.();
      };
      await sql.listen(channel, onNotification, onConnected).catch(failed);
    },
    async [Symbol.asyncDispose]() {
      isOver = true;
      await sending;
      await opened[Symbol.asyncDispose]();
    },
  };
}

const UNNAMED = '*';

/** A payload has less than 8,000 bytes. */
function wordsOf(changed: ReadonlyMap<string, string>): readonly string[] {
  if (changed.size <= eventStreamLimits.namedAtOnce)
    return [...changed].map(([id, organizationId]) => `${organizationId}/${id}`);
  const organizations = new Set(changed.values());
  return organizations.size <= eventStreamLimits.namedAtOnce
    ? [...organizations].map((organizationId) => `${organizationId}/${UNNAMED}`)
    : [`${UNNAMED}/${UNNAMED}`];
}

const isAny = (wake: Wake): boolean => loops.some((loop) => wake[loop]);

const allOf = (isDue: (loop: (typeof loops)[number]) => boolean): Wake => ({
  incidents: isDue('incidents'),
  notices: isDue('notices'),
  backlog: isDue('backlog'),
  shifts: isDue('shifts'),
  posts: isDue('posts'),
});
