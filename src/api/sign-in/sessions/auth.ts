// better-auth, as Pager sets it up. Only this file and `auth-dialect.ts` know that library; its own
// HTTP handler, with its many routes, is not mounted.
import { AsyncLocalStorage } from 'node:async_hooks';
import { betterAuth } from 'better-auth';
import { createAuthEndpoint, isAPIError } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';
import { accessLimits } from '../../../limits/access.ts';
import { hasSecondFactor, usableHash } from '../../../storage/people/second-factors.ts';
import { activePerson } from '../../../storage/people/sign-ins.ts';
import { hashPassword, isPassword } from '../passwords/passwords.ts';
import { authDialect, throughDialect } from './auth-dialect.ts';
import { type AuthOptions, COOKIE_PREFIX } from './auth-options.ts';

export { throughDialect };

const DAY_SECONDS = 86_400;

/** The id of whoever has given all that they need, while a session of theirs is opened. */
export const entitled = new AsyncLocalStorage<string>();

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

export function createAuth({ sql, ids, log, publicUrl, secret }: AuthOptions) {
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

/** Null: the library refused what was given. */
export async function unlessRefused<T>(call: () => Promise<T>): Promise<T | null> {
  try {
    return await throughDialect(call);
  } catch (error) {
    if (isAPIError(error) && error.statusCode < 500) return null;
    throw error;
  }
}
