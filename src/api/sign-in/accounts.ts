// Signing in with an e-mail address and a password, kept by better-auth in its four tables.
// Only this file knows that library; its own HTTP handler, with its many routes, is not mounted.
import { betterAuth } from 'better-auth';
import { isAPIError } from 'better-auth/api';
import type { Ids } from '../../engine/ids.ts';
import type { Log } from '../../engine/log.ts';
import { accessLimits } from '../../limits/access.ts';
import type { Sql } from '../../storage/database.ts';
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

type PasswordChange = {
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
    async signIn({ email, password, userAgent }) {
      const headers = new Headers({ 'user-agent': (userAgent ?? '').slice(0, 255) });
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
    async changePassword({ cookie, current, next }) {
      const done = await unlessRefused(() =>
        auth.api.changePassword({
          body: { currentPassword: current, newPassword: next, revokeOtherSessions: true },
          headers: new Headers({ cookie: cookie ?? '' }),
          returnHeaders: true,
        }),
      );
      return done?.headers.getSetCookie() ?? null;
    },
  };
}

function createAuth({ sql, ids, log, publicUrl, secret }: AccountsOptions) {
  return betterAuth({
    baseURL: publicUrl,
    basePath: '/auth',
    secret,
    database: { dialect: authDialect(sql), type: 'postgres' },
    telemetry: { enabled: false },
    // Counted by ourselves, per address and per e-mail, before anything is looked up.
    rateLimit: { enabled: false },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: accessLimits.passwordMin,
      maxPasswordLength: accessLimits.passwordMax,
      password: {
        hash: hashPassword,
        verify: ({ hash, password }) => isPassword(hash, password),
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
          before: async ({ userId }) => ((await activePerson(sql, userId)) ? undefined : false),
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
