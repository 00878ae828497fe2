// The loops of a server: each looks for what is due, and works until nothing is.
import type { Feeds } from '../api/event-stream/feeds.ts';
import type { Canary } from '../engine/canary.ts';
import type { Faults } from '../engine/faults.ts';
import { runDueIncidents } from '../engine/incident-timers.ts';
import { decideBacklog } from '../engine/intake/backlog.ts';
import type { Refusals } from '../engine/intake/refusals.ts';
import { createKeyExchange, type KeyExchangeOptions } from '../engine/key-exchange.ts';
import type { Ledger } from '../engine/ledger.ts';
import { dueWithin, type Loop, pollMs, retryMs, startLoop } from '../engine/loop.ts';
import type { Reconciler } from '../engine/message-updates/reconcile.ts';
import { createScheduleRules, type ScheduleRulesOptions } from '../engine/schedule-rules.ts';
import type { Dispatcher } from '../engine/sending/dispatch.ts';
import { advanceDueCursors, type ShiftCursorOptions } from '../engine/shift-cursors.ts';
import { notifyOfTeamStorms, type StormLedger } from '../engine/storms.ts';
import { noWake, type Wake } from '../engine/wake.ts';
import type { Metrics } from '../metrics.ts';
import { isAnnounced } from '../shifts/advance.ts';
import { isRestoreRunning } from '../storage/backup/restore-lock.ts';
import type { ConfigurationCache } from '../storage/configuration/cache.ts';
import { takesWrites } from '../storage/database/readiness.ts';
import { notePresence } from '../storage/ledger/deaf-spells.ts';
import { createIdempotentAnswers } from '../storage/records/idempotent-answers.ts';
import { SecretKeyChanged } from '../storage/sealed/key-lock.ts';
import type { ClockKeeper } from './clock.ts';
import type { ServerContext } from './context.ts';
import { chores } from './housekeeping.ts';
import { readRooms } from './rooms.ts';

type LoopParts = {
  readonly ledger: Ledger & StormLedger & ScheduleRulesOptions['ledger'];
  readonly metrics: Metrics;
  readonly faults: Faults;
  readonly dispatcher: Dispatcher;
  readonly reconciler: Reconciler;
  readonly canary: Canary;
  readonly refusals: Refusals;
  readonly keeper: ClockKeeper;
  readonly deciding: Parameters<typeof decideBacklog>[0] & KeyExchangeOptions;
  readonly configurations: ConfigurationCache;
  readonly feeds: Feeds;
  readonly committed: (wake: Wake) => void;
};

/** Those that can be told that something is due. */
type Loops = Record<'incidents' | 'shifts' | 'notices' | 'backlog' | 'posts', Loop>;

/** Far more often than what counts as an absence. */
const PRESENCE_EVERY = { seconds: 10 } as const;

/** Asked for every second; null: there is nothing to be done. */
async function confirmKey({
  keyShare,
  secrets,
  pools,
  failed,
  restoring,
}: ServerContext): Promise<null> {
  if (await isRestoreRunning(pools.engine)) {
    restoring();
    return null;
  }
  await keyShare.confirm(secrets.fingerprint).catch((error: unknown) => {
    if (!(error instanceof SecretKeyChanged)) throw error;
    failed(error);
  });
  return null;
}

export function startLoops(
  world: ServerContext,
  parts: LoopParts,
  stack: AsyncDisposableStack,
): Loops {
  const { clock, log, ids, pools, secrets } = world;
  const { ledger, metrics, faults, dispatcher, deciding, canary, configurations, committed } =
    parts;
  const { feeds, reconciler, refusals, keeper } = parts;
  const { housekeeping: sql } = pools;
  const answers = createIdempotentAnswers(sql, secrets);
  const housekeeping = { ...world, sql, answers, configurations, metrics, faults };
  type Work = Pick<Parameters<typeof startLoop>[0], 'work' | 'next' | 'nextAfter'>;
  const loop = (name: string, work: Work) =>
    stack.use(startLoop({ name, ...work, clock, log, failed: () => metrics.loopFailed(name) }));
  /** What is claimed is due by the database's clock, as it is now. */
  const claiming = (work: () => Promise<number>) => async () =>
    (await keeper.agrees()) ? work() : 0;
  const notices = loop('notices', {
    work: claiming(() => dispatcher.claim()),
    next: () => ledger.nextNotice(),
    nextAfter: (now) => ledger.nextNotice(now),
  });
  const thenNotices = (work: () => Promise<number>) =>
    claiming(async () => {
      const done = await work();
      if (done > 0) committed({ ...noWake, notices: true });
      return done;
    });
  const cursorOptions: ShiftCursorOptions = {
    ledger,
    clock,
    ids,
    log,
    recorded: (event, secondsLate) =>
      metrics.shiftRecorded({ type: event.type, announced: isAnnounced(event), secondsLate }),
    failed: () => metrics.shiftCursorFailed(),
  };
  for (const [name, chore] of chores(housekeeping)) loop(name, chore);
  loop('chat_channels', readRooms({ ...world, sql }));
  loop('database', { next: () => probe(world, parts), work: async () => 0 });
  loop('clocks', keeper);
  loop('secret_key', { work: async () => 0, next: () => confirmKey(world) });
  const eventStreams = loop('event_streams', {
    next: async () => feeds.nextRead(),
    work: () => feeds.read(),
  });
  feeds.poke = () => eventStreams.poke();
  let notedAt: Temporal.Instant | null = null;
  loop('presence', {
    async next() {
      const now = clock.now();
      return dueWithin(notedAt?.add(PRESENCE_EVERY) ?? now, PRESENCE_EVERY, now);
    },
    async work() {
      const now = clock.now();
      await notePresence(pools.engine, now);
      notedAt = now;
      return 1;
    },
  });
  loop('storms', {
    work: thenNotices(() => notifyOfTeamStorms(ledger, clock)),
    next: () => ledger.nextStorms(),
  });
  loop('refusals', { work: () => refusals.flush(), next: async () => refusals.dueAt });
  loop('key_exchange', createKeyExchange(deciding, committed));
  loop('schedule_rules', createScheduleRules({ ledger, clock, log }, committed));
  loop('canary', { work: () => canary.work(), next: async () => canary.next() });
  return {
    notices,
    incidents: loop('incidents', {
      work: thenNotices(() => runDueIncidents(ledger, clock, faults)),
      next: () => ledger.nextIncident(),
    }),
    shifts: loop('shifts', {
      work: thenNotices(() => advanceDueCursors(cursorOptions)),
      next: () => ledger.nextShiftCursor(),
    }),
    posts: loop('posts', {
      work: claiming(() => reconciler.claim()),
      next: () => reconciler.next(),
    }),
    backlog: loop('backlog', {
      work: thenNotices(() => decideBacklog(deciding)),
      next: async () => ((await ledger.hasBacklog()) ? clock.now() : null),
      // It is poked when an event was read.
      nextAfter: async (now) =>
        now.add({ milliseconds: deciding.apart.isReading ? pollMs : retryMs }),
    }),
  };
}

/** Whether the database answers is looked at whenever the loop looks, and how long pages wait in it. */
async function probe(
  { pools, outage }: ServerContext,
  { metrics, ledger }: LoopParts,
): Promise<null> {
  const isUp = await takesWrites(pools.engine);
  metrics.databaseUp(isUp);
  if (!isUp) return null;
  outage.answered();
  metrics.noticeDue(await ledger.nextNotice());
  return null;
}
