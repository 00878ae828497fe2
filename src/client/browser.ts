// The client in a browser, from a page of the server itself: the session's cookie says who asks, and
// the session's token that our own page does. The token is kept in memory only.
import type { Role } from '../resources/roles.ts';
import { answerOf, type Fields, failed, type Received, type Result } from './answer.ts';
import { type Client, type ConnectionFailure, createClient, type Sending } from './client.ts';
import { type Ends, fetched } from './fetched.ts';

const TOKEN_HEADER = 'x-csrf-token';

export type Person = {
  readonly id: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly email: string;
  readonly role: Role;
  readonly timezone?: string;
};
type Named = { readonly id: string; readonly name: string };
export type Session = {
  readonly user: Person;
  readonly organization: Named & { readonly timezone: string };
  /** Of the person. */
  readonly teams: readonly Named[];
  /** Of the dashboard that the server hands out. */
  readonly build?: string;
};

export type BrowserClient = {
  /** Of the API. */
  readonly client: Client;
  session(): Promise<Result<Session>>;
  signOut(): Promise<Result<null>>;
  changePassword(change: PasswordChange): Promise<Result<null>>;
};

type PasswordChange = { readonly current_password: string; readonly new_password: string };

type BrowserClientOptions = {
  /** Of the page and of the server. */
  readonly origin: string;
  /** There is no session of this person, or none any more. */
  readonly signedOut: () => void;
  /** The answer to a GET that was sent before this client was there; each is taken once. */
  readonly early?: (url: URL) => Promise<Received> | undefined;
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
};

export function createBrowserClient(options: BrowserClientOptions): BrowserClient {
  const { origin, signedOut, early, ...waiting } = options;
  let token = '';
  let userId: string | null = null;

  const earlier = ({ method, url }: Sending) => (method === 'GET' ? early?.(url) : undefined);

  async function send(sending: Sending, ends: Ends): Promise<Received> {
    const received = await (earlier(sending) ?? fetched(sending, ends));
    if (received.status === 401) signedOut();
    return received;
  }

  const withToken = (sending: Sending): Sending => ({
    ...sending,
    headers: { ...sending.headers, [TOKEN_HEADER]: token },
  });

  /** What one person has typed is not sent as another: the token of somebody else is not taken. */
  function takeToken({ user, csrf_token }: Fields): boolean {
    const { id } = user as Person;
    userId ??= id;
    if (id !== userId) return false;
    token = String(csrf_token);
    return true;
  }

  /** Whether there is one. */
  async function readToken(ends: Ends): Promise<boolean> {
    const url = new URL('/auth/session', origin);
    const headers = { accept: 'application/json' };
    const received = await send({ url, method: 'GET', headers, body: undefined }, ends);
    const answer = answerOf(received, origin);
    if (!answer.ok) return false;
    const isOwn = takeToken(answer.body);
    if (!isOwn) signedOut();
    return isOwn;
  }

  async function exchange(sending: Sending, ends: Ends): Promise<Received> {
    if (sending.method === 'GET') return send(sending, ends);
    if (token === '') await readToken(ends);
    const received = await send(withToken(sending), ends);
    if (!hasStaleToken(received)) return received;
    // The person has signed in anew in another tab, or somebody else has.
    return (await readToken(ends)) ? send(withToken(sending), ends) : received;
  }

  const transport = { exchange, failureOf };
  const auth = createClient(transport, { baseUrl: `${origin}/auth`, ...waiting });
  return {
    client: createClient(transport, { baseUrl: `${origin}/api/v1`, ...waiting }),
    async session() {
      const answer = await auth.send({ method: 'GET', path: '/session' });
      if (!answer.ok) return answer;
      const { csrf_token, ...session } = answer.body;
      if (typeof session['user'] !== 'object' || typeof csrf_token !== 'string')
        return failed({ type: 'not_pager', address: origin, why: 'it answered no session' });
      takeToken(answer.body);
      // What this version of the server answers.
      return { ok: true, value: session as unknown as Session };
    },
    async signOut() {
      const answer = await auth.send({ method: 'POST', path: '/sign-out', body: {} });
      return answer.ok ? { ok: true, value: null } : answer;
    },
    async changePassword(body) {
      const answer = await auth.send({ method: 'POST', path: '/change-password', body });
      return answer.ok ? { ok: true, value: null } : answer;
    },
  };
}

function hasStaleToken({ status, text }: Received): boolean {
  return status === 403 && text.includes('"csrf"');
}

/** A browser does not say why there is no answer. */
function failureOf(error: unknown, address: string): ConnectionFailure {
  const isLate = error instanceof DOMException && error.name === 'TimeoutError';
  const why = isLate ? 'no complete response in time' : 'the connection failed';
  return {
    failure: { type: 'unreachable', address, why },
    mayPass: true,
    mayBeDone: true,
  };
}
