import type { FastifyServerOptions } from 'fastify';

/** An IPv4 address as itself, where a listener of IPv6 took it. */
export const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/, '');

/** Of IPv6 the first 64 bits: the rest of them is one customer's. */
export function networkOf(remoteAddress: string): string {
  const address = plainAddress(remoteAddress);
  if (!address.includes(':') || address.includes('.')) return address;
  const [head = '', tail = ''] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  const last = tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: Math.max(0, 8 - groups.length - last.length) }, () => '0');
  const all = address.includes('::') ? [...groups, ...zeros, ...last] : groups;
  return `${all.slice(0, 4).join(':')}::/64`;
}

/** How many proxies every request comes through, or the networks that they are in. */
export type Proxies = number | readonly string[];

/** What they say of who sent a request is believed; what others say is not. */
export function trustOf(proxies: Proxies): NonNullable<FastifyServerOptions['trustProxy']> {
  if (typeof proxies !== 'number') return [...proxies];
  // Fastify trusts nobody by a number alone, as it cannot tell a proxy from a direct client.
  return proxies > 0 && ((_address: string, hop: number) => hop < proxies);
}
