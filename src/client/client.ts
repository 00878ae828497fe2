// The client of Pager's own API: sends a request until it is answered, or cannot be. How a request
// gets there is its transport's part: node.ts, browser.ts.
import { Gate } from '../admission/gate.ts';
import type { ManagedBy } from '../resources/declaration/managed-by.ts';
import { MANAGED_BY_HEADER, managedByText } from '../resources/declaration/managed-by-header.ts';
import {
  type Answer,
  answerOf,
  type Failed,
  type Failure,
  failed,
  type Received,
} from './answer.ts';
import { type Budget, briefly, waitMs } from './retry.ts';

const AT_ONCE_MAX = 32;
// The server gives up on a request after 30 seconds.
const ANSWER_MS_MAX = 35_000;
/** How long a write may go on after close(): whoever pressed Ctrl-C waits for it. */
const WRITE_MS_MAX = 1_500;

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
  /** Told of every try of this request when it is over. */
  readonly onTry?: (tried: Tried) => void;
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

export type Sending = {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
};

/** Why there is no answer. */
export type ConnectionFailure = {
  readonly failure: Failure;
  readonly mayPass: boolean;
  readonly mayBeDone: boolean;
};

export type Transport = {
  exchange(
    sending: Sending,
    ends: { readonly signal: AbortSignal; readonly totalMs: number },
  ): Promise<Received>;
  /** What it means that an exchange threw. */
  failureOf(error: unknown, address: string, hasAnswered: boolean): ConnectionFailure;
  /** Every request under way will listen to that signal. */
  prepare?(signal: AbortSignal): void;
  /** Nothing is under way any more. */
  close?(): void;
};

export type ClientOptions = {
  /** An http or https address, with `/api/v1` at its end. */
  readonly baseUrl: string;
  /** Of every request, such as who sends it. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Is in no failure, whatever echoes it. */
  readonly secret?: string;
  /** What is between it and the server, as its failures name it. */
  readonly through?: string;
  /** Who manages the records that it writes; absent: whoever did before. */
  readonly managedBy?: ManagedBy;
  readonly signal?: AbortSignal;
  /** For one answer. */
  readonly totalMs?: number;
  readonly budget?: Budget;
  readonly now?: () => number;
  /** Told of every try when it is over. */
  readonly onTry?: (tried: Tried) => void;
  readonly random?: () => number;
  /** Resolves after that time, or at once when the signal says so. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
};

export function createClient(transport: Transport, options: ClientOptions): Client {
  const { random = Math.random, wait = pause, now = monotonic, secret = '', onTry } = options;
  const base = new URL(options.baseUrl);
  const address = `${base.origin}${base.pathname}`.replace(/\/+$/, '');
  const where = options.through === undefined ? address : `${address}, ${options.through}`;
  const stopping = stopOf(options.signal);
  const writing = shortlyAfter(stopping.signal);
  for (const signal of [stopping.signal, writing]) transport.prepare?.(signal);
  const gate = new Gate(AT_ONCE_MAX);
  let underWay = 0;
  /** Something at the address has answered. */
  let hasAnswered = false;

  function exchanged(sending: Sending, leftMs: number): Promise<Received> {
    // It may have waited at the gate.
    stopping.signal.throwIfAborted();
    const signal = sending.method === 'GET' ? stopping.signal : writing;
    const totalMs = Math.ceil(Math.min(options.totalMs ?? ANSWER_MS_MAX, leftMs));
    return transport.exchange(sending, { signal, totalMs });
  }

  async function attempt(sending: Sending, leftMs: number): Promise<Attempt> {
    underWay += 1;
    try {
      const received = await gate.pass(() => exchanged(sending, leftMs));
      hasAnswered = true;
      // Whatever echoes what we sent must not lead to the key being shown.
      const text = received.status < 300 ? received.text : redacted(received.text, secret);
      const answer = answerOf({ ...received, text }, where);
      const { status, retryAfter } = received;
      const tried = { mayPass: mayPass(status, answer), mayBeDone: mayBeDone(answer) };
      return { answer, status, retryAfter, requestId: received.requestId, ...tried };
    } catch (error) {
      const { failure, ...tried } = transport.failureOf(error, where, hasAnswered);
      return { answer: failed(failure), retryAfter: undefined, requestId: '', ...tried };
    } finally {
      underWay -= 1;
      if (stopping.signal.aborted && underWay === 0) transport.close?.();
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
      const done = { method, path, tries, ms: now() - triedAt, outcome, requestId, againInMs: ms };
      onTry?.(done);
      request.onTry?.(done);
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
      if (underWay === 0) transport.close?.();
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
  const { headers, managedBy } = options;
  const url = new URL(base);
  url.pathname = `${base.pathname.replace(/\/+$/, '')}${request.path}`;
  url.search = new URLSearchParams(request.query).toString();
  const body = request.body === undefined ? undefined : JSON.stringify(request.body);
  return {
    url,
    method: request.method,
    headers: {
      ...headers,
      accept: 'application/json',
      ...(body !== undefined && {
        'content-type': 'application/json',
        ...(managedBy && { [MANAGED_BY_HEADER]: managedByText(managedBy) }),
      }),
      ...(request.version !== undefined && { 'if-match': String(request.version) }),
      ...(request.idempotencyKey !== undefined && { 'idempotency-key': request.idempotencyKey }),
      ...(request.teamId !== undefined && { 'x-team-id': request.teamId }),
    },
    body,
  };
}

const monotonic = () => performance.now();

const redacted = (text: string, secret: string) =>
  secret === '' ? text : text.replaceAll(secret, '•••');

/** One signal of our own, which every request may listen to. */
function stopOf(signal: AbortSignal | undefined): AbortController {
  const stopping = new AbortController();
  if (signal?.aborted) stopping.abort();
  signal?.addEventListener('abort', () => stopping.abort(), { once: true });
  return stopping;
}

function shortlyAfter(signal: AbortSignal): AbortSignal {
  const controller = new AbortController();
  // Its timer, unlike others, keeps no process alive.
  const abort = () =>
    AbortSignal.timeout(WRITE_MS_MAX).addEventListener('abort', () => controller.abort());
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
