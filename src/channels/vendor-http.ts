import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { sendingLimits } from '../limits/sending.ts';
import { codeOf } from './outbound.ts';

// The way to vendors' APIs, whose addresses are constants or the operator's. Addresses that users
// supply go through `Outbound`.

export type VendorRequest = {
  /** May hold a secret: it is in no log and in no result. */
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** For how long the vendor was requested to wait with its answer. */
  readonly waitMs?: number;
  readonly signal?: AbortSignal;
};

export type VendorAnswer =
  | { readonly answered: true; readonly status: number; readonly body: string }
  | {
      readonly answered: false;
      readonly reason: string;
      /** The request may have arrived: what it requests may be done. */
      readonly maybeExecuted: boolean;
    };

/** Never throws. Redirects are not followed. */
export type VendorHttp = { request(request: VendorRequest): Promise<VendorAnswer> };

type Limits = { readonly connectTimeoutMs: number; readonly totalTimeoutMs: number };

class TimeoutError extends Error {}
class LengthError extends Error {}

export function createVendorHttp({
  connectTimeoutMs = sendingLimits.connectTime,
  totalTimeoutMs = sendingLimits.vendorCallTime,
}: Partial<Limits> = {}): VendorHttp {
  return {
    async request(request) {
      let isConnected = false;
      try {
        return await exchange(
          request,
          { connectTimeoutMs, totalTimeoutMs: totalTimeoutMs + (request.waitMs ?? 0) },
          () => {
            isConnected = true;
          },
        );
      } catch (error) {
        return { answered: false, reason: reasonOf(error), maybeExecuted: isConnected };
      }
    },
  };
}

async function exchange(
  request: VendorRequest,
  limits: Limits,
  onConnected: () => void,
): Promise<VendorAnswer> {
  const url = new URL(request.url);
  const isSecure = url.protocol === 'https:';
  const call = (isSecure ? requestHttps : requestHttp)(url, {
    method: request.method,
    headers: { 'user-agent': 'Pager', ...request.headers },
    // No pool: on a connection that the vendor closes meanwhile, a request may or may not be done.
    agent: false,
    ...(request.signal ? { signal: request.signal } : {}),
  });
  let late: TimeoutError | undefined;
  const fail = (doing: string) => () => {
    late = new TimeoutError(`timed out ${doing}`);
    call.destroy(late);
  };
  const total = setTimeout(fail('waiting for the answer'), limits.totalTimeoutMs);
  const connecting = setTimeout(fail('connecting'), limits.connectTimeoutMs);
  call.once('socket', (socket) => {
    socket.once(isSecure ? 'secureConnect' : 'connect', () => {
      clearTimeout(connecting);
      onConnected();
    });
  });
  try {
    const response = await responseTo(call, request.body);
    return { answered: true, status: response.statusCode ?? 0, body: await bodyOf(response) };
  } catch (error) {
    // One whose answer has begun reports only that it ended.
    throw late ?? error;
  } finally {
    clearTimeout(connecting);
    clearTimeout(total);
    call.destroy();
  }
}

function responseTo(call: ClientRequest, body = ''): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  call.once('response', resolve);
  // Not once: destroying the call after its answer may report a second error.
  call.on('error', reject);
  // Node hangs up on one that changes to another protocol, and reports no error.
  call.once('close', () => reject(Object.assign(new Error(), { code: 'ECONNRESET' })));
  // In bytes: beside a text, Node would write the headers in its encoding, not in their own.
  call.end(Buffer.from(body));
  return promise;
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
