// Which proxy stands before an address, by the environment: as Terraform itself reads it.
import { BlockList, isIP } from 'node:net';

export type HttpProxy = {
  /** With the user and the password that it may have. */
  readonly url: string;
  /** Without them. */
  readonly address: string;
  /** The variable that names it. */
  readonly variable: string;
};

/** A text: what is wrong with the proxy that is named. */
export function proxyFor(url: URL, environment: NodeJS.ProcessEnv): HttpProxy | string | null {
  const variable = url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const named = environment[variable] || environment[variable.toLowerCase()];
  const exceptions = environment['NO_PROXY'] || environment['no_proxy'] || '';
  if (!named || isExcepted(url, exceptions)) return null;
  const text = named.includes('://') ? named : `http://${named}`;
  const parsed = URL.canParse(text) ? new URL(text) : null;
  if (parsed === null || !/^https?:$/.test(parsed.protocol))
    return `${variable} is not a valid proxy address, such as http://proxy.example.com:3128.`;
  return { url: text, address: parsed.origin, variable };
}

function isExcepted({ hostname, port, protocol }: URL, exceptions: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (host === 'localhost' || isIn(host, '127.0.0.0/8') || host === '::1') return true;
  const own = port || (protocol === 'https:' ? '443' : '80');
  return exceptions
    .toLowerCase()
    .split(/[\s,]+/)
    .some((exception) => {
      if (exception === '*') return true;
      const [, name = '', only = own] = namedWithPort(exception);
      if (name === '' || only !== own) return false;
      if (name.includes('/')) return isIn(host, name);
      const domain = name.replace(/^\*?\./, '');
      return (domain === name && host === name) || host.endsWith(`.${domain}`);
    });
}

/** An address of IPv6 has colons of its own. */
const namedWithPort = (text: string): readonly (string | undefined)[] =>
  isIP(text) === 6 ? [text, text] : (/^\[?(.*?)\]?(?::(\d+))?$/.exec(text) ?? []);

function isIn(host: string, range: string): boolean {
  const [network = '', bits = ''] = range.split('/');
  const family = isIP(host) === 6 ? 'ipv6' : 'ipv4';
  if (isIP(host) === 0 || isIP(host) !== isIP(network)) return false;
  const list = new BlockList();
  try {
    list.addSubnet(network, Number(bits), family);
  } catch {
    return false;
  }
  return list.check(host, family);
}

/** Since 22.21 and 24.5; Bun as it is pinned. */
export function knowsProxies({ node, bun }: NodeJS.ProcessVersions): boolean {
  const [major = 0, minor = 0] = node.split('.').map(Number);
  if (bun !== undefined || major > 24) return true;
  return (major === 24 && minor >= 5) || (major === 22 && minor >= 21);
}
