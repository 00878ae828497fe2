import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { type RequestOptions, request as requestHttps } from 'node:https';
import {
  connect as connectTo,
  isIP,
  type LookupFunction,
  type Socket,
  type TcpSocketConnectOpts,
} from 'node:net';
import { type Clock, systemClock } from '../engine/clock.ts';
import type { Log } from '../engine/log.ts';
import type { Delivery } from '../engine/sending/channel.ts';
import { sendingLimits } from '../limits/sending.ts';
import { createAddressPolicy } from './address-policy.ts';
import { deliveryOf } from './http-answer.ts';
import { codeOf, type ExchangeLimits, exchangeOn, TimeoutError } from './http-exchange.ts';
import type { Requester } from './lookup-slots.ts';
import { createResolve, type Resolve } from './names.ts';

// The one way to addresses that users supply: nothing else in the process may call them.

export type OutboundRequest = {
  readonly requester: Requester;
  readonly url: string;
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
};

/** A place that is spoken to by another protocol than HTTP. */
export type OutboundPlace = {
  readonly requester: Requester;
  readonly host: string;
  readonly port: number;
};

export type Outbound = {
  /** Never throws: whatever goes wrong is an answer. */
  request(request: OutboundRequest): Promise<Delivery>;
  /** Rejects with an error whose code says why, such as EDNS, `addressRefused` or that of the system. */
  connect(place: OutboundPlace): Promise<Socket>;
};

/** The code of a connection that was not opened, as its address is not one that Pager may call. */
export const addressRefused = 'EADDRESSREFUSED';

export type OutboundOptions = {
  readonly allowNetworks: readonly string[];
  readonly log: Log;
  readonly clock?: Clock;
  readonly connectTimeoutMs?: number;
  readonly totalTimeoutMs?: number;
  /** How much of an answer is handed on. */
  readonly answerBytes?: number;
  readonly resolve?: Resolve;
};

/** For addresses of the operator's own, as the mail server has one. */
export const everywhere: readonly string[] = ['0.0.0.0/0', '::/0'];

type Target = { readonly url: URL; readonly addresses: readonly string[] };

export function createOutbound(options: OutboundOptions): Outbound {
  const { log, clock = systemClock, resolve = createResolve() } = options;
  const {
    connectTimeoutMs = sendingLimits.connectTime,
    totalTimeoutMs = sendingLimits.callTime,
    answerBytes = sendingLimits.answerStored,
    allowNetworks,
  } = options;
  const refusalOf = createAddressPolicy(allowNetworks);

  /** Those that may be called; else why there are none. */
  async function addressesOf(
    host: string,
    requester: Requester,
    signal: AbortSignal,
  ): Promise<readonly string[] | string> {
    const resolved = isIP(host)
      ? [host]
      : (await resolve(host, requester, signal)).slice(0, sendingLimits.addresses);
    const addresses = resolved.filter((address) => refusalOf(address) === undefined);
    if (addresses.length > 0) return addresses;
    return resolved[0] ? (refusalOf(resolved[0]) ?? '') : `${host} has no address`;
  }

  function refuse(host: string, reason: string): string {
    log.warn({ host, reason }, 'refused to call an address');
    return `refused to connect: ${reason}`;
  }

  async function attempt(request: OutboundRequest): Promise<Delivery> {
    const url = URL.parse(request.url);
    if (!url) return { outcome: 'failed', reason: 'the address is not a valid URL' };
    if (url.protocol !== 'http:' && url.protocol !== 'https:')
      return { outcome: 'failed', reason: `${url.protocol} addresses are not called` };
    const startedAt = performance.now();
    // The parser already brought every spelling of an address to the plain one.
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const addresses = await within(connectTimeoutMs, `looking up ${url.hostname}`, (signal) =>
      addressesOf(host, request.requester, signal),
    );
    if (typeof addresses === 'string')
      return { outcome: 'failed', reason: refuse(url.hostname, addresses) };
    const spentMs = performance.now() - startedAt;
    const { status, retryAfter, body } = await exchange({ url, addresses }, request, {
      connectTimeoutMs: connectTimeoutMs - spentMs,
      totalTimeoutMs: totalTimeoutMs - spentMs,
      answerBytes,
    });
    return deliveryOf({ status, retryAfter, body }, clock.now());
  }

  return {
    async request(request) {
      try {
        return await attempt(request);
      } catch (error) {
        return failureOf(error);
      }
    },
    async connect({ requester, host, port }) {
      const startedAt = performance.now();
      const addresses = await within(connectTimeoutMs, `looking up ${host}`, (signal) =>
        addressesOf(host, requester, signal),
      ).catch((error: unknown) => {
        throw coded('EDNS', `the name was not found (${codeOf(error)})`);
      });
      if (typeof addresses === 'string') throw coded(addressRefused, refuse(host, addresses));
      return opened({ host, port, addresses }, connectTimeoutMs - (performance.now() - startedAt));
    },
  };
}

const coded = (code: string, message: string): Error => Object.assign(new Error(message), { code });

type Opening = {
  readonly host: string;
  readonly port: number;
  readonly addresses: readonly string[];
};

/** Not spoken to yet. */
async function opened({ host, port, addresses }: Opening, ms: number): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = connectTo({
    host,
    port,
    lookup: onlyThe(addresses),
    autoSelectFamilyAttemptTimeout: sendingLimits.nextAddressTime,
  });
  const late = setTimeout(() => reject(coded('ETIMEDOUT', 'timed out connecting')), ms);
  const fail = (error: Error) => reject(coded(codeOf(error), error.message));
  socket.once('connect', resolve).on('error', fail);
  try {
    await promise;
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    clearTimeout(late);
  }
}

type Work<T> = (signal: AbortSignal) => Promise<T>;

async function within<T>(ms: number, doing: string, work: Work<T>): Promise<T> {
  const timeout = Promise.withResolvers<never>();
  const controller = new AbortController();
  const timer = setTimeout(() => {
    timeout.reject(new TimeoutError(`timed out ${doing}`));
    controller.abort();
  }, ms);
  try {
    return await Promise.race([work(controller.signal), timeout.promise]);
  } finally {
    clearTimeout(timer);
  }
}

type Answer = { readonly status: number; readonly retryAfter?: string; readonly body: Buffer };

const exchange = (
  target: Target,
  request: OutboundRequest,
  { answerBytes, ...limits }: ExchangeLimits & { readonly answerBytes: number },
): Promise<Answer> =>
  exchangeOn(open(target, request), {
    ...limits,
    body: request.body,
    async read(response) {
      const retryAfter = response.headers['retry-after'];
      const body = await beginningOf(response, answerBytes);
      return { status: response.statusCode ?? 0, body, ...(retryAfter ? { retryAfter } : {}) };
    },
  });

function open({ url, addresses }: Target, request: OutboundRequest): ClientRequest {
  const options: RequestOptions & Pick<TcpSocketConnectOpts, 'autoSelectFamilyAttemptTimeout'> = {
    method: request.method,
    headers: { 'user-agent': 'Pager', ...request.headers },
    lookup: onlyThe(addresses),
    autoSelectFamilyAttemptTimeout: sendingLimits.nextAddressTime,
    // No pool: a kept connection would outlive the check of its address.
    agent: false,
  };
  return url.protocol === 'https:' ? requestHttps(url, options) : requestHttp(url, options);
}

/**
 * Returns the addresses that were checked, so that the name is not looked up a second time with
 * another result.
 */
function onlyThe(addresses: readonly string[]): LookupFunction {
  const entries = addresses.map((address) => ({ address, family: isIP(address) }));
  const [first = { address: '', family: 0 }] = entries;
  return (_hostname, { all }, answer) => {
    if (all) answer(null, entries);
    else answer(null, first.address, first.family);
  };
}

/** What came of the body. The status is the verdict; a body that breaks off does not change it. */
async function beginningOf(response: IncomingMessage, max: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let readBytes = 0;
  try {
    for await (const chunk of response) {
      if (!Buffer.isBuffer(chunk)) continue;
      if (readBytes < max) chunks.push(chunk);
      readBytes += chunk.length;
      if (readBytes >= sendingLimits.answerRead) break;
    }
  } catch {}
  return Buffer.concat(chunks).subarray(0, max);
}

function failureOf(error: unknown): Delivery {
  if (error instanceof TimeoutError) return { outcome: 'no_answer', reason: error.message };
  const code = codeOf(error);
  // Refused by our own client before anything left: a header it cannot send.
  if (code.startsWith('ERR_INVALID') || code === 'ERR_UNESCAPED_CHARACTERS')
    return { outcome: 'failed', reason: `the request cannot be sent (${code})` };
  return { outcome: 'no_answer', reason: `the connection failed (${code})` };
}
