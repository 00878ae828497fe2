// What Prometheus reads of us: the two promises (events accepted, pages handed over in time) and
// the queues behind them.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { channelsWithoutConnection } from './resources/channels.ts';

export type Metrics = ReturnType<typeof createMetrics>;

type Sources = {
  readonly eventsWaiting: () => number;
  readonly eventBytes: () => number;
  readonly noticesInFlight: () => number;
  readonly editsInFlight: () => number;
  readonly eventStreams: () => number;
  readonly now: () => Temporal.Instant;
  readonly pools: () => readonly PoolState[];
  /** In milliseconds. */
  readonly clockAhead: () => number;
};

type PoolState = { readonly name: string; readonly waiting: number; readonly running: number };

const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60];

export function createMetrics(sources: Sources) {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  gauge('pager_events_waiting', 'Events in the intake queue.', sources.eventsWaiting);
  gauge(
    'pager_events_bytes',
    'Bytes of memory of events that are being read, wait or are being stored.',
    sources.eventBytes,
  );
  let noticeDueAt: Temporal.Instant | null = null;
  gauge(
    'pager_oldest_due_notice_seconds',
    'How long the oldest notice has been due that no server sends yet; 0: none is due.',
    () => (noticeDueAt ? Math.max(0, sources.now().since(noticeDueAt).total('seconds')) : 0),
  );
  gauge(
    'pager_clock_ahead_seconds',
    'What the clock of this machine is ahead of that of the database; negative: behind.',
    () => sources.clockAhead() / 1_000,
  );
  const clockJumps = new Counter({
    name: 'pager_clock_jumps_total',
    help: 'Jumps of the clock of the database by which this server moved what waits.',
    registers,
  });
  gauge('pager_notices_in_flight', 'Notices being sent.', sources.noticesInFlight);
  gauge('pager_edits_in_flight', 'Messages outside being changed.', sources.editsInFlight);
  const edits = new Counter({
    name: 'pager_edits_total',
    help: 'Changes of messages outside, by channel and outcome.',
    labelNames: ['channel', 'outcome'],
    registers,
  });
  gauge('pager_event_streams', 'Event streams that are open.', sources.eventStreams);
  const streamsEnded = new Counter({
    name: 'pager_event_streams_ended_total',
    help: 'Event streams that ended, by reason.',
    labelNames: ['reason'],
    registers,
  });
  new Gauge({
    name: 'pager_worker_tasks',
    help: 'Tasks that wait for a worker thread or run in one, by pool.',
    labelNames: ['pool', 'state'],
    registers,
    collect() {
      for (const { name: pool, waiting, running } of sources.pools()) {
        this.set({ pool, state: 'waiting' }, waiting);
        this.set({ pool, state: 'running' }, running);
      }
    },
  });
  const tasks = new Counter({
    name: 'pager_worker_tasks_total',
    help: 'Tasks of worker threads, by pool, task and outcome; too_slow and too_large were killed.',
    labelNames: ['pool', 'task', 'outcome'],
    registers,
  });
  const taskSeconds = new Histogram({
    name: 'pager_worker_task_seconds',
    help: 'How long tasks ran in worker threads, by pool and task.',
    labelNames: ['pool', 'task'],
    buckets: seconds,
    registers,
  });
  const refused = new Counter({
    name: 'pager_connections_refused_total',
    help: 'Connections refused because there were too many, of all or of their network.',
    labelNames: ['listener'],
    registers,
  });
  const requests = new Histogram({
    name: 'pager_http_request_seconds',
    help: 'HTTP requests, by method, route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: seconds,
    registers,
  });
  const notices = new Counter({
    name: 'pager_notices_total',
    help: 'Attempts to deliver a notice, by kind, channel and outcome.',
    labelNames: ['kind', 'channel', 'outcome'],
    registers,
  });
  const deliverySeconds = new Histogram({
    name: 'pager_notice_delivery_seconds',
    help: 'From the decision to notify until the server of the recipient accepted it.',
    labelNames: ['kind', 'channel'],
    buckets: seconds,
    registers,
  });
  const vendorAnswers = new Counter({
    name: 'pager_vendor_answers_total',
    help: 'What vendors answered to what was sent by connections, by vendor and outcome: ok, outage, unexplained, refusal.',
    labelNames: ['vendor', 'outcome'],
    registers,
  });
  const checks = new Counter({
    name: 'pager_connection_checks_total',
    help: 'Checks of the credentials of connections, by vendor and outcome: ok, failing.',
    labelNames: ['vendor', 'outcome'],
    registers,
  });
  const circuits = new Counter({
    name: 'pager_connection_circuits_total',
    help: 'Circuits of connections that opened, as their vendor failed, or closed, by vendor.',
    labelNames: ['vendor', 'to'],
    registers,
  });
  const channelAnswers = new Counter({
    name: 'pager_channel_answers_total',
    help: 'Answers to notices by built-in channels, by channel and outcome: ok, outage, unexplained, refusal.',
    labelNames: ['channel', 'outcome'],
    registers,
  });
  const channelChecks = new Counter({
    name: 'pager_channel_checks_total',
    help: 'Checks of the mail server, by channel and outcome: ok, failing.',
    labelNames: ['channel', 'outcome'],
    registers,
  });
  const channelsFailing = new Gauge({
    name: 'pager_channels_failing',
    help: 'Built-in channels that are failing, by channel: the mail server, and the services that organizations send to.',
    labelNames: ['channel'],
    registers,
  });
  const shiftEvents = new Counter({
    name: 'pager_shift_events_total',
    help: 'Starts and ends of shifts recorded, by type and whether they were announced.',
    labelNames: ['type', 'announced'],
    registers,
  });
  const shiftsLate = new Histogram({
    name: 'pager_shift_announced_seconds',
    help: 'From the start or end of a shift until its announcement was decided.',
    labelNames: ['type'],
    buckets: seconds,
    registers,
  });
  const shiftCursorFailures = new Counter({
    name: 'pager_shift_cursor_failures_total',
    help: 'Schedules whose shifts could not be evaluated; each is tried again.',
    registers,
  });
  const faults = new Counter({
    name: 'pager_faults_total',
    help: 'Alerts, events, incidents, notices, calls and records that failed alone.',
    labelNames: ['of'],
    registers,
  });
  const failures = new Counter({
    name: 'pager_loop_failures_total',
    help: 'Rounds of a loop that failed and were tried again.',
    labelNames: ['loop'],
    registers,
  });
  const wakeUpsReceived = new Counter({
    name: 'pager_wake_ups_received_total',
    help: 'Notifications from other servers that there is something to do.',
    registers,
  });
  const routedAlerts = new Counter({
    name: 'pager_alerts_routed_total',
    help: 'Alerts that routing rules matched, by outcome.',
    labelNames: ['outcome'],
    registers,
  });
  const eventsCut = new Counter({
    name: 'pager_events_cut_total',
    help: 'Events that were stored only in part, because the storage budget of the day was spent.',
    registers,
  });
  const removed = new Counter({
    name: 'pager_removed_total',
    help: 'Rows removed at the end of their retention, by kind.',
    labelNames: ['kind'],
    registers,
  });
  const findings = new Gauge({
    name: 'pager_audit_findings',
    help: 'Rows of the ledger that break a check, as found by the audit in the background.',
    registers,
  });
  const canary = new Histogram({
    name: 'pager_canary_seconds',
    help: 'From sending a canary event until its page was handed over.',
    buckets: seconds,
    registers,
  });
  const canaryAt = new Gauge({
    name: 'pager_canary_last_success_timestamp_seconds',
    help: 'When the page of a canary event was last handed over.',
    registers,
  });
  const canaryFailures = new Counter({
    name: 'pager_canary_failures_total',
    help: 'Canary events whose page was not handed over in time.',
    registers,
  });
  const heartbeatFailures = new Counter({
    name: 'pager_heartbeat_failures_total',
    help: 'Calls of PAGER_HEARTBEAT_URL that failed.',
    registers,
  });
  const database = new Gauge({
    name: 'pager_database_up',
    help: '1 while the database answers, and takes what is written.',
    registers,
  });
  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    answered(observation: { method: string; route: string; status: number; seconds: number }) {
      requests.observe(
        {
          method: observation.method,
          route: observation.route,
          status: String(observation.status),
        },
        observation.seconds,
      );
    },
    attempted(observation: { kind: string; channel: string; outcome: string; seconds: number }) {
      const { kind, channel, outcome } = observation;
      notices.inc({ kind, channel, outcome });
      if (outcome === 'sent') deliverySeconds.observe({ kind, channel }, observation.seconds);
    },
    vendorAnswered: (answer: { vendor: string; outcome: string }) => vendorAnswers.inc(answer),
    connectionChecked: (check: { vendor: string; outcome: string }) => checks.inc(check),
    circuitChanged: (change: { vendor: string; to: 'open' | 'closed' }) => circuits.inc(change),
    channelAnswered: (answer: { channel: string; outcome: string }) => channelAnswers.inc(answer),
    channelChecked: (check: { channel: string; outcome: string }) => channelChecks.inc(check),
    channelsFailing(counts: ReadonlyMap<string, number>) {
      for (const channel of channelsWithoutConnection)
        channelsFailing.set({ channel }, counts.get(channel) ?? 0);
    },
    edited: (edit: { channel: string; outcome: string }) => edits.inc(edit),
    shiftRecorded(observation: { type: string; announced: boolean; secondsLate: number }) {
      const { type, announced, secondsLate } = observation;
      shiftEvents.inc({ type, announced: String(announced) });
      if (announced) shiftsLate.observe({ type }, secondsLate);
    },
    shiftCursorFailed: () => shiftCursorFailures.inc(),
    failedAlone: (of: string) => faults.inc({ of }),
    loopFailed: (loop: string) => failures.inc({ loop }),
    wakeUpReceived: () => wakeUpsReceived.inc(),
    eventStreamEnded: (reason: string) => streamsEnded.inc({ reason }),
    alertRouted: (outcome: string) => routedAlerts.inc({ outcome }),
    eventsCut: (events: number) => eventsCut.inc(events),
    removed: (kind: string, count: number) => removed.inc({ kind }, count),
    auditFindings: (count: number) => findings.set(count),
    canaryArrived(seconds: number, now: Temporal.Instant) {
      canary.observe(seconds);
      canaryAt.set(now.epochMilliseconds / 1_000);
    },
    canaryFailed: () => canaryFailures.inc(),
    heartbeatFailed: () => heartbeatFailures.inc(),
    connectionRefused: (listener: 'http' | 'mail') => refused.inc({ listener }),
    worked(observation: { pool: string; task: string; outcome: string; seconds: number | null }) {
      const { pool, task, outcome } = observation;
      tasks.inc({ pool, task, outcome });
      if (observation.seconds !== null) taskSeconds.observe({ pool, task }, observation.seconds);
    },
    /** When the first of the notices that wait is due, as was read last. */
    noticeDue(at: Temporal.Instant | null) {
      noticeDueAt = at;
    },
    clockJumped: () => clockJumps.inc(),
    databaseUp: (isUp: boolean) => database.set(isUp ? 1 : 0),
    /** Looked up whenever metrics are read; null: there is none. */
    mailCertificateExpires(at: () => Promise<Temporal.Instant | null>) {
      new Gauge({
        name: 'pager_mail_certificate_expiry_timestamp_seconds',
        help: 'When the first certificate in the chain of the mail listener expires; 0: there is none.',
        registers,
        async collect() {
          this.set(((await at())?.epochMilliseconds ?? 0) / 1_000);
        },
      });
    },
  };
}
