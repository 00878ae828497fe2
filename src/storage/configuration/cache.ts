// What this process holds of organisations' configurations. Whoever decides reads the version in the
// deciding transaction, and of what is older only what has changed since.
// docs/decisions/0023-configuration.md.
import type { Faults } from '../../engine/faults.ts';
import type { Configuration, Configurations } from '../../incidents/configuration.ts';
import { memoryLimits } from '../../limits/memory.ts';
import type { Transaction } from '../database.ts';
import { Draft, type Held, nothingHeld, sizeOf } from './draft.ts';
import { type Place, readPage } from './page.ts';

/** More are not held. What was used last stays, however large it is. */
const limitsUnlessTold = {
  organizations: memoryLimits.configurations,
  records: memoryLimits.records,
};
/** Read and decoded at once: a hundredth of a second's work. */
const pageSize = 500;
/** What servers' clocks may differ by: who is on call is known for that long before now. */
const skew = { hours: 1 } as const;

export class ConfigurationCache {
  readonly #channels: ReadonlySet<string>;
  readonly #faults: Faults;
  readonly #limits: typeof limitsUnlessTold;
  /** The one used last is the last. */
  readonly #held = new Map<string, Held>();
  #records = 0;

  /** Channels: those that are set up on this installation. */
  constructor(channels: ReadonlySet<string>, faults: Faults, limits = limitsUnlessTold) {
    this.#channels = channels;
    this.#faults = faults;
    this.#limits = limits;
  }

  /** As of now or later; who is on call is known from `now` on. */
  async read(
    sql: Transaction,
    organizationIds: Iterable<string>,
    now: Temporal.Instant,
  ): Promise<Configurations> {
    const ids = [...organizationIds];
    if (ids.length === 0) return new Map();
    const rows = await sql<{ organization_id: string; version: number }[]>`
      select organization_id, version from configuration_versions
      where organization_id = any(${ids})`;
    const versions = new Map(rows.map((row) => [row.organization_id, row.version]));
    const read = ids.map(async (id): Promise<[string, Configuration]> => {
      const held = this.#held.get(id);
      const isCurrent = held?.configuration.version === (versions.get(id) ?? 0);
      const current = isCurrent && held ? held : await this.#renewed(sql, { id, held, now });
      this.#keep(id, current);
      return [id, current.configuration];
    });
    return new Map(await Promise.all(read));
  }

  async #renewed(sql: Transaction, { id, held, now }: Renewing): Promise<Held> {
    const last = held ?? nothingHeld(id, this.#channels);
    const draft = new Draft(last, this.#faults);
    const asked = { organizationId: id, since: now.subtract(skew), limit: pageSize };
    let after = startAfter(last.configuration.version);
    for (;;) {
      const page = await readPage(sql, { ...asked, after });
      // Versions only grow: a failover has lost what is held.
      if (page.version < last.configuration.version) {
        this.#drop(id);
        return this.#renewed(sql, { id, held: undefined, now });
      }
      draft.take(page);
      const end = page.changed.at(-1);
      if (end === undefined || page.changed.length < pageSize) return draft.held();
      after = end;
    }
  }

  #keep(id: string, held: Held): void {
    const before = this.#held.get(id);
    // Two that read at once: the newer stays.
    const isOlder = before && before.configuration.version > held.configuration.version;
    const kept = isOlder ? before : held;
    this.#drop(id);
    this.#held.set(id, kept);
    this.#records += sizeOf(kept);
    for (const oldest of this.#held.keys()) {
      const { organizations, records } = this.#limits;
      if (this.#held.size <= organizations && this.#records <= records) break;
      if (oldest !== id) this.#drop(oldest);
    }
  }

  #drop(id: string): void {
    const held = this.#held.get(id);
    if (held) this.#records -= sizeOf(held);
    this.#held.delete(id);
  }
}

type Renewing = {
  readonly id: string;
  readonly held: Held | undefined;
  readonly now: Temporal.Instant;
};

const startAfter = (version: number): Place => ({ version: version + 1, kind: '', id: '' });
