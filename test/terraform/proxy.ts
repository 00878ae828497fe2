// Stands between a client and the API, and answers some requests in its place.
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Passing = {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
};
type Answer = { readonly status: number; readonly body: object };
/** Of something else than the API. */
type Page = { readonly status: number; readonly type: string; readonly text: string };
/** Undefined: the API itself answers. */
type Instead = (passing: Passing) => Answer | undefined | Promise<Answer | undefined>;

export type ApiProxy = AsyncDisposable & {
  /** The base URL of what it stands for. */
  readonly address: string;
  /** Every request so far: `GET /services`. */
  readonly passed: readonly string[];
  instead: Instead;
  /** Told when the API has done it; its answer leaves after this, or another one, or is lost. */
  done: (passing: Passing) => Promise<'lost' | Page | undefined>;
};

export async function startProxy(api: string): Promise<ApiProxy> {
  const passed: string[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const path = url.replace('/api/v1', '');
    passed.push(`${method} ${path}`);
    const body = Buffer.concat(await request.toArray());
    const own = await proxy.instead({ method, path, headers });
    if (own) {
      response.writeHead(own.status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(own.body));
      return;
    }
    const answer = await fetch(`${api}${path}`, {
      method,
      headers: forwarded(headers),
      ...(body.length > 0 && { body }),
    }).catch(() => undefined);
    const ending = answer === undefined ? 'lost' : await proxy.done({ method, path, headers });
    if (answer === undefined || ending === 'lost') {
      response.destroy();
      return;
    }
    if (ending !== undefined) {
      response.writeHead(ending.status, { 'content-type': ending.type }).end(ending.text);
      return;
    }
    response.writeHead(answer.status, {
      'content-type': 'application/json',
      'x-request-id': answer.headers.get('x-request-id') ?? '',
    });
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  // Listening on a port, a server never has a path or nothing for an address.
  const { port } = server.address() as AddressInfo;
  const proxy: ApiProxy = {
    address: `http://127.0.0.1:${port}/api/v1`,
    passed,
    instead: () => undefined,
    done: async () => undefined,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((closed) => void server.close(() => closed()));
    },
  };
  return proxy;
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
export const beforeScheduleRoutes: Instead = ({ method, path }) => {
  const isLacking =
    method === 'DELETE' ? /^\/on-calls\/[^/]+$/ : /^\/on-calls\/[^/]+\/(config|coverage)$/;
  if (!isLacking.test(path)) return undefined;
  const message = `Unknown route: ${method} ${path}`;
  return { status: 404, body: { error: 'unknown_route', message, issues: [], request_id: 'r' } };
};
