// What is well-formed and yet reaches nobody with the settings of this server. It is saved, for the
// settings may change, with a warning.
import type { Capabilities } from './record-hooks.ts';

export const notSetUp = (via: string) =>
  `via ${via} pages nobody because it is not set up on this server.`;

/** Of a host that must be looked up, the address is not known before the call. */
export function refusedAddress(
  field: string,
  url: unknown,
  { refusalOf }: Capabilities,
): readonly string[] {
  const host = typeof url === 'string' ? URL.parse(url)?.hostname : undefined;
  if (host === undefined) return [];
  const address = /(^|\.)localhost$/.test(host) ? '127.0.0.1' : host.replace(/^\[|\]$/g, '');
  if (!/^[\d.]+$|:/.test(address)) return [];
  const refusal = refusalOf(address);
  if (refusal === undefined) return [];
  return [`${field} is not called: ${refusal}, and its network is not in PAGER_ALLOW_NETWORKS.`];
}
