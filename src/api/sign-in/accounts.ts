// Signing in with an e-mail address and a password, kept by better-auth in its four tables.
// Only this file knows that library; its own HTTP handler, with its many routes, is not mounted.
import { AsyncLocalStorage } from 'node:async_hooks';
import { betterAuth } from 'better-auth';
import { createAuthEndpoint, isAPIError } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';
import type { Ids } from '../../engine/ids.ts';
import type { Log } from '../../engine/log.ts';
import { accessLimits } from '../../limits/access.ts';
import type { Sql } from '../../storage/database.ts';
import {
  hasSecondFactor,
  passwordHashOf,
  usableHash,
} from '../../storage/people/second-factors.ts';
import { activePerson, idByEmail, type Person, signInName } from '../../storage/people/sign-ins.ts';
import { authDialect, throughDialect } from './auth-dialect.ts';
import { hashPassword, isPassword } from './passwords.ts';

export type AccountsOptions = {
  readonly sql: Sql;
  readonly ids: Ids;
  readonly log: Log;
  /** As people's browsers know the server; over https its cookies are Secure. */
  readonly publicUrl: string;
  /** Signs the cookies; at least 32 characters that nobody can guess. */
  readonly secret: string;
};

/** Somebody signed in, with the `Set-Cookie` values that the answer must carry. */
export type Session = {
  readonly person: Person;
  readonly id: string;
  /** Of its last use, as far as it was noted. */
  readonly usedAt: Temporal.Instant;
  readonly token: string;
  readonly expiresAt: Temporal.Instant;
  readonly cookies: readonly string[];
};

export type Accounts = {
  /** Of a person with a second factor: who has this password. Null: there is no such person. */
  awaitsCode(params: Credentials): Promise<{ readonly person: Person | null } | null>;
  /** Of a person who has given password and code. */
  open(params: Opening): Promise<readonly string[]>;
  /** Null: wrong, unknown or inactive; each takes the same work. */
  signIn(params: Credentials): Promise<readonly string[] | null>;
  /** The session of a cookie, read from the database every time; `refresh` prolongs it. */
  session(cookie: string | undefined, how: { readonly refresh: boolean }): Promise<Session | null>;
  signOut(cookie: string | undefined): Promise<readonly string[]>;
  /** Ends all other sessions. Null: the current password is wrong. */
  changePassword(params: PasswordChange): Promise<readonly string[] | null>;
};

type Credentials = {
  readonly email: string;
  readonly password: string;
  readonly userAgent: string | undefined;
};

type Opening = { readonly userId: string; readonly userAgent: string | undefined };

type PasswordChange = {
  /** Whose session it is: they have given a code if they need one. */
  readonly userId: string;
  readonly cookie: string | undefined;
  readonly current: string;
  readonly next: string;
};

const COOKIE_PREFIX = 'pager';
const DAY_SECONDS = 86_400;

export function createAccounts(options: AccountsOptions): Accounts {
  const { sql } = options;
  const auth = createAuth(options);
  return {
    async awaitsCode({ email, password }) {
      const id = await idByEmail(sql, email);
      if (id === null || !(await hasSecondFactor(sql, id))) return null;
      const hash = await passwordHashOf(sql, id);
      const isRight = hash !== null && (await isPassword(hash, password));
      return { person: isRight ? await activePerson(sql, id) : null };
    },
    async open({ userId, userAgent }) {
      const headers = headersOf(userAgent);
      const done = await entitled.run(userId, () =>
        throughDialect(() => auth.api.openSession({ headers, returnHeaders: true })),
      );
      return done.headers.getSetCookie();
    },
    async signIn({ email, password, userAgent }) {
      const headers = headersOf(userAgent);
      // Nobody's name goes the same way as a known one, a password hash included.
      const name = signInName((await idByEmail(sql, email)) ?? 'nobody');
      const body = { email: name, password };
      const done = await unlessRefused(() =>
        auth.api.signInEmail({ body, headers, returnHeaders: true }),
      );
      return done?.headers.getSetCookie() ?? null;
    },
    async session(cookie, { refresh }) {
      if (!cookie?.includes(`${COOKIE_PREFIX}.session_token`)) return null;
      const headers = new Headers({ cookie });
      const query = { disableRefresh: !refresh };
      const result = await throughDialect(() =>
        auth.api.getSession({ headers, query, returnHeaders: true }),
      );
      if (!result.response) return null;
      const { id, token, expiresAt, updatedAt, userId } = result.response.session;
      const person = await activePerson(sql, userId);
      return (
        person && {
          person,
          id,
          usedAt: Temporal.Instant.fromEpochMilliseconds(updatedAt.getTime()),
          token,
          expiresAt: Temporal.Instant.fromEpochMilliseconds(expiresAt.getTime()),
          cookies: result.headers.getSetCookie(),
        }
      );
    },
    async signOut(cookie) {
      const headers = new Headers({ cookie: cookie ?? '' });
      const done = await throughDialect(() => auth.api.signOut({ headers, returnHeaders: true }));
      return done.headers.getSetCookie();
    },
    async changePassword({ userId, cookie, current, next }) {
      const done = await entitled.run(userId, () =>
        unlessRefused(() =>
          auth.api.changePassword({
            body: { currentPassword: current, newPassword: next, revokeOtherSessions: true },
            headers: new Headers({ cookie: cookie ?? '' }),
            returnHeaders: true,
          }),
        ),
      );
      return done?.headers.getSetCookie() ?? null;
    },
  };
}

const headersOf = (userAgent = '') => new Headers({ 'user-agent': userAgent.slice(0, 255) });

/** The id of whoever has given all that they need, while a session of theirs is opened. */
const entitled = new AsyncLocalStorage<string>();

/** Not mounted, as no route of the library is: only `open` calls it. */
const openSession = createAuthEndpoint('/open-session', { method: 'POST' }, async (context) => {
  const { internalAdapter } = context.context;
  const userId = entitled.getStore() ?? '';
  const session = await internalAdapter.createSession(userId);
  const user = await internalAdapter.findUserById(userId);
  if (!session || !user) throw new Error('no session could be opened');
  await setSessionCookie(context, { session, user });
  return {};
});

function createAuth({ sql, ids, log, publicUrl, secret }: AccountsOptions) {
  return betterAuth({
    baseURL: publicUrl,
    basePath: '/auth',
    secret,
    database: { dialect: authDialect(sql), type: 'postgres' },
    telemetry: { enabled: false },
    plugins: [{ id: 'pager', endpoints: { openSession } }],
    // Counted by ourselves, per address and per e-mail, before anything is looked up.
    rateLimit: { enabled: false },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: accessLimits.passwordMin,
      maxPasswordLength: accessLimits.passwordMax,
      password: {
        hash: hashPassword,
        verify: ({ hash, password }) => isPassword(usableHash(hash), password),
      },
    },
    session: {
      ...sessionColumns,
      expiresIn: accessLimits.sessionDays * DAY_SECONDS,
      updateAge: DAY_SECONDS,
    },
    user: userColumns,
    account: accountColumns,
    verification: verificationColumns,
    databaseHooks: {
      session: {
        create: {
          // Checked after the password, so that only its owner learns whether they are active.
          before: async ({ userId }) => {
            const isWhole = entitled.getStore() === userId || !(await hasSecondFactor(sql, userId));
            return isWhole && (await activePerson(sql, userId)) ? undefined : false;
          },
        },
      },
    },
    logger: {
      level: 'error',
      log: (_level, message) => log.error({ from: 'better-auth' }, message),
    },
    advanced: {
      cookiePrefix: COOKIE_PREFIX,
      useSecureCookies: new URL(publicUrl).protocol === 'https:',
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax', path: '/' },
      ipAddress: { disableIpTracking: true },
      database: { generateId: () => ids.next() },
    },
  });
}

const times = { createdAt: 'created_at', updatedAt: 'updated_at' };
const userColumns = {
  modelName: 'auth_users',
  fields: { ...times, emailVerified: 'email_verified' },
};
const sessionColumns = {
  modelName: 'auth_sessions',
  fields: {
    ...times,
    userId: 'user_id',
    expiresAt: 'expires_at',
    ipAddress: 'ip_address',
    userAgent: 'user_agent',
  },
};
const accountColumns = {
  modelName: 'auth_accounts',
  fields: {
    ...times,
    userId: 'user_id',
    accountId: 'account_id',
    providerId: 'provider_id',
    accessToken: 'access_token',
    refreshToken: 'refresh_token',
    idToken: 'id_token',
    accessTokenExpiresAt: 'access_token_expires_at',
    refreshTokenExpiresAt: 'refresh_token_expires_at',
  },
};
const verificationColumns = {
  modelName: 'auth_verifications',
  fields: { ...times, expiresAt: 'expires_at' },
};

async function unlessRefused<T>(call: () => Promise<T>): Promise<T | null> {
  try {
    return await throughDialect(call);
  } catch (error) {
    if (isAPIError(error) && error.statusCode < 500) return null;
    throw error;
  }
}
