import type { FastifyServerOptions } from 'fastify';

/** How many proxies every request comes through, or the networks that they are in. */
export type Proxies = number | readonly string[];

/** What they say of who sent a request is believed; what others say is not. */
export function trustOf(proxies: Proxies): NonNullable<FastifyServerOptions['trustProxy']> {
  if (typeof proxies !== 'number') return [...proxies];
  // Fastify trusts nobody by a number alone, as it cannot tell a proxy from a direct client.
  return proxies > 0 && ((_address: string, hop: number) => hop < proxies);
}
