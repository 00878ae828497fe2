// The client on Node, from 20 on, by an API key. Bundled, it starts in no time.
import { setMaxListeners } from 'node:events';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { type Client, type ClientOptions, createClient } from './client.ts';
import { connectionFailureOf } from './connection-failure.ts';
import { exchange, type Limits } from './exchange.ts';
import type { HttpProxy } from './proxy.ts';

const limitsByDefault = {
  connectMs: 10_000,
  // A page of 200 records of the size that people write is far below.
  answerBytes: 64 * 1024 * 1024,
};

/** In PEM form. */
export type Certificates = {
  /** All authorities that are believed; without it, those that the runtime knows. */
  readonly ca?: readonly string[];
  /** Of the client. */
  readonly cert?: string;
  readonly key?: string;
};

export type NodeClientOptions = Omit<
  ClientOptions,
  'headers' | 'secret' | 'through' | 'totalMs'
> & {
  readonly apiKey: string;
  readonly userAgent: string;
  readonly proxy?: HttpProxy | null;
  readonly certificates?: Certificates;
  readonly limits?: Partial<Limits>;
};

export function createNodeClient(options: NodeClientOptions): Client {
  const { apiKey, userAgent, proxy = null, limits } = options;
  const agent = agentFor(new URL(options.baseUrl), options);
  return createClient(
    {
      exchange: (sending, { signal, totalMs }) =>
        exchange({ agent, limits: { ...limitsByDefault, ...limits, totalMs }, signal }, sending),
      failureOf: connectionFailureOf,
      // Node 20 would warn of a leak.
      prepare: (signal) => setMaxListeners(0, signal),
      close: () => agent.destroy(),
    },
    {
      ...options,
      headers: { 'x-api-key': apiKey, 'user-agent': userAgent },
      secret: apiKey,
      ...(limits?.totalMs !== undefined && { totalMs: limits.totalMs }),
      ...(proxy && { through: `through the proxy ${proxy.address} (${proxy.variable})` }),
    },
  );
}

function agentFor({ protocol }: URL, { proxy, certificates = {} }: NodeClientOptions): HttpAgent {
  const { ca, ...own } = certificates;
  const url = proxy?.url;
  const options = {
    keepAlive: true,
    ...(url !== undefined && { proxyEnv: { HTTP_PROXY: url, HTTPS_PROXY: url } }),
  };
  if (protocol !== 'https:') return new HttpAgent(options);
  return new HttpsAgent({ ...options, ...own, ...(ca && { ca: [...ca] }) });
}
