// Signing in with an e-mail address and a password, kept by better-auth in its four tables.
// That library is loaded by the first browser that signs in or is signed in: it takes half of the
// time in which a server starts.
import { hasSecondFactor, passwordHashOf } from '../../../storage/people/second-factors.ts';
import {
  activePerson,
  idByEmail,
  type Person,
  signInName,
} from '../../../storage/people/sign-ins.ts';
import { isPassword } from '../passwords/passwords.ts';
import { type AuthOptions, COOKIE_PREFIX } from './auth-options.ts';

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

export function createAccounts(options: AuthOptions): Accounts {
  const { sql } = options;
  let loaded: ReturnType<typeof loadAuth> | null = null;
  const load = () => (loaded ??= loadAuth(options));
  return {
    async awaitsCode({ email, password }) {
      const id = await idByEmail(sql, email);
      if (id === null || !(await hasSecondFactor(sql, id))) return null;
      const hash = await passwordHashOf(sql, id);
      const isRight = hash !== null && (await isPassword(hash, password));
      return { person: isRight ? await activePerson(sql, id) : null };
    },
    async open({ userId, userAgent }) {
      const { auth, entitled, throughDialect } = await load();
      const headers = headersOf(userAgent);
      const done = await entitled.run(userId, () =>
        throughDialect(() => auth.api.openSession({ headers, returnHeaders: true })),
      );
      return done.headers.getSetCookie();
    },
    async signIn({ email, password, userAgent }) {
      const { auth, unlessRefused } = await load();
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
      const { auth, throughDialect } = await load();
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
      const { auth, throughDialect } = await load();
      const headers = new Headers({ cookie: cookie ?? '' });
      const done = await throughDialect(() => auth.api.signOut({ headers, returnHeaders: true }));
      return done.headers.getSetCookie();
    },
    async changePassword({ userId, cookie, current, next }) {
      const { auth, entitled, unlessRefused } = await load();
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

async function loadAuth(options: AuthOptions) {
  const { createAuth, entitled, throughDialect, unlessRefused } = await import('./auth.ts');
  return { auth: createAuth(options), entitled, throughDialect, unlessRefused };
}
