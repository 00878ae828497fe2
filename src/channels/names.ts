// Resolves names to addresses. Node's own lookup shares four threads among all, which a silent name
// server blocks; this one asks the name servers itself, with timeouts.
import { Resolver } from 'node:dns/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { memoryLimits } from '../limits/memory.ts';
import { sendingLimits } from '../limits/sending.ts';
import { LookupSlots, type Requester } from './lookup-slots.ts';
import { createSystemNames, type SystemFiles } from './system-names.ts';

const TRIES = 3;
/** Once one family has answered, the other is waited for no longer. */
const OTHER_FAMILY_MS = 250;

export type Resolve = (
  name: string,
  requester: Requester,
  signal: AbortSignal,
) => Promise<readonly string[]>;

export type NamesOptions = {
  /** In place of the system's name servers. */
  readonly servers?: readonly string[];
  readonly files?: SystemFiles;
};

type Addresses = { readonly addresses: readonly string[]; readonly forMs: number };
type CachedName = { readonly until: number; readonly addresses: readonly string[] | Error };

const systemFiles = { hosts: '/etc/hosts', resolver: '/etc/resolv.conf' };

/** Rejects with an error whose code says why. */
export function createResolve(options: NamesOptions = {}): Resolve {
  const system = createSystemNames(options.files ?? systemFiles);
  const slots = new LookupSlots();
  const underWay = new Map<string, Promise<readonly string[]>>();
  const cache = new Map<string, CachedName>();

  function keep(name: string, addresses: CachedName['addresses'], forMs: number): void {
    const [oldest] = cache.keys();
    if (cache.size >= memoryLimits.names && oldest !== undefined) cache.delete(oldest);
    cache.delete(name);
    cache.set(name, { addresses, until: performance.now() + forMs });
  }

  /** The cached answer, or that of a lookup under way. */
  function knownOf(name: string): Promise<readonly string[]> | undefined {
    const { addresses, until = 0 } = cache.get(name) ?? {};
    if (addresses === undefined || until < performance.now()) return underWay.get(name);
    return addresses instanceof Error ? Promise.reject(addresses) : Promise.resolve(addresses);
  }

  async function lookup(name: string): Promise<readonly string[]> {
    try {
      const { addresses, forMs } = await firstResolved(
        await system.candidates(name),
        options.servers,
      );
      keep(name, addresses, forMs);
      return addresses;
    } catch (error) {
      const failure = error instanceof Error ? error : new Error(String(error));
      keep(name, failure, sendingLimits.failedNameCacheTime);
      throw failure;
    } finally {
      underWay.delete(name);
    }
  }

  return async (text, requester, signal) => {
    const name = text.toLowerCase();
    const listed = await system.addressesOf(name);
    if (listed) return listed;
    const known = knownOf(name);
    if (known !== undefined) return known;
    const slot = await slots.enter(requester, signal);
    // Somebody else may have begun meanwhile.
    const begun = knownOf(name);
    if (begun !== undefined) {
      slot[Symbol.dispose]();
      return begun;
    }
    const answer = lookup(name).finally(() => slot[Symbol.dispose]());
    underWay.set(name, answer);
    return answer;
  };
}

/** The first of the names that has an address. */
async function firstResolved(
  names: readonly string[],
  servers?: readonly string[],
): Promise<Addresses> {
  // A resolver of its own: cancel() ends all lookups of a resolver.
  const resolver = new Resolver({ timeout: sendingLimits.nameServerTime, tries: TRIES });
  if (servers) resolver.setServers(servers);
  let isLate = false;
  const deadline = setTimeout(() => {
    isLate = true;
    resolver.cancel();
  }, sendingLimits.lookupTime);
  try {
    let unknown: Error = failure('ENOTFOUND');
    for (const name of names) {
      const answer = await addressesOf(resolver, name);
      if (!(answer instanceof Error)) return answer;
      if (isLate) throw failure('ETIMEOUT');
      if (!isUnknown(answer)) throw answer;
      unknown = answer;
    }
    throw unknown;
  } finally {
    clearTimeout(deadline);
    resolver.cancel();
  }
}

/** Of both families, as far as they answer in time. */
async function addressesOf(resolver: Resolver, name: string): Promise<Addresses | Error> {
  const records: { address: string; ttl: number }[] = [];
  const failures: Error[] = [];
  const families = [resolver.resolve4(name, { ttl: true }), resolver.resolve6(name, { ttl: true })];
  const answered = families.map((family) =>
    family.then(
      (answers) => records.push(...answers.slice(0, sendingLimits.addressesOfFamily)),
      (error: Error) => failures.push(error),
    ),
  );
  await Promise.any(families).catch(() => undefined);
  await Promise.race([Promise.all(answered), pause(OTHER_FAMILY_MS, undefined, { ref: false })]);
  const [first] = records;
  if (!first)
    return failures.find((error) => !isUnknown(error)) ?? failures[0] ?? failure('ENODATA');
  const ttl = Math.min(...records.map((record) => record.ttl));
  const forMs = Math.min(ttl * 1_000, sendingLimits.nameCacheTime);
  return { addresses: records.map(({ address }) => address), forMs };
}

const failure = (code: string) => Object.assign(new Error('the name has no address'), { code });

const isUnknown = (error: Error) =>
  'code' in error && (error.code === 'ENOTFOUND' || error.code === 'ENODATA');
