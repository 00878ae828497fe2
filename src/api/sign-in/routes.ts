// Signing in and out, and the two pages. Forms and JSON go to the same routes; a form is answered
// with a page or a redirect, JSON with JSON.
import cookie from '@fastify/cookie';
import formbody from '@fastify/formbody';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import { accessLimits } from '../../limits/access.ts';
import { objectOf, optional, text } from '../../resources/declaration/field.ts';
import { counted } from '../../resources/plural.ts';
import { transact } from '../../storage/database/database.ts';
import { audit } from '../../storage/organizations/audit.ts';
import { auditedUser } from '../../storage/people/audited.ts';
import { sealedOrganization } from '../../storage/people/organization.ts';
import { endPasswordLinks } from '../../storage/people/password-links.ts';
import { holdPasswordBack } from '../../storage/people/second-factors.ts';
import { activePerson, type Person } from '../../storage/people/sign-ins.ts';
import { invalid, Refusal } from '../failures.ts';
import { createLimiter } from '../http/limiter.ts';
import { readJson } from '../http/read-json.ts';
import { createAttempts } from './attempts/attempts.ts';
import { bake, isForm, isFromBrowser, readFields, type SignInParts, show } from './forms.ts';
import { CODE_PATH, codePage, homePage, signInPage } from './pages.ts';
import { mountPasskeys, passkeysOfferedAt } from './passkeys/passkey-routes.ts';
import { mountPasswordPages } from './passwords/password-routes.ts';
import { returnPath, returnQuery } from './return-path.ts';
import { checkCode } from './second-factor/second-factor.ts';
import type { Session } from './sessions/accounts.ts';
import {
  type Exchange,
  nameOf,
  noteSignIn,
  openSession,
  renderSession,
  sent,
} from './sessions/opening.ts';
import { CSRF_HEADER } from './sessions/same-origin.ts';
import { mountSignInLink } from './sign-in-link.ts';

const PASSWORD_CHANGES = {
  tries: accessLimits.passwordChanges,
  seconds: accessLimits.signInWindow,
};
const WRONG = 'The e-mail or password is wrong.';
const WRONG_CODE = 'The code is wrong or was already used.';

/** Mounts `/`, `/sign-in`, `/auth/*` and the pages about passwords on the server. */
export async function mountSignIn(app: FastifyInstance, parts: SignInParts): Promise<void> {
  await app.register((pages, _options, done) => {
    readsForms(pages);
    void pages.register(cookie);
    mountPages(pages, parts);
    mountSigningIn(pages, parts);
    mountCode(pages, parts);
    mountSession(pages, parts);
    mountPasskeys(pages, parts);
    mountPasswordPages(pages, parts);
    mountSignInLink(pages, parts);
    done();
  });
}

function readsForms(app: FastifyInstance): void {
  const options = { parseAs: 'buffer', bodyLimit: accessLimits.signInBody } as const;
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    options,
    async (_request: FastifyRequest, body: Buffer) => readJson(body),
  );
  void app.register(formbody, { bodyLimit: options.bodyLimit });
}

function mountPages(app: FastifyInstance, parts: SignInParts): void {
  const { sql, accounts, sameOrigin } = parts;
  app.get('/sign-in', async (request, reply) => {
    const session = await accounts.session(request.headers.cookie, { refresh: false });
    if (session) return reply.redirect(nextOf(request), 303);
    return showSignIn(parts, { request, reply }, { status: 200 });
  });
  app.get('/', async (request, reply) => {
    const session = await accounts.session(request.headers.cookie, { refresh: true });
    if (session === null) return reply.redirect('/sign-in', 303);
    const { person, token, cookies } = session;
    if (parts.home !== null) return bake(reply, cookies).redirect(parts.home, 303);
    const organization = await sealedOrganization(sql, person.organization_id);
    const home = homePage({
      name: nameOf(session),
      email: person.email,
      role: person.role,
      organization: organization.name,
      csrfToken: sameOrigin.token(token),
    });
    return show(bake(reply, cookies), 200, home);
  });
}

type ShownSignIn = { readonly status: number; readonly email?: string; readonly trouble?: string };

async function showSignIn(
  parts: SignInParts,
  { request, reply }: Exchange,
  { status, ...shown }: ShownSignIn,
) {
  const passkeysAt = await passkeysOfferedAt(parts);
  return show(reply, status, signInPage({ ...shown, next: nextOf(request), passkeysAt }));
}

function mountSigningIn(app: FastifyInstance, parts: SignInParts): void {
  const { accounts, browsers, clock, sameOrigin } = parts;
  const attempts = createAttempts(clock);
  app.post('/auth/sign-in', async (request, reply) => {
    // Else another site could sign a person in as somebody else, and learn what they then do.
    if (isForm(request) || isFromBrowser(request)) sameOrigin.checkOrigin(request.headers);
    const { email, password } = readCredentials(request);
    const isKnownBrowser = browsers.isKnown(request, email);
    const attempt = { address: request.ip, email, isKnownBrowser };
    const wait = attempts.take(attempt);
    if (wait > 0) return tooMany(parts, { request, reply }, { email, wait });
    const userAgent = request.headers['user-agent'];
    const awaiting = await accounts.awaitsCode({ email, password, userAgent });
    if (awaiting?.person) {
      attempts.succeeded(attempt);
      return continueByCode(parts, { request, reply }, awaiting.person);
    }
    const cookies = awaiting ? null : await accounts.signIn({ email, password, userAgent });
    const session = cookies && (await accounts.session(sent(cookies), { refresh: false }));
    if (!cookies || !session) {
      if (!isForm(request)) throw new Refusal('unauthorized', { message: WRONG });
      return showSignIn(parts, { request, reply }, { status: 401, email, trouble: WRONG });
    }
    attempts.succeeded(attempt);
    await noteSignIn(parts, session, request.ip);
    bake(reply, cookies);
    browsers.remember(reply, email);
    return isForm(request) ? reply.redirect(nextOf(request), 303) : renderSession(parts, session);
  });
}

/** A form goes on to the page for the code; a program sends the code with the password. */
async function continueByCode(parts: SignInParts, { request, reply }: Exchange, person: Person) {
  if (isForm(request)) {
    await parts.steps.begin(reply, person.id);
    return reply.redirect(`${CODE_PATH}${returnQuery(nextOf(request))}`, 303);
  }
  const { code } = readValid(credentials, request.body);
  if (code === undefined) throw new Refusal('code_required');
  const result = await tryCode(parts, request, { person, code: String(code) });
  if (result === 'wrong') throw new Refusal('unauthorized', { message: WRONG_CODE });
  if (result !== 'right') throw new Refusal('rate_limited', { retryAfterSeconds: result.wait });
  return renderSession(parts, await openSession(parts, { request, reply }, person));
}

function mountCode(app: FastifyInstance, parts: SignInParts): void {
  const { sql, steps, sameOrigin } = parts;
  const personIn = async (request: FastifyRequest) => {
    const id = await steps.userIn(request);
    return id === null ? null : activePerson(sql, id);
  };
  app.get(CODE_PATH, async (request, reply) => {
    const next = nextOf(request);
    if ((await personIn(request)) === null)
      return reply.redirect(`/sign-in${returnQuery(next)}`, 303);
    return show(reply, 200, codePage({ next }));
  });
  app.post('/auth/sign-in-code', async (request, reply) => {
    sameOrigin.checkOrigin(request.headers);
    const next = nextOf(request);
    const person = await personIn(request);
    if (person === null) return reply.redirect(`/sign-in${returnQuery(next)}`, 303);
    const { code } = readValid(codeField, request.body);
    const result = await tryCode(parts, request, { person, code: String(code) });
    if (result === 'wrong') return show(reply, 401, codePage({ next, trouble: WRONG_CODE }));
    if (result !== 'right') {
      const trouble = `Too many attempts. Try again in ${spanOf(result.wait)}.`;
      return show(reply.header('retry-after', result.wait), 429, codePage({ next, trouble }));
    }
    steps.end(reply);
    await openSession(parts, { request, reply }, person);
    return reply.redirect(next, 303);
  });
}

const spanOf = (seconds: number) =>
  seconds < 60 ? counted(seconds, 'second') : counted(Math.ceil(seconds / 60), 'minute');

type TriedCode = { readonly person: Person; readonly code: string };

const tryCode = (parts: SignInParts, { id: requestId }: FastifyRequest, tried: TriedCode) =>
  checkCode(parts, tried.person, { code: tried.code, now: parts.clock.now(), requestId });

type Waiting = { readonly email: string; readonly wait: number };

function tooMany(parts: SignInParts, { request, reply }: Exchange, { email, wait }: Waiting) {
  if (!isForm(request)) throw new Refusal('rate_limited', { retryAfterSeconds: wait });
  const trouble = `Too many attempts. Try again in ${counted(Math.ceil(wait / 60), 'minute')}.`;
  reply.header('retry-after', wait);
  return showSignIn(parts, { request, reply }, { status: 429, email, trouble });
}

function mountSession(app: FastifyInstance, parts: SignInParts): void {
  const { accounts, clock } = parts;
  const changes = createLimiter({ clock, ...PASSWORD_CHANGES });
  app.get('/auth/session', async (request, reply) => {
    const session = await accounts.session(request.headers.cookie, { refresh: true });
    if (session === null) throw new Refusal('unauthorized');
    bake(reply.header('cache-control', 'no-store'), session.cookies);
    return renderSession(parts, session);
  });
  app.post('/auth/sign-out', async (request, reply) => {
    await checked(parts, request);
    bake(reply, await accounts.signOut(request.headers.cookie));
    return isForm(request) ? reply.redirect('/sign-in', 303) : {};
  });
  app.post('/auth/change-password', async (request, reply) => {
    const session = await checked(parts, request);
    const wait = changes.take(session.person.id);
    if (wait > 0) throw new Refusal('rate_limited', { retryAfterSeconds: wait });
    const { current_password, new_password } = readValid(passwordChange, request.body);
    const cookies = await accounts.changePassword({
      userId: session.person.id,
      cookie: request.headers.cookie,
      current: String(current_password),
      next: String(new_password),
    });
    if (cookies === null) throw invalid([{ path: 'current_password', message: 'is wrong' }]);
    await noteChange(parts, session, request.id);
    parts.mails.sendChanged(session.person);
    bake(reply, cookies);
    return {};
  });
}

/** The session of a request that may change something for it. */
async function checked(parts: SignInParts, request: FastifyRequest): Promise<Session> {
  const { accounts, sameOrigin } = parts;
  const session = await accounts.session(request.headers.cookie, { refresh: false });
  if (session === null) throw new Refusal('unauthorized');
  sameOrigin.checkOrigin(request.headers);
  const field = (request.body as { csrf_token?: unknown } | undefined | null)?.csrf_token;
  sameOrigin.checkToken(session.token, request.headers[CSRF_HEADER] ?? field);
  return session;
}

async function noteChange(parts: SignInParts, session: Session, requestId: string) {
  const { sql, ids, clock } = parts;
  const { id, organization_id: organizationId } = session.person;
  const actor = { kind: 'session', id, name: nameOf(session) };
  const act = { organizationId, teamIds: null, actor, requestId, now: clock.now() };
  await transact(sql, async (tx) => {
    await endPasswordLinks(tx, id);
    await holdPasswordBack(tx, id);
    await audit(tx, ids, { act, ...auditedUser, action: 'change_password', id });
  });
}

const codeText = text({ doc: 'A code from the app, or a recovery code.', max: 100 });
const credentials = objectOf({
  email: text({ doc: 'The e-mail address of the person.' }),
  password: text({ doc: 'The password of the person.', max: accessLimits.passwordMax }),
  code: optional(codeText),
});
const codeField = objectOf({ code: codeText });
const passwordChange = objectOf({
  current_password: text({ doc: 'The current password.', max: accessLimits.passwordMax }),
  new_password: text({
    doc: 'The new password.',
    min: accessLimits.passwordMin,
    max: accessLimits.passwordMax,
  }),
});

function readCredentials(request: FastifyRequest) {
  const { email, password } = readValid(credentials, request.body);
  return { email: String(email), password: String(password) };
}

function readValid(schema: TSchema, body: unknown) {
  const read = readFields(schema, body);
  if (!read.ok) throw invalid(read.problems);
  return read.value;
}

// Every query is an object of its parameters.
const nextOf = ({ query }: FastifyRequest) => returnPath(query as { next?: unknown });
