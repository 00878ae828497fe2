// Stands between a client and the API, and answers some requests in its place.
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, connect } from 'node:net';

export type Passing = {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Resolves when the client waits no more. */
  readonly left: Promise<void>;
};
type Answer = { readonly status: number; readonly body: object };
/** Of something else than the API. */
export type Page = { readonly status: number; readonly type: string; readonly text: string };
/** The connection ends without an answer, or in the middle of it. */
type Break = 'lost' | 'cut';
type Instead = Answer | Page | 'lost' | undefined;
type Answering = (passing: Passing) => Instead | Promise<Instead>;

export type ApiProxy = AsyncDisposable & {
  /** The base URL of what it stands for. */
  readonly address: string;
  /** Every request so far: `GET /services`. */
  readonly passed: readonly string[];
  /** Undefined: the API itself answers. */
  instead: Answering;
  /** Told when the API has done it; its answer leaves after this, or another one, or is lost. */
  done: (passing: Passing, answer: string) => Promise<Break | Page | undefined>;
  /** Resolves when nothing is under way, of all that was sent so far. */
  idle(): Promise<void>;
};

export async function startProxy(api: string): Promise<ApiProxy> {
  const passed: string[] = [];
  const underWay = new Set<Promise<void>>();
  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    const path = url.replace('/api/v1', '');
    passed.push(`${method} ${path}`);
    const left = new Promise<void>((resolve) => void response.once('close', resolve));
    const body = await bodyOf(request);
    if (body === undefined) return;
    const passing = { method, path, headers, body, left };
    const own = await proxy.instead(passing);
    if (own !== undefined) return answerWith(response, own);
    const answer = await fetch(`${api}${path}`, {
      method,
      headers: forwarded(headers),
      ...(body !== '' && { body }),
    }).catch(() => undefined);
    const text = await answer?.text();
    if (answer === undefined || text === undefined) return answerWith(response, 'lost');
    const ending = await proxy.done(passing, text);
    if (response.destroyed) return;
    if (ending !== undefined && ending !== 'cut') return answerWith(response, ending);
    response.writeHead(answer.status, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
      'x-request-id': answer.headers.get('x-request-id') ?? '',
    });
    if (ending === undefined) response.end(text);
    else response.write(text.slice(0, text.length / 2), () => response.destroy());
  }
  const server = createServer((request, response) => {
    const passing = pass(request, response).finally(() => underWay.delete(passing));
    underWay.add(passing);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  // Listening on a port, a server never has a path or nothing for an address.
  const { port } = server.address() as AddressInfo;
  const proxy: ApiProxy = {
    address: `http://127.0.0.1:${port}/api/v1`,
    passed,
    instead: () => undefined,
    done: async () => undefined,
    async idle() {
      await accepted(port);
      while (underWay.size > 0) await Promise.all(underWay);
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((closed) => void server.close(() => closed()));
    },
  };
  return proxy;
}

/** By then the server has accepted all connections before this one. */
const accepted = (port: number) =>
  new Promise<void>((closed, failed) => {
    const socket = connect(port, '127.0.0.1', () => socket.end());
    socket.resume().once('close', () => closed());
    socket.once('error', failed);
  });

/** Undefined: whoever sent it is gone. */
const bodyOf = (request: IncomingMessage): Promise<string | undefined> =>
  request.toArray().then(
    (chunks) => Buffer.concat(chunks).toString(),
    () => undefined,
  );

function answerWith(response: ServerResponse, own: Answer | Page | 'lost'): void {
  if (own === 'lost' || response.destroyed) response.destroy();
  else if ('text' in own)
    response.writeHead(own.status, { 'content-type': own.type }).end(own.text);
  else
    response
      .writeHead(own.status, { 'content-type': 'application/json' })
      .end(JSON.stringify(own.body));
}

const forwarded = (headers: IncomingHttpHeaders) =>
  Object.fromEntries(
    Object.entries(headers).filter(
      (header): header is [string, string] =>
        typeof header[1] === 'string' &&
        !['host', 'connection', 'content-length'].includes(header[0]),
    ),
  );

/** An API of before a schedule could be read whole, or archived, or its gaps be known [9.1]. */
export const beforeScheduleRoutes: Answering = ({ method, path }) => {
  const isLacking =
    method === 'DELETE' ? /^\/on-calls\/[^/]+$/ : /^\/on-calls\/[^/]+\/(config|coverage)$/;
  if (!isLacking.test(path)) return undefined;
  const message = `Unknown route: ${method} ${path}`;
  return { status: 404, body: { error: 'unknown_route', message, issues: [], request_id: 'r' } };
};
