// A provider's process as Terraform's plugin: how long it serves, and the services that every
// plugin has beside its own.
import type { Http2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { grpcServer, type MutualTls, type Routes, routesOf } from './grpc.ts';
import { string, uint } from './protobuf.ts';

const shutdown = '/plugin.GRPCController/Shutdown';
const health = { Check: { request: { service: string(1) }, response: { status: uint(1) } } };
const serving = 1;

const pluginRoutes: Routes = {
  ...routesOf(
    'plugin.GRPCController',
    { Shutdown: { request: {}, response: {} } },
    { Shutdown: () => ({}) },
  ),
  ...routesOf('grpc.health.v1.Health', health, { Check: () => ({ status: serving }) }),
  '/plugin.GRPCStdio/StreamStdio': 'held open',
  '/plugin.GRPCBroker/StartStream': 'held open',
};

export type Serving = { readonly port: number; readonly ended: Promise<void> };

/** Serves on loopback; `ended` when Terraform says so, or is gone. */
export async function serve(providerFor: () => Routes, tls: MutualTls | null): Promise<Serving> {
  const server = grpcServer(() => ({ ...pluginRoutes, ...providerFor() }), tls);
  const ended = endOf(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  // A server that listens on TCP has such an address.
  return { port: (server.address() as AddressInfo).port, ended };
}

/** Terraform waits as long for a plugin to start. */
const firstSessionMilliseconds = 60_000;
/** A Terraform that was killed says nothing; one that lives connects again at once. */
const nextSessionMilliseconds = 1_000;

function endOf(server: Http2Server): Promise<void> {
  return new Promise((end) => {
    let sessions = 0;
    let timer = setTimeout(end, firstSessionMilliseconds);
    server.on('session', (session) => {
      sessions += 1;
      clearTimeout(timer);
      session.on('close', () => {
        sessions -= 1;
        if (sessions === 0) timer = setTimeout(end, nextSessionMilliseconds);
      });
    });
    server.on('stream', (stream, headers) => {
      if (headers[':path'] === shutdown) stream.on('close', end);
    });
  });
}
