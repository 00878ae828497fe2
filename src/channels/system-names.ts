// The machine's own configuration of names: /etc/hosts, and the search domains of /etc/resolv.conf. The
// resolver beneath asks name servers and nothing else.
import { readFile, stat } from 'node:fs/promises';
import { isIP } from 'node:net';
import { sendingLimits } from '../limits/sending.ts';

const RECHECK_MS = 1_000;

export type SystemFiles = { readonly hosts: string; readonly resolver: string };

export type SystemNames = {
  /** The addresses that the hosts file gives the name, if it does. */
  addressesOf(name: string): Promise<readonly string[] | undefined>;
  /** The full names to ask for, in this order. */
  candidates(name: string): Promise<readonly string[]>;
};

export function createSystemNames(files: SystemFiles): SystemNames {
  const hosts = createReading(files.hosts, hostsOf);
  const search = createReading(files.resolver, searchOf);
  return {
    async addressesOf(name) {
      const plain = name.replace(/\.$/, '').toLowerCase();
      const entry = (await hosts()).get(plain);
      if (entry) return entry;
      return /(^|\.)localhost$/.test(plain) ? ['127.0.0.1', '::1'] : undefined;
    },
    /** A name with a dot is asked for as it is first; one without belongs to a domain of ours. */
    async candidates(name) {
      if (name.endsWith('.')) return [name];
      const below = (await search()).map((domain) => `${name}.${domain}`);
      return name.includes('.') ? [name, ...below] : [...below, name];
    },
  };
}

/** Reads the file again when it changed; one that cannot be read counts as empty. */
function createReading<T>(file: string, parse: (text: string) => T): () => Promise<T> {
  let nextCheckAt = Number.NEGATIVE_INFINITY;
  let changedAt = Number.NaN;
  let value = parse('');
  return async () => {
    const now = performance.now();
    if (now < nextCheckAt) return value;
    nextCheckAt = now + RECHECK_MS;
    const entry = await stat(file).catch(() => null);
    if (entry && entry.mtimeMs !== changedAt) {
      value = parse(await readFile(file, 'utf8').catch(() => ''));
      changedAt = entry.mtimeMs;
    }
    return value;
  };
}

function linesOf(text: string): readonly (readonly string[])[] {
  return text.split('\n').map((line) =>
    line
      .replace(/[#;].*/, '')
      .trim()
      .split(/\s+/),
  );
}

function hostsOf(text: string): ReadonlyMap<string, readonly string[]> {
  const hosts = new Map<string, string[]>();
  for (const [address = '', ...names] of linesOf(text)) {
    if (!isIP(address)) continue;
    for (const name of names.map((one) => one.toLowerCase()))
      hosts.set(name, [...(hosts.get(name) ?? []), address]);
  }
  return hosts;
}

/** The last line counts, as it does for the system. */
function searchOf(text: string): readonly string[] {
  const lines = linesOf(text).filter(([word]) => word === 'search' || word === 'domain');
  return (lines.at(-1)?.slice(1) ?? []).slice(0, sendingLimits.searchDomains);
}
