// The engine on PostgreSQL: the intake that decides, the outbox that sends, and their loops.
import { type Compute, computerOf } from '../api/computing/computer.ts';
import { Feeds } from '../api/event-stream/feeds.ts';
import { createEventReader } from '../api/events/event-reader.ts';
import { typeOf } from '../api/events/stored-events.ts';
import { stillCallers } from '../api/sign-in/sessions/identify.ts';
import type { Email } from '../channels/email.ts';
import { canaryChannel } from '../engine/canary.ts';
import { createFaultReporter, type Faults } from '../engine/faults.ts';
import { Intake } from '../engine/intake/intake.ts';
import { Refusals } from '../engine/intake/refusals.ts';
import { StoredReadings } from '../engine/intake/stored-readings.ts';
import type { Ledger } from '../engine/ledger.ts';
import type { Log } from '../engine/log.ts';
import type { NoticeChannel } from '../engine/sending/channel.ts';
import { noWake, type Wake } from '../engine/wake.ts';
import { runningLimits } from '../limits/running.ts';
import { createMetrics, type Metrics } from '../metrics.ts';
import { isBuiltIn, mailChannel } from '../resources/channels.ts';
import { ConfigurationCache } from '../storage/configuration/cache.ts';
import { openWakeUps, type WakeUps } from '../storage/database/wake-ups.ts';
import { noteRefusing } from '../storage/ledger/deaf-spells.ts';
import { createLedger } from '../storage/ledger/ledger.ts';
import { loseContact } from '../storage/people/lost-contacts.ts';
import { createCanary } from './canary.ts';
import { openChannels } from './channels.ts';
import { keepClock } from './clock.ts';
import type { ServerContext } from './context.ts';
import { createSending, type Sending } from './dispatcher.ts';
import { startLoops } from './loops.ts';
import { withDeadline } from './with-deadline.ts';
import { openWorkers, type Workers } from './workers.ts';

export type Engine = {
  readonly ledger: Ledger;
  readonly configurations: ConfigurationCache;
  readonly channels: ReadonlyMap<string, NoticeChannel>;
  readonly email: Email;
  readonly intake: Intake;
  readonly refusals: Refusals;
  readonly metrics: Metrics;
  readonly faults: Faults;
  readonly workers: Workers;
  readonly compute: Compute;
  /** Of those who follow what changes. */
  readonly feeds: Feeds;
  /** To be told of every commit that leaves something to do. */
  readonly committed: (wake: Wake) => void;
};

export async function startEngine(
  world: ServerContext,
  stack: AsyncDisposableStack,
): Promise<Engine> {
  const { clock, time, host, log, ids, secrets, pools } = world;
  const api = { sql: pools.api, clock };
  const feeds = new Feeds({ ...api, ids, stillCallers: stillCallers(api) });
  const metrics: Metrics = createMetrics({
    eventStreams: () => feeds.streams,
    now: () => clock.now(),
    eventsWaiting: () => intake.waiting,
    eventBytes: () => intake.bytes,
    noticesInFlight: () => dispatcher.inFlight,
    editsInFlight: () => reconciler.underWay,
    pools: () => Object.values(workers),
    clockAhead: world.time.machineAhead,
  });
  const { channels, email, webhooks } = openChannels(
    world,
    { metrics, lost: (at, loss) => loseContact(ledgerParts, { ...at, now: clock.now() }, loss) },
    stack,
  );
  const sending = new Map([...channels, ['canary', canaryChannel]]);
  // Without a mail server each mail is a file: it reaches nobody, so no policy counts on it.
  const written = new Set<string>(world.config.mail.smtpUrl === null ? [mailChannel] : []);
  const builtIn = [...sending.keys()].filter((name) => isBuiltIn(name) && !written.has(name));
  const workers = openWorkers({ log, metrics }, stack);
  const faults = createFaultReporter(log, metrics.failedAlone);
  const configurations = new ConfigurationCache(new Set([...builtIn, 'webhook']), faults, {
    written,
  });
  const wakeUps = stack.use(await openServerWakeUps(world, metrics));
  const ledgerParts = { sql: pools.engine, ids, secrets, configurations, faults };
  const ledger = createLedger({
    ...ledgerParts,
    ...(time.database && {
      jumps: { known: () => time.lastJump, missed: () => keeper.follow() },
    }),
    incidentsChanged(incidents) {
      const changed = [...incidents];
      feeds.incidentsChanged(changed);
      wakeUps.notifyChanged(changed);
    },
  });
  const keeper = keepClock({
    time,
    sql: pools.engine,
    ledger,
    log,
    host,
    jumped: metrics.clockJumped,
  });
  await keeper.settled();
  const { dispatcher, reconciler } = createSending(world, {
    ledgerParts,
    ledger,
    metrics,
    webhooks,
    faults,
    channels: sending,
    committed: (wake) => committed(wake),
  });
  const reader = createEventReader({ pool: workers.events, log });
  const apart = new StoredReadings({
    reader,
    ready: () => poke({ ...noWake, backlog: true }),
  });
  const deciding = {
    ledger,
    clock,
    ids,
    log,
    faults,
    typeOf,
    reader,
    apart,
    committed: (wake: Wake) => committed(wake),
    ruled: metrics.alertRouted,
    storage: { bytes: world.config.eventStorageBytes },
    cut: metrics.eventsCut,
  };
  const intake = new Intake({ ...deciding, taken: (id) => refusals.taken(id) });
  const refusals = new Refusals({
    clock,
    log,
    record: intake.record,
    recordDeaf: (refusing) => noteRefusing(pools.engine, refusing),
  });
  stack.defer(() => refusals.finish());
  stack.defer(() => finishSending({ dispatcher, reconciler }, log));
  const canary = createCanary(world, { intake, metrics });
  const looped = {
    ledger,
    metrics,
    faults,
    dispatcher,
    reconciler,
    keeper,
    deciding,
    refusals,
    canary,
    configurations,
    feeds,
  };
  const loops = startLoops(world, { ...looped, committed: (wake) => committed(wake) }, stack);
  const poke = (wake: Wake, isOwn = false) => {
    if (wake.incidents) loops.incidents.poke();
    // What others made due they claim themselves, most likely.
    if (wake.notices) loops.notices.poke({ isDue: isOwn });
    if (wake.backlog) loops.backlog.poke();
    if (wake.shifts) loops.shifts.poke();
    if (wake.posts) loops.posts.poke();
  };
  const committed = (wake: Wake) => {
    poke(wake, true);
    wakeUps.notify(wake);
  };
  await wakeUps.listen({
    onWake(wake) {
      metrics.wakeUpReceived();
      poke(wake);
    },
    onChanged: (incidents) => feeds.incidentsChanged(incidents),
    onLost: (organizationId) => feeds.lost(organizationId),
  });
  dispatcher.onFreed(() => loops.notices.poke());
  reconciler.onFreed(() => loops.posts.poke());
  const compute = computerOf((name) =>
    name === 'replay' ? workers.replays : workers.computations,
  );
  const open = { ledger, configurations, channels, email, intake, refusals, metrics, faults };
  return { ...open, workers, compute, committed, feeds };
}

/** What is left is sent again by the next server, as if this one had died: rather twice than never. */
async function finishSending({ dispatcher, reconciler }: Sending, log: Log): Promise<void> {
  const late = Promise.withResolvers<void>();
  const ending = Promise.all([dispatcher.idle(), reconciler.idle()]);
  const ended = Promise.race([ending, late.promise]);
  await withDeadline(runningLimits.noticesTime, ended, late.resolve);
  const left = dispatcher.inFlight;
  if (left > 0) log.warn({ notices: left }, 'stopped while notices were being sent');
}

function openServerWakeUps({ pools, log, ids }: ServerContext, metrics: Metrics): Promise<WakeUps> {
  const failed = () => metrics.loopFailed('wake_ups');
  const { url, liveness } = pools;
  return openWakeUps({ url, log, liveness, server: ids.next(), failed });
}
