// The next version of a configuration, made of the last one and of what changed since. What did not
// change is shared, compiled rules included.
import type { Faults } from '../../engine/faults.ts';
import type { Configuration, Team } from '../../incidents/configuration.ts';
import type { ConfigurationRow, Kind, Page } from './page.ts';
import { type Decoded, decoders, type Positioned } from './records.ts';

type Records = { readonly [K in Kind]: ReadonlyMap<string, Decoded[K]> };
type Copies = { [K in Kind]?: Map<string, Decoded[K]> };

/** Channels that all organisations have. */
export type BuiltInChannels = Pick<Configuration, 'channels' | 'written'>;

/** A configuration, and the records that it is made of. */
export type CachedConfiguration = {
  readonly configuration: Configuration;
  readonly records: Records;
  readonly builtIn: BuiltInChannels;
};

const kinds = Object.keys(decoders) as readonly Kind[];

/** How many records there are. */
export const sizeOf = ({ records }: CachedConfiguration): number =>
  kinds.reduce((sum, kind) => sum + records[kind].size, 0);

export function emptyConfiguration(
  organizationId: string,
  builtIn: BuiltInChannels,
): CachedConfiguration {
  const records: Records = {
    organization: new Map(),
    service: new Map(),
    policy: new Map(),
    integration: new Map(),
    webhook: new Map(),
    rule: new Map(),
    playbook: new Map(),
    schedule: new Map(),
    person: new Map(),
    team: new Map(),
  };
  const none = {
    organization_id: organizationId,
    version: -1,
    ...builtIn,
    notifications: {},
    connected: new Set<string>(),
    unreadable: new Set<string>(),
  };
  const { service, policy, integration, webhook, person, schedule } = records;
  const byKind = {
    services: service,
    policies: policy,
    integrations: integration,
    webhooks: webhook,
    people: person,
    schedules: schedule,
  };
  return { records, builtIn, configuration: { ...none, ...byKind, teams: new Map() } };
}

export class Draft {
  readonly #last: CachedConfiguration;
  readonly #faults: Faults;
  /** Of the kinds of which something changed. */
  readonly #own: Copies = {};
  readonly #teamIds = new Set<string>();
  #unreadable: ReadonlySet<string>;
  #version: number;

  constructor(last: CachedConfiguration, faults: Faults) {
    this.#last = last;
    this.#faults = faults;
    this.#version = last.configuration.version;
    this.#unreadable = last.configuration.unreadable;
  }

  apply(page: Page): void {
    const changed = Map.groupBy(page.changed, ({ kind }) => kind);
    for (const kind of kinds) {
      const ids = changed.get(kind)?.map(({ id }) => id);
      if (ids) this.#applyKind(kind, ids, page);
    }
    this.#version = page.version;
  }

  build(): CachedConfiguration {
    const records: Records = { ...this.#last.records, ...this.#own };
    const { organization_id } = this.#last.configuration;
    const organization = records.organization.get(organization_id);
    const { builtIn } = this.#last;
    const connected = new Set(organization?.channels);
    const configuration: Configuration = {
      organization_id,
      version: this.#version,
      channels: builtIn.channels.union(connected),
      written: builtIn.written.difference(connected),
      connected,
      services: records.service,
      policies: records.policy,
      webhooks: records.webhook,
      integrations: records.integration,
      people: records.person,
      schedules: records.schedule,
      teams: this.#teams(records),
      notifications: organization?.notifications ?? {},
      unreadable: this.#unreadable,
    };
    return { configuration, records, builtIn };
  }

  #applyKind<K extends Kind>(kind: K, ids: readonly string[], { rows }: Page): void {
    const rowsById = new Map(rows[kind]?.map((row) => [row.id, row]));
    const copy: Map<string, Decoded[K]> = this.#own[kind] ?? new Map(this.#last.records[kind]);
    // The compiler does not see that both are of this kind.
    this.#own[kind] = copy as Copies[K];
    for (const id of ids) {
      const row = rowsById.get(id);
      const decoded = row === undefined ? null : this.#decoded(kind, row);
      this.#markUnreadable(id, row !== undefined && decoded === null);
      for (const record of [copy.get(id), decoded]) this.#markTeam({ kind, id }, record ?? null);
      if (decoded === null) copy.delete(id);
      else copy.set(id, decoded);
    }
  }

  #markUnreadable(id: string, isUnreadable: boolean): void {
    if (this.#unreadable.has(id) === isUnreadable) return;
    const others = [...this.#unreadable].filter((other) => other !== id);
    this.#unreadable = new Set(isUnreadable ? [...others, id] : others);
  }

  /**
   * Null for a record that cannot be read, which is reported as a fault; its id is listed in
   * `unreadable`.
   */
  #decoded<K extends Kind>(kind: K, row: ConfigurationRow<K>): Decoded[K] | null {
    const id = `${kind} ${row.id}`;
    try {
      return decoders[kind](row, (part, error) =>
        this.#faults({ of: 'record', id: `${id} ${part}`, error }),
      );
    } catch (error) {
      this.#faults({ of: 'record', id, error });
      return null;
    }
  }

  #markTeam({ kind, id }: { kind: Kind; id: string }, record: Decoded[Kind] | null): void {
    if (kind === 'team') this.#teamIds.add(id);
    if ((kind === 'rule' || kind === 'playbook') && record && 'team_id' in record)
      this.#teamIds.add(record.team_id);
  }

  #teams({ team: memberIds, rule, playbook }: Records): Configuration['teams'] {
    const { teams: last } = this.#last.configuration;
    if (this.#teamIds.size === 0) return last;
    const rules = inOrder(rule, this.#teamIds);
    const playbooks = inOrder(playbook, this.#teamIds);
    const teams = new Map(last);
    for (const id of this.#teamIds) {
      const members = memberIds.get(id);
      if (members === undefined) teams.delete(id);
      else {
        const team: Team = {
          id,
          memberIds: members,
          rules: rules.get(id) ?? [],
          playbooks: playbooks.get(id) ?? [],
        };
        teams.set(id, team);
      }
    }
    return teams;
  }
}

/** Of these teams, by team: those with a position first, then the oldest. */
function inOrder<T>(
  all: ReadonlyMap<string, Positioned<T>>,
  teamIds: ReadonlySet<string>,
): ReadonlyMap<string, readonly T[]> {
  const selected = [...all.values()].filter(({ team_id }) => teamIds.has(team_id));
  const ordered = selected.sort((a, b) => rankOf(a) - rankOf(b) || a.counter - b.counter);
  const perTeam = Map.groupBy(ordered, ({ team_id }) => team_id);
  return new Map([...perTeam].map(([id, ordered]) => [id, ordered.map(({ record }) => record)]));
}

const rankOf = ({ position }: Positioned<unknown>) => position ?? Number.MAX_SAFE_INTEGER;
