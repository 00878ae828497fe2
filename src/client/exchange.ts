// One request over the wire and its answer, both bounded in time and size.
import { type Agent, type ClientRequest, request as http, type IncomingMessage } from 'node:http';
import { request as https, type RequestOptions } from 'node:https';
import type { Received } from './answer.ts';
import type { Sending } from './client.ts';

export type Limits = {
  readonly connectMs: number;
  readonly totalMs: number;
  readonly answerBytes: number;
};
export type Connection = {
  readonly agent: Agent;
  readonly limits: Limits;
  readonly signal: AbortSignal;
};

const REQUEST_ID_MAX = 128;

export class TimeoutError extends Error {
  /** Whether what was missing is the answer. */
  readonly isSent: boolean;
  constructor(message: string, isSent: boolean) {
    super(message);
    this.isSent = isSent;
  }
}
export class TooLargeError extends Error {}

export async function exchange(connection: Connection, sending: Sending): Promise<Received> {
  const { connectMs, totalMs, answerBytes } = connection.limits;
  const call = open(connection, sending);
  let late: TimeoutError | undefined;
  const giveUp = (isSent: boolean) => () => {
    late = isSent
      ? new TimeoutError(`no complete response within ${secondsText(totalMs)}`, isSent)
      : new TimeoutError(`no connection within ${secondsText(connectMs)}`, isSent);
    call.destroy(late);
  };
  const total = setTimeout(giveUp(true), totalMs);
  const connecting = setTimeout(giveUp(false), connectMs);
  const connected = sending.url.protocol === 'https:' ? 'secureConnect' : 'connect';
  call.once('socket', (socket) => {
    if (socket.connecting) socket.once(connected, () => clearTimeout(connecting));
    else clearTimeout(connecting);
  });
  try {
    const response = await responseTo(call, sending.body);
    const {
      'content-type': contentType = '',
      'retry-after': retryAfter,
      location,
    } = response.headers;
    const status = response.statusCode ?? 0;
    const requestId = String(response.headers['x-request-id'] ?? '').slice(0, REQUEST_ID_MAX);
    const text = await textOf(response, answerBytes);
    return { status, contentType, retryAfter, location, requestId, text };
  } catch (error) {
    call.destroy();
    throw late ?? error;
  } finally {
    clearTimeout(connecting);
    clearTimeout(total);
  }
}

function open({ agent, signal }: Connection, sending: Sending): ClientRequest {
  const { url, method, body } = sending;
  const headers = {
    ...sending.headers,
    ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
  };
  const options: RequestOptions = { method, headers, agent, signal };
  return url.protocol === 'https:' ? https(url, options) : http(url, options);
}

function responseTo(call: ClientRequest, body: string | undefined): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    call.once('response', resolve);
    // Not once: a call that is destroyed after its answer may report a second error.
    call.on('error', reject);
    call.end(body);
  });
}

/** What is left of a time is seldom whole. */
function secondsText(ms: number): string {
  const seconds = Number((ms / 1_000).toFixed(ms < 950 ? 2 : 0));
  return seconds === 1 ? '1 second' : `${seconds} seconds`;
}

async function textOf(response: IncomingMessage, bytesMax: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw new TooLargeError();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
