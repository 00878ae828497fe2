// The HTTP server: the API, and beside it hooks, links, pages, calendars, sign-in and the dashboard.
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { integrationTypes } from '../alerts/index.ts';
import { mountGotIt } from '../api/contacts/got-it.ts';
import { mountDialects } from '../api/dialects/mount.ts';
import { mountHooks } from '../api/events/hooks.ts';
import { typeOf } from '../api/events/stored-events.ts';
import { aroundIncident } from '../api/incidents/around.ts';
import { addressMark, type LinkPower, mountLinks } from '../api/incidents/links.ts';
import { mountCalendars } from '../api/oncall/calendar-link.ts';
import { mountUnsubscribe } from '../api/oncall/unsubscribe.ts';
import { lostPage, mountDashboard, mountLastWorker } from '../api/pages/dashboard.ts';
import { readDashboard } from '../api/pages/dashboard-files.ts';
import { mountDocuments } from '../api/pages/documents/routes.ts';
import { mountGuides } from '../api/pages/guides/routes.ts';
import { createApi } from '../api/server.ts';
import { createAccountMails } from '../api/sign-in/account-mails.ts';
import { createKnownBrowsers } from '../api/sign-in/attempts/known-browsers.ts';
import { mountSignIn } from '../api/sign-in/routes.ts';
import { createSignInSteps } from '../api/sign-in/second-factor/sign-in-step.ts';
import { createAccounts } from '../api/sign-in/sessions/accounts.ts';
import { createIdentity } from '../api/sign-in/sessions/identify.ts';
import { changes, createSameOrigin } from '../api/sign-in/sessions/same-origin.ts';
import { snsByHttp } from '../channels/sns.ts';
import { act } from '../engine/actions.ts';
import { systemRandom } from '../engine/random.ts';
import { noteRefused } from '../engine/refused-attempts.ts';
import { whyRefused } from '../incidents/refused-attempt.ts';
import { mailChannel, signInChannel } from '../resources/channels.ts';
import { nameOrEmail } from '../resources/person-name.ts';
import type { Role } from '../resources/roles.ts';
import { withoutChannel } from '../shifts/unsubscribe.ts';
import { connectedChannels, isConnectedAnywhere } from '../storage/connections/connections.ts';
import type { Sql } from '../storage/database/database.ts';
import { canStore, takesWrites } from '../storage/database/readiness.ts';
import { findIncident } from '../storage/incidents/incidents.ts';
import { writePersonal } from '../storage/oncall/notification-settings.ts';
import { recordProof } from '../storage/people/contact-proofs.ts';
import { listContacts } from '../storage/people/contacts.ts';
import { activePerson } from '../storage/people/sign-ins.ts';
import { resolveIds } from '../storage/records/resolve-ids.ts';
import { mountVendorCallbacks } from './callbacks.ts';
import type { ServerContext } from './context.ts';
import type { Engine } from './engine.ts';
import { addressesOf, apiRoutes } from './routes.ts';

/** Where `npm start` builds it, and a release has it. */
const dashboardFolder = fileURLToPath(new URL('../../dist/dashboard', import.meta.url));

/** Not listening yet. */
export async function createHttpServer(
  world: ServerContext,
  engine: Engine,
  stopping: AbortSignal,
): Promise<FastifyInstance> {
  const { config, log, clock, ids, pools, secrets, answers } = world;
  const { api: sql } = pools;
  const { publicUrl, trustProxy } = config;
  const secret = secrets.digest('sessions').toString('hex');
  const accounts = createAccounts({ sql, ids, log, publicUrl, secret });
  const sameOrigin = createSameOrigin(publicUrl, secret);
  const browsers = createKnownBrowsers(publicUrl, secret);
  const { digest } = secrets;
  const identity = createIdentity({ sql, clock, log, digest, accounts, sameOrigin });
  const mails = createAccountMails({
    sql,
    clock,
    log,
    digest,
    publicUrl,
    ...mailing(world, engine),
    random: systemRandom,
  });
  const identify = ({ headers, method, ip }: FastifyRequest) =>
    identity.identify(headers, method, ip);
  const dashboard = await readDashboard(dashboardFolder).catch((error: unknown) => {
    log.error({ err: error }, 'the dashboard could not be read: the server starts without it');
    return null;
  });
  const app = await createApi({
    log,
    clock,
    ids,
    answers,
    trustProxy,
    stopping,
    metrics: engine.metrics,
    compute: engine.compute,
    findIds: (caller, query) => resolveIds(sql, caller, query),
    routes: apiRoutes(world, engine, mails),
    identify,
    ready: () => isReady(pools.engine, engine.intake),
    ...(dashboard !== null && { lostPage: lostPage({ dashboard, accounts }) }),
  });
  app.addHook('onClose', () => identity.idle());
  app.addHook('preClose', async () => engine.feeds.close());
  const dialectRoutes = mountEvents(app, world, engine);
  app.addHook('onResponse', async ({ method, url, routeOptions }) => {
    const isOfHooks = url.startsWith('/hooks/') || dialectRoutes.has(routeOptions.url ?? '');
    if (changes(method) && !isOfHooks) engine.feeds.recordsChanged();
  });
  mountActingLinks(app, world, engine);
  mountTestAnswers(app, world);
  mountUnsubscribing(app, world);
  mountVendorCallbacks(app, world, engine);
  mountCalendars(app, { sql, secrets, clock, publicUrl, compute: engine.compute });
  mountDocuments(app);
  mountGuides(app, {
    types: integrationTypes,
    records: world.records,
    identify,
    publicUrl,
    addresses: addressesOf(config),
  });
  if (dashboard !== null) mountDashboard(app, { dashboard, accounts });
  else {
    log.warn({}, 'the dashboard is not built: npm start builds it, or prints why it cannot');
    mountLastWorker(app);
  }
  const home = dashboard && '/incidents';
  app.addHook('onClose', () => mails.idle());
  const steps = createSignInSteps({ sql, publicUrl, secret, clock });
  const shared = { sql, ids, clock, secrets, accounts, sameOrigin, browsers, steps, publicUrl };
  const build = dashboard?.page.etag.replaceAll('"', '') ?? null;
  await mountSignIn(app, { ...shared, mails, home, build });
  return app;
}

/** By what mails about accounts leave, which is known with each: connections come and go. */
function mailing({ config, pools: { api: sql } }: ServerContext, { channels, email }: Engine) {
  const hasMailServer = config.mail.smtpUrl !== null;
  return {
    email: channels.get(mailChannel) ?? email,
    async isMailSet(organizationId?: string) {
      if (hasMailServer) return true;
      if (organizationId === undefined) return isConnectedAnywhere(sql, mailChannel);
      return (await connectedChannels(sql, organizationId)).includes(mailChannel);
    },
  };
}

/** Where the last events could not be stored, it looks whether there is room again. */
async function isReady(sql: Sql, { isStoring }: Engine['intake']): Promise<boolean> {
  return (await takesWrites(sql)) && (isStoring || (await canStore(sql)));
}

/** Answers the routes of other services. */
function mountEvents(
  app: FastifyInstance,
  world: ServerContext,
  { intake, refusals }: Engine,
): ReadonlySet<string> {
  const { config, log, clock, ids, pools, recogniseFrom, recogniseKey, unknownKeys } = world;
  const { allowNetworks, vendorUrls } = config;
  const sns = snsByHttp({ allowNetworks, log, clock, baseUrl: vendorUrls['sns'] });
  const shared = { intake, refusals, typeOf, sns, log };
  mountHooks(app, { ...shared, recognise: recogniseFrom });
  return mountDialects(app, {
    ...shared,
    recogniseKey,
    noteUnknownKey: unknownKeys.note,
    sql: pools.api,
    ids,
    clock,
  });
}

function mountTestAnswers(app: FastifyInstance, { clock, pools, secrets }: ServerContext): void {
  mountGotIt(app, {
    digest: secrets.digest,
    clock,
    record: (contact, now) => recordProof(pools.api, contact, now),
  });
}

function mountUnsubscribing(
  app: FastifyInstance,
  { clock, ids, pools: { api: sql }, secrets }: ServerContext,
): void {
  mountUnsubscribe(app, {
    digest: secrets.digest,
    async unsubscribe({ organizationId, userId }, requestId) {
      const person = await activePerson(sql, userId);
      if (person?.organization_id !== organizationId) return false;
      const actor = { kind: 'user', id: userId, name: nameOrEmail(person) };
      const act = { organizationId, teamIds: null, requestId, now: clock.now(), actor };
      await writePersonal(
        { sql, secrets, ids },
        { act, userId, decide: async (_, { before }) => withoutChannel(before, mailChannel) },
      );
      return true;
    },
  });
}

/** Whoever acknowledges by a link waits for no list: the engine's connections serve it. */
function mountActingLinks(app: FastifyInstance, world: ServerContext, engine: Engine): void {
  const { clock, log, pools, secrets } = world;
  const { engine: sql } = pools;
  const { ledger, configurations, committed } = engine;
  const noteAnswered = async ({ organizationId, userId, mark }: LinkPower) => {
    if (userId === null || mark === undefined) return;
    const contacts = await listContacts(sql, { organizationId, userId });
    const contact = contacts.find(
      ({ channel, address }) =>
        channel === signInChannel && addressMark(address, secrets.digest) === mark,
    );
    if (contact) await recordProof(sql, { organizationId, id: contact.id }, clock.now());
  };
  mountLinks(app, {
    digest: secrets.digest,
    clock,
    roleOf: async (userId) => ((await activePerson(sql, userId))?.role ?? null) as Role | null,
    find: ({ organizationId, incidentId }) =>
      findIncident(sql, { organizationId, teamIds: null }, { id: incidentId }),
    async act(power, by) {
      const { organizationId, incidentId: id, action: type } = power;
      const action = { type, by };
      const request = { action, mayTouch: () => true, mayBeLate: true };
      const acted = await act({ ledger, clock, committed }, { organizationId, id }, request);
      await noteAnswered(power).catch((error: unknown) => {
        log.error({ err: error }, 'the proof of a contact was not stored');
      });
      return acted;
    },
    refused: ({ organizationId, incidentId: id, action: deed, name, via }, { userId, role }) =>
      noteRefused(
        { ledger, clock },
        { organizationId, id },
        { deed, via, who: { person: { id: userId, name }, why: whyRefused(role) } },
      ),
    around: aroundIncident({ sql, configurations, clock, log }),
  });
}
