// A server with people in it, on a database of its own; requests go in without a socket.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { mountGotIt } from '../src/api/contacts/got-it.ts';
import { peopleRoutes } from '../src/api/people/routes.ts';
import { createApi } from '../src/api/server.ts';
import { createAccountMails } from '../src/api/sign-in/account-mails.ts';
import { createKnownBrowsers } from '../src/api/sign-in/attempts/known-browsers.ts';
import { hashPassword } from '../src/api/sign-in/passwords/passwords.ts';
import { mountSignIn } from '../src/api/sign-in/routes.ts';
import { createSignInSteps } from '../src/api/sign-in/second-factor/sign-in-step.ts';
import { createAccounts } from '../src/api/sign-in/sessions/accounts.ts';
import { createIdentity } from '../src/api/sign-in/sessions/identify.ts';
import { createSameOrigin } from '../src/api/sign-in/sessions/same-origin.ts';
import { createEmail } from '../src/channels/email.ts';
import { publishToNtfy } from '../src/channels/ntfy/publish.ts';
import { createOutbound } from '../src/channels/outbound.ts';
import { createPush } from '../src/channels/push/push.ts';
import { publicKeyText } from '../src/channels/push/vapid.ts';
import { systemClock } from '../src/engine/clock.ts';
import { createIds } from '../src/engine/ids.ts';
import { silentLog } from '../src/engine/log.ts';
import { systemRandom } from '../src/engine/random.ts';
import type { NoticeChannel } from '../src/engine/sending/channel.ts';
import type { Notice } from '../src/notices/notice.ts';
import { adminRoles } from '../src/resources/roles.ts';
import type { Sql } from '../src/storage/database/database.ts';
import { type BootstrapResult, bootstrap } from '../src/storage/organizations/bootstrap.ts';
import { recordProof } from '../src/storage/people/contact-proofs.ts';
import { loseContact } from '../src/storage/people/lost-contacts.ts';
import { createPushDevices } from '../src/storage/people/push-devices.ts';
import { createIdempotentAnswers } from '../src/storage/records/idempotent-answers.ts';
import { resolveIds } from '../src/storage/records/resolve-ids.ts';
import type { Secrets } from '../src/storage/sealed/secrets.ts';
import { claimVapidKey } from '../src/storage/sealed/vapid-key.ts';
import { asDeclared } from './as-declared.ts';
import { compute } from './compute.ts';
import { cacheFor } from './configuration.ts';
import { anyDatabase, testDatabase } from './database.ts';
import { noFaults } from './no-faults.ts';
import { buildSecrets } from './secrets.ts';
import { type MailServer, startMailServer } from './system/notice-servers.ts';
import { noNtfy } from './vendors/ntfy.ts';

export const OWNER = { email: 'Ada@example.com', password: 'correct horse battery' };
export const PUBLIC_URL = 'https://pager.example.com';

export type RequestOptions = {
  readonly key?: string;
  readonly session?: SignedIn;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
};
export type SignedIn = { readonly cookie: string; readonly csrf: string };

/** An answer's body; tests know what they asked for. */
// biome-ignore lint/suspicious/noExplicitAny: the shape is what the test is about
export type Reply = { readonly status: number; readonly body: any };

type NumberNotice = {
  readonly channel: string;
  readonly number: string;
  readonly notice: Notice;
};

/** Takes all, as vendors do. */
const recording = (channel: string, calls: NumberNotice[]): NoticeChannel => ({
  async send(notice, number) {
    calls.push({ channel, number, notice });
    return {
      outcome: 'handed_over',
      connectionId: '',
      vendorId: String(calls.length),
      receiptWithinSeconds: 60,
    };
  },
});

/** Has the organisation of a world call and text German numbers. */
export const connectNumbers = ({
  sql,
  first,
}: Pick<PeopleWorld, 'sql'> & { readonly first: { readonly organizationId: string } }) => sql`
  insert into channel_connections (organization_id, id, version, name, vendor, account_id, position,
    enabled, settings, secrets, created_at, updated_at)
  values (${first.organizationId}, ${'a'.repeat(24)}, 1, 'Twilio', 'twilio', ${NUMBERS.account_sid},
    1, true, ${sql.json(NUMBERS)}, '{}', now(), now())`;

const NUMBERS = {
  account_sid: `AC${'0123456789abcdef'.repeat(2)}`,
  allowed_prefixes: ['+49'],
  from_phone: '+4930123456',
  from_sms: '+4930123456',
};

export type PeopleWorld = AsyncDisposable & {
  readonly app: FastifyInstance;
  readonly sql: Sql;
  readonly secrets: Secrets;
  readonly databaseUrl: string;
  readonly first: BootstrapResult & { readonly key: string };
  /** Where mail arrives; beside it, browsers get pushes. */
  readonly mail: MailServer;
  /** What was called and texted; organisations have no connection for it until one is added. */
  readonly calls: readonly NumberNotice[];
  now(): Temporal.Instant;
  /** Moves the clock of the server, not that of better-auth. */
  pass(duration: Temporal.DurationLike): void;
  /** `GET /users`, below /api/v1; with the first key unless told otherwise. */
  call(line: string, options?: RequestOptions): Promise<Reply>;
  signIn(email: string, password: string): Promise<SignedIn>;
  /** What a POST made, with the first key. */
  made(path: string, body: object): Promise<Reply['body']>;
  person(role?: string, more?: object): Promise<Reply['body']>;
  /** Somebody of this role who can sign in and did. */
  member(role: string): Promise<{ readonly user: Reply['body']; readonly session: SignedIn }>;
  /** When the last uses of keys are written down, and mails about passwords are sent. */
  idle(): Promise<void>;
};

export async function peopleWorld(
  publicUrl = PUBLIC_URL,
  hasMailServer = true,
): Promise<PeopleWorld> {
  const database = await testDatabase({ server: await anyDatabase() });
  const { sql } = database;
  let shift = Temporal.Duration.from({ seconds: 0 });
  const clock = { now: () => systemClock.now().add(shift) };
  const ids = createIds(systemClock);
  const secrets = buildSecrets('a secret key of forty characters, or so.');
  const { digest } = secrets;
  const mail = await startMailServer();
  const email = createEmail({
    smtpUrl: `smtp://127.0.0.1:${mail.port}`,
    from: 'Pager <pager@example.com>',
    mailDir: '',
    log: silentLog,
    clock,
  });
  const privateKey = await claimVapidKey(sql, secrets, silentLog);
  const outbound = createOutbound({ allowNetworks: ['127.0.0.0/8'], log: silentLog });
  const configurations = cacheFor('email', 'push-notification');
  const losing = { sql, ids, secrets, configurations, faults: noFaults };
  const devices = createPushDevices({
    sql,
    secrets,
    log: silentLog,
    lost: (at, loss) => loseContact(losing, { ...at, now: clock.now() }, loss),
  });
  const push = createPush({
    outbound,
    devices,
    vapid: { privateKey, subject: 'mailto:pager@example.com' },
    clock,
    log: silentLog,
    publish: (publishing) => publishToNtfy({ ...noNtfy, outbound }, publishing),
    answered: async () => {},
  });
  const calls: NumberNotice[] = [];
  const channels = new Map<string, NoticeChannel>([
    ['email', email],
    ['push-notification', push],
    ['phone', recording('phone', calls)],
    ['sms', recording('sms', calls)],
  ]);
  const means = { ids, now: clock.now(), random: randomBytes, digest, hashPassword };
  const first = await bootstrap(sql, { organization: 'Example', ...OWNER }, means);
  if (!first?.apiKey) throw new Error('the empty database was not bootstrapped');
  const key = first.apiKey;
  const secret = digest('sign-in').toString('hex');
  const accounts = createAccounts({ sql, ids, log: silentLog, publicUrl, secret });
  const sameOrigin = createSameOrigin(publicUrl, secret);
  const browsers = createKnownBrowsers(publicUrl, secret);
  const about = { sql, clock, log: silentLog, digest, accounts, sameOrigin };
  const { identify, idle } = createIdentity(about);
  const mails = createAccountMails({
    sql,
    clock,
    log: silentLog,
    digest,
    publicUrl,
    random: systemRandom,
    email,
    isMailSet: async () => hasMailServer,
  });
  const app = await createApi({
    routes: asDeclared(
      peopleRoutes({
        sql,
        ids,
        secrets,
        hashPassword,
        clock,
        channels,
        publicUrl,
        callbackUrlOf: () => publicUrl,
        hasMailServer,
        mails,
        pushKey: publicKeyText(privateKey),
      }),
    ),
    identify: ({ headers, method, ip }) => identify(headers, method, ip),
    log: silentLog,
    clock,
    ids,
    ready: async () => true,
    answers: createIdempotentAnswers(sql, secrets),
    compute,
    findIds: (caller, query) => resolveIds(sql, caller, query),
  });
  mountGotIt(app, {
    digest,
    clock,
    record: (contact, now) => recordProof(sql, contact, now),
  });
  const steps = createSignInSteps({ sql, publicUrl, secret, clock });
  const shared = { sql, ids, clock, secrets, accounts, sameOrigin, browsers, steps, publicUrl };
  await mountSignIn(app, { ...shared, mails, home: null, build: null });
  return {
    app,
    sql,
    secrets,
    mail,
    calls,
    first: { ...first, key },
    databaseUrl: database.url,
    idle: async () => void (await Promise.all([idle(), mails.idle()])),
    now: () => clock.now(),
    pass(duration) {
      shift = shift.add(duration);
    },
    call: (line, options = { key }) => send(app, line, options),
    signIn: (email, password) => signIn(app, email, password),
    ...makers(app, key),
    async [Symbol.asyncDispose]() {
      await Promise.all([idle(), mails.idle()]);
      await app.close();
      await email[Symbol.asyncDispose]();
      await mail[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}

function makers(app: FastifyInstance, key: string) {
  let people = 0;
  async function made(path: string, body: object, by: RequestOptions = { key }) {
    const answer = await send(app, `POST ${path}`, { ...by, body });
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body;
  }
  async function person(role = 'responder', more: object = {}) {
    people += 1;
    const email = `person${people}@example.com`;
    const body = { first_name: 'Lin', last_name: '', email, role, ...more };
    // A key makes no admin.
    const isAdmin = adminRoles.includes(role);
    const by = isAdmin ? { session: await signIn(app, OWNER.email, OWNER.password) } : { key };
    return made('/users', body, by);
  }
  async function member(role: string) {
    const user = await person(role);
    const session = await signIn(app, OWNER.email, OWNER.password);
    const password = 'one two three four';
    const options = { session, body: { password } };
    assert.equal((await send(app, `POST /users/${user.id}/password`, options)).status, 200);
    return { user, session: await signIn(app, user.email, password) };
  }
  return { made, person, member };
}

async function send(app: FastifyInstance, line: string, options: RequestOptions): Promise<Reply> {
  const [method = '', path = ''] = line.split(' ');
  const answer = await app.inject({
    // Of `METHOD /path`, as every line here is written.
    method: method as 'GET',
    url: path.startsWith('/auth') ? path : `/api/v1${path}`,
    headers: {
      ...(options.key !== undefined && { 'x-api-key': options.key }),
      ...(options.session && {
        cookie: options.session.cookie,
        'x-csrf-token': options.session.csrf,
        'sec-fetch-site': 'same-origin',
      }),
      ...options.headers,
    },
    ...(options.body !== undefined && { payload: options.body as object }),
  });
  return { status: answer.statusCode, body: answer.body === '' ? null : answer.json() };
}

async function signIn(app: FastifyInstance, email: string, password: string): Promise<SignedIn> {
  const payload = { email, password };
  const answer = await app.inject({ method: 'POST', url: '/auth/sign-in', payload });
  if (answer.statusCode !== 200) throw new Error(`not signed in: ${answer.body}`);
  const cookie = answer.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  return { cookie, csrf: answer.json().csrf_token };
}
