// What this process holds of organisations' configurations. Whoever decides reads the version in the
// deciding transaction, and of what is older only what has changed since.
// docs/decisions/0023-configuration.md.
import type { Faults } from '../../engine/faults.ts';
import type { Configuration, Configurations } from '../../incidents/configuration.ts';
import { memoryLimits } from '../../limits/memory.ts';
import type { Queries, Transaction } from '../database/database.ts';
import { clockSkew } from '../health/clock-skew.ts';
import {
  type BuiltInChannels,
  type CachedConfiguration,
  Draft,
  emptyConfiguration,
  sizeOf,
} from './draft.ts';
import { type ChangePosition, readPage } from './page.ts';

/** More are not held. What was used last stays, however large it is. */
const defaultLimits = {
  organizations: memoryLimits.configurations,
  records: memoryLimits.records,
};
/** Read and decoded at once: a hundredth of a second's work. */
const pageSize = 500;

type CacheOptions = {
  readonly limits?: typeof defaultLimits;
  /** Channels whose messages are only written to a folder. */
  readonly written?: ReadonlySet<string>;
};

export class ConfigurationCache {
  readonly #builtIn: BuiltInChannels;
  readonly #faults: Faults;
  readonly #limits: typeof defaultLimits;
  /** The one used last is the last. */
  readonly #cached = new Map<string, CachedConfiguration>();
  #records = 0;

  /** Channels: those that all organisations have; their connections add others. */
  constructor(channels: ReadonlySet<string>, faults: Faults, options: CacheOptions = {}) {
    this.#builtIn = { channels, written: options.written ?? new Set() };
    this.#faults = faults;
    this.#limits = options.limits ?? defaultLimits;
  }

  /** What is held of one organisation, which may have changed since. */
  held(organizationId: string): Configuration | undefined {
    return this.#cached.get(organizationId)?.configuration;
  }

  /** What is held of one organisation, if it has not changed: that takes no transaction. */
  async current(sql: Queries, organizationId: string): Promise<Configuration | undefined> {
    const cached = this.#cached.get(organizationId);
    if (cached === undefined) return undefined;
    const versions = await versionsOf(sql, [organizationId]);
    if (cached.configuration.version !== (versions.get(organizationId) ?? 0)) return undefined;
    this.#store(organizationId, cached);
    return cached.configuration;
  }

  /** As of now or later; who is on call is known from `now` on. */
  async read(
    sql: Transaction,
    organizationIds: Iterable<string>,
    now: Temporal.Instant,
  ): Promise<Configurations> {
    const ids = [...organizationIds];
    if (ids.length === 0) return new Map();
    const versions = await versionsOf(sql, ids);
    const read = ids.map(async (id): Promise<[string, Configuration]> => {
      const cached = this.#cached.get(id);
      const isCurrent = cached?.configuration.version === (versions.get(id) ?? 0);
      const current = isCurrent && cached ? cached : await this.#refresh(sql, { id, cached, now });
      this.#store(id, current);
      return [id, current.configuration];
    });
    return new Map(await Promise.all(read));
  }

  async #refresh(
    sql: Transaction,
    { id, cached, now }: RefreshOptions,
  ): Promise<CachedConfiguration> {
    const last = cached ?? emptyConfiguration(id, this.#builtIn);
    const draft = new Draft(last, this.#faults);
    // Who is on call is known for that long before now.
    const query = { organizationId: id, since: now.subtract(clockSkew), limit: pageSize };
    let after = startAfter(last.configuration.version);
    for (;;) {
      const page = await readPage(sql, { ...query, after });
      // Versions only grow: a failover has lost what is held.
      if (page.version < last.configuration.version) {
        this.#drop(id);
        return this.#refresh(sql, { id, cached: undefined, now });
      }
      draft.apply(page);
      const end = page.changed.at(-1);
      if (end === undefined || page.changed.length < pageSize) return draft.build();
      after = end;
    }
  }

  #store(id: string, cached: CachedConfiguration): void {
    const before = this.#cached.get(id);
    // Two that read at once: the newer stays.
    const isOlder = before && before.configuration.version > cached.configuration.version;
    const newest = isOlder ? before : cached;
    this.#drop(id);
    this.#cached.set(id, newest);
    this.#records += sizeOf(newest);
    for (const oldest of this.#cached.keys()) {
      const { organizations, records } = this.#limits;
      if (this.#cached.size <= organizations && this.#records <= records) break;
      if (oldest !== id) this.#drop(oldest);
    }
  }

  #drop(id: string): void {
    const cached = this.#cached.get(id);
    if (cached) this.#records -= sizeOf(cached);
    this.#cached.delete(id);
  }
}

type RefreshOptions = {
  readonly id: string;
  readonly cached: CachedConfiguration | undefined;
  readonly now: Temporal.Instant;
};

async function versionsOf(
  sql: Queries,
  organizationIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await sql<{ organization_id: string; version: number }[]>`
    select organization_id, version from configuration_versions
    where organization_id = any(${[...organizationIds]})`;
  return new Map(rows.map((row) => [row.organization_id, row.version]));
}

const startAfter = (version: number): ChangePosition => ({
  version: version + 1,
  kind: '',
  id: '',
});
