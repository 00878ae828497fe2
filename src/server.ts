// The composition root: builds everything, starts it, and stops it in the opposite order.
import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AlertRequest, IntegrationType, Reading } from './alerts/alert.ts';
import { integrationTypes } from './alerts/index.ts';
import { mountCalendars } from './api/calendars/file.ts';
import { calendarRoutes } from './api/calendars/routes.ts';
import { coverageWarnings } from './api/coverage/coverage.ts';
import { mountHooks } from './api/hooks.ts';
import { incidentRoutes } from './api/incidents/routes.ts';
import { linkExpiry, linkText, mountLinks } from './api/links.ts';
import { startMailDoor } from './api/mail/door.ts';
import { readMessage } from './api/mail/message.ts';
import { notificationRoutes } from './api/notifications/routes.ts';
import { overrideRoutes } from './api/oncall/overrides.ts';
import { oncallRoutes } from './api/oncall/routes.ts';
import { mountGuides } from './api/pages/guides.ts';
import { mountIncidentPage } from './api/pages/incident.ts';
import { mountOncallPage } from './api/pages/oncall.ts';
import { peopleRoutes } from './api/people.ts';
import { quotaRoutes } from './api/quota.ts';
import { recordRoutes } from './api/records/routes.ts';
import { watchedRecords } from './api/records/watched.ts';
import type { Route } from './api/route.ts';
import { ruleTestRoutes } from './api/rules/routes.ts';
import { createApi } from './api/server.ts';
import { createAccounts } from './api/sign-in/accounts.ts';
import { createIdentity } from './api/sign-in/identify.ts';
import { hashPassword } from './api/sign-in/passwords.ts';
import { mountSignIn } from './api/sign-in/routes.ts';
import { createSameOrigin } from './api/sign-in/same-origin.ts';
import { webhookDeliveryRoutes } from './api/webhook-deliveries/routes.ts';
import { webhookSecretRoutes } from './api/webhook-secrets.ts';
import { whatIfRoutes } from './api/what-if/routes.ts';
import { createChatWebhook } from './channels/chat-webhook.ts';
import { createEmail } from './channels/email.ts';
import { createOutbound } from './channels/outbound.ts';
import { createOutboundWebhook } from './channels/outbound-webhook.ts';
import type { Config } from './config.ts';
import { act } from './engine/actions.ts';
import { type Clock, systemClock } from './engine/clock.ts';
import { decideBacklog } from './engine/deciding/backlog.ts';
import { Intake } from './engine/deciding/intake.ts';
import { createIds, type Ids } from './engine/ids.ts';
import { type Ledger, noWake, type StoredEvent, type Wake } from './engine/ledger.ts';
import type { Log } from './engine/log.ts';
import { type Loop, startLoop } from './engine/loop.ts';
import { runDue } from './engine/runner.ts';
import { contentOf } from './engine/sending/call.ts';
import type { Channel } from './engine/sending/channel.ts';
import type { ClaimedIncidentNotice } from './engine/sending/claimed.ts';
import { compose } from './engine/sending/compose.ts';
import { Dispatcher } from './engine/sending/dispatch.ts';
import { lookDue, type WatcherOptions } from './engine/watcher.ts';
import { makeFirstRecords, welcome } from './first-start.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { secretKeyIn } from './secret-key.ts';
import { isAnnounced } from './shifts/look.ts';
import { bootstrap } from './storage/bootstrap.ts';
import { type Database, isUp, openDatabase, type Sql } from './storage/database.ts';
import { findIncident } from './storage/incidents/incidents.ts';
import { createLedger } from './storage/ledger/ledger.ts';
import { beginChains } from './storage/ledger-audit/began.ts';
import { migrate } from './storage/migrate.ts';
import { openClaimant } from './storage/outbox/claimant.ts';
import { ensurePartitions } from './storage/partitions.ts';
import { activePerson } from './storage/people/sign-ins.ts';
import { startBundledPostgres } from './storage/postgres-server.ts';
import {
  createIdempotentAnswers,
  type IdempotentAnswers,
} from './storage/records/idempotent-answers.ts';
import { createRecords, type Records } from './storage/records/records.ts';
import { claimInstallation, createSecrets, type Secrets } from './storage/secrets.ts';
import { activeTeams } from './storage/teams.ts';
import { createTokens } from './storage/tokens.ts';
import { audit, housekeeping, retention } from './upkeep.ts';

export type Server = AsyncDisposable & {
  readonly port: number;
  readonly mailPort: number;
};

type Start = {
  readonly config: Config;
  readonly log: Log;
  readonly clock?: Clock;
  readonly random?: () => number;
  /** Shows what is told once, at the first start. */
  readonly print: (text: string) => void;
};

const migrationsFolder = fileURLToPath(new URL('../migrations/', import.meta.url));

/** Everything that the parts share. */
type World = {
  readonly config: Config;
  readonly log: Log;
  readonly clock: Clock;
  readonly random: () => number;
  readonly ids: Ids;
  readonly sql: Sql;
  readonly secrets: Secrets;
  /** This server, as its claims name it. */
  readonly claimant: string | null;
  readonly records: Records;
  readonly answers: IdempotentAnswers;
  /** Tells an integration by its token; one memory for both doors. */
  readonly recognise: ReturnType<typeof createTokens>;
};

/** Resolves when it accepts events; disposing it finishes what was accepted first. */
export async function startServer(start: Start): Promise<Server> {
  await using starting = new AsyncDisposableStack();
  const world = await openWorld(start, starting);
  await firstStart(world, start.print);
  const engine = startEngine(world, starting);
  const app = await createServer(world, engine);
  starting.defer(async () => {
    await app.close();
    await engine.intake.drained();
  });
  const mailDoor = starting.use(await openMailDoor(world, engine));
  const { host, port } = world.config.listen;
  await app.listen({ host, port });
  const address = app.addresses()[0];
  world.log.info({ address, mail_port: mailDoor.port }, 'Pager is ready');
  const stopping = starting.move();
  return {
    port: typeof address === 'object' ? address.port : port,
    mailPort: mailDoor.port,
    [Symbol.asyncDispose]: () => stopping.disposeAsync(),
  };
}

async function openWorld(start: Start, stack: AsyncDisposableStack): Promise<World> {
  const { config, log, clock = systemClock, random = Math.random } = start;
  await mkdir(config.dataDir, { recursive: true });
  const database = stack.use(await openStorage(config, log, stack));
  const { sql } = database;
  await migrate({ sql, folder: migrationsFolder, clock, log });
  const secrets = createSecrets(config.secretKey ?? (await secretKeyIn(config.dataDir)));
  await claimInstallation(sql, secrets);
  await beginChains(sql, secrets, clock.now());
  await ensurePartitions(sql, clock.now());
  const opening = { sql, dataDir: config.dataDir, log, now: clock.now() };
  const { name: claimant } = stack.use(await openClaimant(opening));
  const ids = createIds(clock);
  const recognise = createTokens(sql, secrets, () => clock.now().epochMilliseconds);
  const records = createRecords({ sql, secrets, ids });
  const answers = createIdempotentAnswers(sql, secrets);
  const stored = { sql, secrets, records, answers, recognise };
  return { config, log, clock, random, ids, claimant, ...stored };
}

async function openStorage(
  config: Config,
  log: Log,
  stack: AsyncDisposableStack,
): Promise<Database> {
  if (config.databaseUrl !== null) return openDatabase({ url: config.databaseUrl, log });
  const bundled = stack.use(await startBundledPostgres({ dataDir: config.dataDir, log }));
  return openDatabase({ url: bundled.url, log });
}

async function firstStart(world: World, print: (text: string) => void): Promise<void> {
  const { config, clock, ids, sql, secrets } = world;
  const { organization, email, password, apiKey } = config.bootstrap;
  const now = clock.now();
  const made = await bootstrap(
    sql,
    {
      organization: organization ?? 'My organisation',
      email: email ?? 'owner@example.com',
      ...(password !== null && { password }),
      ...(apiKey !== null && { apiKey }),
    },
    { ids, now, random: (count) => randomBytes(count), digest: secrets.digest, hashPassword },
  );
  if (!made) return;
  const token = await makeFirstRecords(world.records, made, now);
  const mail = config.mail.smtpUrl
    ? `sent through ${URL.parse(config.mail.smtpUrl)?.host}`
    : `written to ${join(config.dataDir, 'mail')}`;
  print(welcome({ made, token, publicUrl: config.publicUrl, mail }));
}

type Engine = {
  readonly ledger: Ledger;
  readonly channels: ReadonlyMap<string, Channel>;
  readonly intake: Intake;
  readonly metrics: Metrics;
  readonly committed: (wake: Wake) => void;
};

function openChannels(world: World, stack: AsyncDisposableStack) {
  const { config, log, clock } = world;
  const { smtpUrl, from } = config.mail;
  const mailDir = join(config.dataDir, 'mail');
  const email = stack.use(
    createEmail({ ...(smtpUrl !== null && { smtpUrl }), from, mailDir, log, clock }),
  );
  const outbound = createOutbound({ allowNetworks: config.allowNetworks, log, clock });
  const channels = new Map<string, Channel>([
    ['email', email],
    ['slack', createChatWebhook('slack', outbound)],
    ['msteams', createChatWebhook('msteams', outbound)],
    ['discord', createChatWebhook('discord', outbound)],
  ]);
  return { channels, webhooks: createOutboundWebhook({ outbound, clock, log }) };
}

const typeOf = (slug: string) => integrationTypes.find((type) => type.slug === slug);

function startEngine(world: World, stack: AsyncDisposableStack): Engine {
  const { config, log, clock, random, ids, secrets } = world;
  const { channels, webhooks } = openChannels(world, stack);
  const names = new Set([...channels.keys(), 'webhook']);
  const ledger = createLedger({ sql: world.sql, ids, secrets, channels: names });
  const linkFor = (claimed: ClaimedIncidentNotice, action: 'acknowledge' | 'resolve') => {
    const power = {
      organizationId: claimed.organization_id,
      incidentId: claimed.incident.id,
      action,
      userId: claimed.user_id,
      name: claimed.recipient ?? claimed.channel,
      via: claimed.channel === 'email' ? ('email' as const) : ('chat' as const),
      expiresAt: linkExpiry(clock.now()),
    };
    return `${config.publicUrl}/act/${linkText(power, secrets.digest)}`;
  };
  const metrics: Metrics = createMetrics({
    eventsWaiting: () => intake.waiting,
    noticesInFlight: () => dispatcher.inFlight,
  });
  const dispatcher = new Dispatcher({
    ledger,
    clock,
    log,
    random,
    claimant: world.claimant,
    channels,
    hardAlertLimit: config.hardAlertLimit,
    compose: (claimed) => compose(claimed, { publicUrl: config.publicUrl, linkFor }),
    webhooks,
    contentOf: (call) => contentOf(call, config.publicUrl),
    attempted({ state, finishedAt }, { kind, channel, created_at }) {
      const ms = finishedAt.epochMilliseconds - created_at.epochMilliseconds;
      metrics.attempted({ kind, channel, outcome: state, seconds: ms / 1_000 });
    },
  });
  const options = {
    ledger,
    clock,
    ids,
    log,
    typeOf,
    read,
    committed: (wake: Wake) => committed(wake),
    ruled: metrics.alertRuled,
  };
  const intake = new Intake(options);
  stack.defer(() => dispatcher.idle());
  const loops = startLoops(world, {
    ledger,
    metrics,
    dispatcher,
    intake: options,
    channels: names,
  });
  for (const loop of Object.values(loops)) stack.use(loop);
  const committed = (wake: Wake) => {
    if (wake.incidents) loops.incidents.poke();
    if (wake.notices) loops.notices.poke();
    if (wake.backlog) loops.backlog.poke();
    if (wake.shifts) loops.shifts.poke();
  };
  dispatcher.onFreed(() => loops.notices.poke());
  return { ledger, channels, intake, metrics, committed };
}

type Looped = {
  readonly ledger: Ledger;
  readonly metrics: Metrics;
  readonly dispatcher: Dispatcher;
  readonly intake: Parameters<typeof decideBacklog>[0];
  /** The names of those that are set up. */
  readonly channels: ReadonlySet<string>;
};

type Loops = Record<
  'incidents' | 'shifts' | 'notices' | 'backlog' | 'housekeeping' | 'retention' | 'audit',
  Loop
>;

function startLoops(world: World, looped: Looped): Loops {
  const { clock, log, ids } = world;
  const { ledger, metrics, dispatcher, intake, channels } = looped;
  const kept = { ...world, channels, metrics };
  type Work = { work: () => Promise<number>; next: () => Promise<Temporal.Instant | null> };
  const loop = (name: string, work: Work) =>
    startLoop({ name, ...work, clock, log, failed: () => metrics.loopFailed(name) });
  const notices = loop('notices', {
    work: () => dispatcher.claim(),
    next: () => ledger.nextNotice(),
  });
  const thenNotices = (work: () => Promise<number>) => async () => {
    const done = await work();
    if (done > 0) notices.poke();
    return done;
  };
  const watching: WatcherOptions = {
    ...{ ledger, clock, ids, log },
    recorded: (event, secondsLate) =>
      metrics.shiftRecorded({ type: event.type, announced: isAnnounced(event), secondsLate }),
    failed: () => metrics.watchFailed(),
  };
  return {
    notices,
    incidents: loop('incidents', {
      work: thenNotices(() => runDue(ledger, clock)),
      next: () => ledger.nextIncident(),
    }),
    shifts: loop('shifts', {
      work: thenNotices(() => lookDue(watching)),
      next: () => ledger.nextWatch(),
    }),
    backlog: loop('backlog', {
      work: thenNotices(() => decideBacklog(intake)),
      next: async () => ((await ledger.hasBacklog()) ? clock.now() : null),
    }),
    housekeeping: loop('housekeeping', housekeeping(kept)),
    retention: loop('retention', retention(kept)),
    audit: loop('audit', audit(kept)),
  };
}

/** A stored event as its integration type reads it; mail is parsed from its bytes each time. */
async function read(event: StoredEvent, type: IntegrationType, name: string): Promise<Reading> {
  const about = { receivedAt: event.received_at, integrationName: name };
  const request = await requestOf(event);
  return request ? type.read(request, about) : { unreadable: 'the mail cannot be read' };
}

async function requestOf(event: StoredEvent): Promise<AlertRequest | null> {
  const { path, content_type, body } = event;
  if (event.door === 'http') return { door: 'http', path, contentType: content_type, body };
  const mail = await readMessage(body);
  return mail && { door: 'mail', ...mail };
}

async function createServer(world: World, engine: Engine) {
  const { config, log, clock, ids, sql, secrets, records, answers } = world;
  const { publicUrl } = config;
  const { ledger, channels, committed } = engine;
  const secret = secrets.digest('sessions').toString('hex');
  const accounts = createAccounts({ sql, ids, log, publicUrl, secret });
  const sameOrigin = createSameOrigin(publicUrl, secret);
  const identity = createIdentity({
    sql,
    clock,
    log,
    digest: secrets.digest,
    accounts,
    sameOrigin,
  });
  const routes: readonly Route[] = [
    ...recordRoutes({
      records: watchedRecords(records, () => committed({ ...noWake, shifts: true })),
      teams: (scope) => activeTeams(sql, scope),
      // The save is stored: that its warnings cannot be told must not make it look refused.
      scheduleWarnings: (saved) =>
        coverageWarnings(sql, saved).catch((error: unknown) => {
          log.error({ err: error, schedule: saved.id }, 'coverage could not be proved');
          return [];
        }),
      integrationTypes,
      addresses: { hooksUrl: `${publicUrl}/hooks`, emailDomain: config.mailDoor.domain },
    }),
    ...incidentRoutes({ sql, ledger, clock, publicUrl, committed }),
    ...peopleRoutes({ sql, ids, secrets, hashPassword, clock, channels }),
    ...oncallRoutes(sql),
    ...overrideRoutes({ sql, ids, committed }),
    ...notificationRoutes(world),
    ...webhookSecretRoutes(world),
    ...webhookDeliveryRoutes({ ...world, publicUrl, committed }),
    ...quotaRoutes(world),
    ...ruleTestRoutes({ sql, typeOf, read }),
    ...whatIfRoutes({ ...world, channels: new Set(channels.keys()), typeOf, read }),
    ...calendarRoutes({ sql, secrets, ids, publicUrl }),
  ];
  const app = await createApi({
    routes,
    identify: ({ headers, method, url }) => identity.identify(headers, method, url),
    log,
    clock,
    ids,
    answers,
    ready: () => isUp(sql),
    trustProxy: config.trustProxy,
    metrics: engine.metrics,
  });
  app.addHook('onClose', () => identity.idle());
  mountHooks(app, { intake: engine.intake, recognise: world.recognise, clock });
  mountLinks(app, {
    digest: secrets.digest,
    clock,
    isActive: async (userId) => (await activePerson(sql, userId)) !== null,
    find: ({ organizationId, incidentId }) =>
      findIncident(sql, { organizationId, teamIds: null }, { id: incidentId }),
    act: ({ organizationId, incidentId, action }, by) =>
      act(
        { ledger, clock, committed },
        { organizationId, id: incidentId },
        { action: { type: action, by }, mayTouch: () => true },
      ),
  });
  mountIncidentPage(app, { sql, accounts });
  mountCalendars(app, { sql, secrets, clock, publicUrl });
  mountOncallPage(app, { sql, accounts, clock });
  mountGuides(app);
  await mountSignIn(app, { sql, ids, clock, accounts, sameOrigin });
  return app;
}

function openMailDoor(world: World, engine: Engine) {
  const { config, log, recognise } = world;
  const { host, port, domain } = config.mailDoor;
  return startMailDoor({
    listen: { host, port },
    domain,
    log,
    isKnown: async (token) => (await recognise(token)) !== null,
    async receive({ token, raw, ours }) {
      const recognised = await recognise(token);
      if (!recognised) return 'gone';
      if (ours) {
        log.info({ integration_id: recognised.integrationId }, 'mail of our own was dropped');
        return 'stored';
      }
      const mail = { door: 'mail', path: '', contentType: 'message/rfc822', body: raw } as const;
      const accepted = await engine.intake.receive({ ...recognised, ...mail });
      if (accepted.type === 'full') return 'busy';
      return accepted.type === 'archived' ? 'gone' : 'stored';
    },
  });
}
