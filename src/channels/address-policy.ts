import { BlockList, isIP } from 'node:net';

// Addresses that are not of the public internet (IANA's special-purpose registries), and those
// where clouds keep their machines' credentials. Forms that carry an IPv4 address inside an IPv6
// one are refused whole: they reach a private network by a public-looking address.
const REFUSED: readonly (readonly [cidr: string, kind: string])[] = [
  ['0.0.0.0/8', 'unspecified'],
  ['10.0.0.0/8', 'private'],
  ['100.64.0.0/10', 'shared by carriers'],
  ['127.0.0.0/8', 'loopback'],
  ['168.63.129.16/32', 'cloud metadata'],
  ['169.254.0.0/16', 'link-local or cloud metadata'],
  ['172.16.0.0/12', 'private'],
  ['192.0.0.0/24', 'reserved'],
  ['192.0.2.0/24', 'documentation'],
  ['192.88.99.0/24', 'reserved'],
  ['192.168.0.0/16', 'private'],
  ['198.18.0.0/15', 'benchmarking'],
  ['198.51.100.0/24', 'documentation'],
  ['203.0.113.0/24', 'documentation'],
  ['224.0.0.0/4', 'multicast'],
  ['240.0.0.0/4', 'reserved or broadcast'],
  ['::/128', 'unspecified'],
  ['::1/128', 'loopback'],
  ['::ffff:0:0/96', 'IPv4-mapped'],
  ['64:ff9b::/96', 'NAT64'],
  ['64:ff9b:1::/48', 'NAT64'],
  ['2001::/32', 'Teredo'],
  ['2001::/23', 'reserved'],
  ['2001:db8::/32', 'documentation'],
  ['2002::/16', '6to4'],
  ['3fff::/20', 'documentation'],
  ['fc00::/7', 'private'],
  ['fe80::/10', 'link-local'],
  ['ff00::/8', 'multicast'],
];
const PUBLIC_V6 = listOf('2000::/3');
const REFUSED_LISTS = REFUSED.map(([cidr, kind]) => ({ kind, list: listOf(cidr), cidr }));

/** Says why an address may not be connected to; undefined if it may. */
export type AddressPolicy = (address: string) => string | undefined;

/** All but public addresses are refused, unless they lie in one of the allowed networks. */
export function createAddressPolicy(allowNetworks: readonly string[]): AddressPolicy {
  const allowed = allowNetworks.map((cidr) => ({ list: listOf(cidr), family: familyOf(cidr) }));
  return (address) => {
    const family = familyOf(address);
    // A zone names an interface of this machine: never a public address.
    if (family === undefined || address.includes('%')) return `${address} is not a plain address`;
    if (allowed.some((network) => network.family === family && network.list.check(address, family)))
      return undefined;
    const refused = REFUSED_LISTS.find(
      ({ cidr, list }) => familyOf(cidr) === family && list.check(address, family),
    );
    if (refused) return `${address} is a ${refused.kind} address`;
    if (family === 'ipv6' && !PUBLIC_V6.check(address, family))
      return `${address} is not a public address`;
    return undefined;
  };
}

function listOf(cidr: string): BlockList {
  const [network = '', length = ''] = cidr.split('/');
  const family = familyOf(network);
  const longest = family === 'ipv4' ? 32 : 128;
  if (!family || !/^\d{1,3}$/.test(length) || Number(length) > longest) {
    throw new TypeError(`"${cidr}" must be a network such as 10.0.0.0/8 or fd00::/8`);
  }
  const list = new BlockList();
  list.addSubnet(network, Number(length), family);
  return list;
}

function familyOf(address: string): 'ipv4' | 'ipv6' | undefined {
  const version = isIP(address.split('/')[0] ?? '');
  if (version === 0) return undefined;
  return version === 4 ? 'ipv4' : 'ipv6';
}
