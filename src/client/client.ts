// The client of Pager's own API: sends a request until it is answered, or cannot be. Bundled, it
// runs on Node 20, starts in no time and knows nothing of what is sent.
import { setMaxListeners } from 'node:events';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { Gate } from '../admission/gate.ts';
import {
  MANAGED_BY_HEADER,
  type ManagedBy,
  managedByText,
} from '../resources/declaration/managed-by.ts';
import { type Answer, answerOf, type Failed, failed, type Received } from './answer.ts';
import { connectionFailureOf } from './connection-failure.ts';
import { exchange, type Limits, type Sending } from './exchange.ts';
import type { HttpProxy } from './proxy.ts';
import { type Budget, briefly, waitMs } from './retry.ts';

const AT_ONCE_MAX = 32;
const limitsByDefault: Limits = {
  connectMs: 10_000,
  // The server gives up on a request after 30 seconds.
  totalMs: 35_000,
  // A page of 200 records of the size that people write is far below.
  answerBytes: 64 * 1024 * 1024,
};
/** How long a write may go on after close(). */
const WRITE_MS_MAX = 10_000;

export type Query = Readonly<Record<string, string>>;

export type Request = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the base URL, already escaped: `/services`. */
  readonly path: string;
  readonly query?: Query;
  readonly body?: unknown;
  /** The version that the write was decided on. */
  readonly version?: number | undefined;
  /** A POST that writes nothing. */
  readonly isRead?: boolean;
  /** A POST without one that writes is never sent twice. */
  readonly idempotencyKey?: string;
  /** The team of a new record that names none. */
  readonly teamId?: string | undefined;
  /** In place of the client's own. */
  readonly budget?: Budget;
};

export type Client = {
  /** The base URL without what a person may not see. */
  readonly address: string;
  /** Never throws: whatever goes wrong is an answer. */
  send(request: Request): Promise<Answer>;
  /**
   * Ends every read as aborted, and everything that is sent from now on. A write that is under way
   * may still be answered: whoever sent it would not know of what it made.
   */
  close(): void;
};

/** One try of a request, without what was sent or answered. */
export type Tried = {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly tries: number;
  readonly ms: number;
  /** The status, with the code of a refusal; or why there is no answer. */
  readonly outcome: string;
  /** As the server's log has it, if it said. */
  readonly requestId: string;
  /** Null: there is no other try. */
  readonly againInMs: number | null;
};

/** In PEM form. */
export type Certificates = {
  /** All authorities that are believed; without it, those that the runtime knows. */
  readonly ca?: readonly string[];
  /** Of the client. */
  readonly cert?: string;
  readonly key?: string;
};

export type ClientOptions = {
  /** An http or https address, with `/api/v1` at its end. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly userAgent: string;
  /** Who manages the records that it writes; absent: whoever did before. */
  readonly managedBy?: ManagedBy;
  readonly signal?: AbortSignal;
  readonly proxy?: HttpProxy | null;
  readonly certificates?: Certificates;
  readonly limits?: Partial<Limits>;
  readonly budget?: Budget;
  readonly now?: () => number;
  /** Told of every try when it is over. */
  readonly onTry?: (tried: Tried) => void;
  readonly random?: () => number;
  /** Resolves after that time, or at once when the signal says so. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
};

export function createClient(options: ClientOptions): Client {
  const { random = Math.random, wait = pause, now = monotonic, apiKey } = options;
  const { proxy = null, onTry } = options;
  const base = new URL(options.baseUrl);
  const address = `${base.origin}${base.pathname}`.replace(/\/+$/, '');
  const stopping = stopOf(options.signal);
  const where =
    proxy === null ? address : `${address}, through the proxy ${proxy.address} (${proxy.variable})`;
  const agent = agentFor(base, options);
  const limits = { ...limitsByDefault, ...options.limits };
  const writing = shortlyAfter(stopping.signal);
  const gate = new Gate(AT_ONCE_MAX);
  let underWay = 0;
  /** Something at the address has answered. */
  let hasAnswered = false;

  function exchanged(sending: Sending, leftMs: number): Promise<Received> {
    // It may have waited at the gate.
    stopping.signal.throwIfAborted();
    const signal = sending.method === 'GET' ? stopping.signal : writing;
    const totalMs = Math.ceil(Math.min(limits.totalMs, leftMs));
    return exchange({ agent, limits: { ...limits, totalMs }, signal }, sending);
  }

  async function attempt(sending: Sending, leftMs: number): Promise<Attempt> {
    underWay += 1;
    try {
      const received = await gate.pass(() => exchanged(sending, leftMs));
      hasAnswered = true;
      // Whatever echoes what we sent must not lead to the key being shown.
      const text = received.status < 300 ? received.text : redacted(received.text, apiKey);
      const answer = answerOf({ ...received, text }, where);
      const { status, retryAfter } = received;
      const tried = { mayPass: mayPass(status, answer), mayBeDone: mayBeDone(answer) };
      return { answer, status, retryAfter, requestId: received.requestId, ...tried };
    } catch (error) {
      const { failure, ...tried } = connectionFailureOf(error, where, hasAnswered);
      return { answer: failed(failure), retryAfter: undefined, requestId: '', ...tried };
    } finally {
      underWay -= 1;
      if (stopping.signal.aborted && underWay === 0) agent.destroy();
    }
  }

  async function send(request: Request): Promise<Answer> {
    const sending = sendingOf(request, options, base);
    const { method, isRead = method === 'GET', idempotencyKey } = request;
    const { budget = options.budget ?? briefly } = request;
    const isRepeatable = isRead || method !== 'POST' || idempotencyKey !== undefined;
    const begun = now();
    let isLost = false;
    const ended = (answer: Answer) =>
      answer.ok || !isLost ? answer : { ...answer, mayBeDone: true };
    for (let tries = 1; !stopping.signal.aborted; tries += 1) {
      const triedAt = now();
      const attempted = await attempt(sending, budget.totalMs - (triedAt - begun));
      const { answer, mayPass, mayBeDone, retryAfter, requestId } = attempted;
      isLost ||= mayBeDone && !isRead;
      const isStopped = stopping.signal.aborted;
      if (isStopped && !answer.ok && answer.failure.type === 'unreachable') break;
      const tried = { isRepeatable, tries, retryAfter, elapsedMs: now() - begun };
      const ms = mayPass && !isStopped ? waitMs(tried, budget, random) : null;
      const { path } = request;
      const outcome = outcomeOf(attempted);
      onTry?.({ method, path, tries, ms: now() - triedAt, outcome, requestId, againInMs: ms });
      if (ms === null) return ended(answer);
      await wait(ms, stopping.signal);
    }
    return ended(aborted);
  }

  return {
    address,
    send,
    close() {
      stopping.abort();
      if (underWay === 0) agent.destroy();
    },
  };
}

type Attempt = {
  readonly answer: Answer;
  /** Whether another try may end differently. */
  readonly mayPass: boolean;
  readonly mayBeDone: boolean;
  readonly retryAfter: string | undefined;
  readonly requestId: string;
  /** None without an answer. */
  readonly status?: number;
};

function outcomeOf({ answer, status }: Attempt): string {
  if (answer.ok) return String(status);
  const { failure } = answer;
  if ('why' in failure) return failure.why;
  return `${status} ${failure.type === 'refused' ? failure.code : failure.type}`;
}

const aborted: Failed = failed({ type: 'aborted' });

function mayPass(status: number, answer: Answer): boolean {
  if (answer.ok) return false;
  return isRunning(answer) || status === 408 || status === 429 || status >= 500;
}

/**
 * Whatever stands before the API may answer in its place after the API has done it; and the API
 * itself may fail after that.
 */
function mayBeDone(answer: Answer): boolean {
  if (answer.ok) return false;
  const { failure } = answer;
  if (failure.type !== 'refused') return failure.type !== 'unknown_route';
  return isRunning(answer) || (failure.status >= 500 && failure.code !== 'restoring');
}

/** An earlier try of this same request is still at work. */
const isRunning = ({ failure }: Failed): boolean =>
  failure.type === 'refused' && failure.code === 'idempotency_running';

function sendingOf(request: Request, options: ClientOptions, base: URL): Sending {
  const { apiKey, userAgent, managedBy } = options;
  const url = new URL(base);
  url.pathname = `${base.pathname.replace(/\/+$/, '')}${request.path}`;
  url.search = new URLSearchParams(request.query).toString();
  const body = request.body === undefined ? undefined : JSON.stringify(request.body);
  return {
    url,
    method: request.method,
    headers: {
      'x-api-key': apiKey,
      'user-agent': userAgent,
      accept: 'application/json',
      ...(body !== undefined && {
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(body)),
        ...(managedBy && { [MANAGED_BY_HEADER]: managedByText(managedBy) }),
      }),
      ...(request.version !== undefined && { 'if-match': String(request.version) }),
      ...(request.idempotencyKey !== undefined && { 'idempotency-key': request.idempotencyKey }),
      ...(request.teamId !== undefined && { 'x-team-id': request.teamId }),
    },
    body,
  };
}

function agentFor({ protocol }: URL, { proxy, certificates = {} }: ClientOptions): HttpAgent {
  const { ca, ...own } = certificates;
  const url = proxy?.url;
  const options = {
    keepAlive: true,
    ...(url !== undefined && { proxyEnv: { HTTP_PROXY: url, HTTPS_PROXY: url } }),
  };
  if (protocol !== 'https:') return new HttpAgent(options);
  return new HttpsAgent({ ...options, ...own, ...(ca && { ca: [...ca] }) });
}

const monotonic = () => performance.now();

const redacted = (text: string, secret: string) =>
  secret === '' ? text : text.replaceAll(secret, '•••');

/** One signal of our own, which every request may listen to. */
function stopOf(signal: AbortSignal | undefined): AbortController {
  const stopping = new AbortController();
  // Node 20 would warn of a leak: every request under way listens.
  setMaxListeners(0, stopping.signal);
  if (signal?.aborted) stopping.abort();
  signal?.addEventListener('abort', () => stopping.abort(), { once: true });
  return stopping;
}

function shortlyAfter(signal: AbortSignal): AbortSignal {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  const abort = () => setTimeout(() => controller.abort(), WRITE_MS_MAX).unref();
  signal.addEventListener('abort', abort, { once: true });
  return controller.signal;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
  });
}
