import {
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as requestHttp,
} from 'node:http';
import { request as requestHttps } from 'node:https';
import { sendingLimits } from '../limits/sending.ts';
import { codeOf, type ExchangeLimits, exchangeOn, TimeoutError } from './http-exchange.ts';

// The way to vendors' APIs, whose addresses are constants or the operator's. Addresses that users
// supply go through `Outbound`.

export type VendorRequest = {
  /** May hold a secret: it is in no log and in no result. */
  readonly url: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The time of the whole call, where it is shorter than usual. */
  readonly withinMs?: number;
  /** For how long the vendor was requested to wait with its answer. */
  readonly waitMs?: number;
  readonly signal?: AbortSignal;
};

export type VendorAnswer =
  | {
      readonly answered: true;
      readonly status: number;
      readonly body: string;
      /** As the header has it; absent where there is none. */
      readonly retryAfter?: string;
      /** The headers about a rate limit, by what follows `x-ratelimit-` in their names; absent: none. */
      readonly rateLimit?: Readonly<Record<string, string>>;
    }
  | {
      readonly answered: false;
      readonly reason: string;
      /** The request may have arrived: what it requests may be done. */
      readonly maybeExecuted: boolean;
    };

/** Never throws. Redirects are not followed. */
export type VendorHttp = { request(request: VendorRequest): Promise<VendorAnswer> };

class LengthError extends Error {}

export function createVendorHttp({
  connectTimeoutMs = sendingLimits.connectTime,
  totalTimeoutMs = sendingLimits.vendorCallTime,
}: Partial<ExchangeLimits> = {}): VendorHttp {
  return {
    async request(request) {
      let isConnected = false;
      try {
        return await exchangeOn(open(request), {
          connectTimeoutMs,
          totalTimeoutMs:
            Math.min(totalTimeoutMs, request.withinMs ?? totalTimeoutMs) + (request.waitMs ?? 0),
          body: request.body,
          async read(response) {
            const { statusCode: status = 0, headers } = response;
            const retryAfter = headers['retry-after'];
            const body = await bodyOf(response);
            return {
              answered: true,
              status,
              body,
              ...(retryAfter && { retryAfter }),
              ...rateLimitOf(headers),
            };
          },
          onConnected() {
            isConnected = true;
          },
        });
      } catch (error) {
        return { answered: false, reason: reasonOf(error), maybeExecuted: isConnected };
      }
    },
  };
}

function open({ url, method, headers, signal }: VendorRequest): ClientRequest {
  const address = new URL(url);
  return (address.protocol === 'https:' ? requestHttps : requestHttp)(address, {
    method,
    headers: { 'user-agent': 'Pager', ...headers },
    // No pool: on a connection that the vendor closes meanwhile, a request may or may not be done.
    agent: false,
    ...(signal ? { signal } : {}),
  });
}

function rateLimitOf(headers: IncomingHttpHeaders) {
  const prefix = 'x-ratelimit-';
  const named = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    name.startsWith(prefix) ? [[name.slice(prefix.length), String(value)]] : [],
  );
  return named.length === 0 ? {} : { rateLimit: Object.fromEntries(named) };
}

async function bodyOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let readBytes = 0;
  for await (const chunk of response) {
    if (!Buffer.isBuffer(chunk)) continue;
    readBytes += chunk.length;
    if (readBytes > sendingLimits.vendorAnswerRead) throw new LengthError('the answer is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function reasonOf(error: unknown): string {
  if (error instanceof TimeoutError || error instanceof LengthError) return error.message;
  return `the connection failed (${codeOf(error)})`;
}
