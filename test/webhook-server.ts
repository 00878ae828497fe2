import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Received = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
};

export type WebhookServer = AsyncDisposable & {
  readonly url: string;
  readonly port: number;
  readonly received: Received[];
};

/** An HTTP server on loopback that records each request and answers with `answer`. */
export async function startWebhookServer(answer: RequestListener): Promise<WebhookServer> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const body = (await request.toArray()).join('');
    const { method = '', url: path = '', headers } = request;
    received.push({ method, path, headers, body });
    answer(request, response);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  // Listening on a port, a server never has a path or nothing for an address.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    received,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
