// Deduplication keys of alerts, and what is known of each.
import type { KeyState } from '../../incidents/alert-context.ts';
import type { Incident } from '../../incidents/incident.ts';
import type { RawKeyState } from '../../incidents/raw-keys.ts';

export type Key = {
  readonly organization_id: string;
  readonly integration_id: string;
  readonly dedup_key: string;
  /** Its alert has an instant of its own, which is compared with the last end of the key. */
  readonly isTimed?: true;
};

type AnyKey = { readonly integration_id: string | null; readonly dedup_key: string };

/** One text per key, for maps. */
export const keyText = (key: AnyKey): string => `${key.integration_id} ${key.dedup_key}`;

/** Of an incident without an integration it is one that no alert has. */
export const keyTextOf = ({ source_integration_id, dedup_key }: Incident): string =>
  keyText({ integration_id: source_integration_id, dedup_key });

/** What a tool sent in the place of a key, and tells no problems apart. */
export type RawKey = Pick<Key, 'organization_id' | 'integration_id'> & { readonly raw_key: string };

/** One text per raw key; no integration has an id with a space. */
export const rawKeyText = (key: {
  readonly integration_id: string | null;
  readonly raw_key: string;
}): string => `raw ${key.integration_id} ${key.raw_key}`;

/** Of an incident that came with none it is undefined. */
export const rawKeyTextOf = ({ source_integration_id: id, raw_key }: Incident) =>
  raw_key == null ? undefined : rawKeyText({ integration_id: id, raw_key });

/** The alerts of an organization that have the values in common by which they are grouped. */
export type Group = Pick<Key, 'organization_id'> & {
  readonly group_key: string;
  /** The team of whose integrations they are, where they are of several. */
  readonly acrossTeam?: string;
};

/** One text per group; no integration has this word for an id. */
export const groupText = ({ organization_id, group_key }: Group): string =>
  `group ${organization_id} ${group_key}`;

/** Of an incident that no alert may join it is undefined. */
export const groupTextOf = ({ organization_id, group_key }: Incident): string | undefined =>
  group_key == null ? undefined : groupText({ organization_id, group_key });

export type OpenGroups = ReadonlyMap<string, readonly Incident[]>;

export type KeyStateReader = {
  /**
   * Has others wait who decide for the same teams, where these group alerts across integrations as far
   * as this server knows. Called before incidents are locked; `groups` waits for what it missed.
   */
  lockGroupingTeams(integrations: readonly Key[]): Promise<void>;
  /**
   * Locks open incidents of the groups, the newest of each first; by the text of the group. Null while
   * a server of the release before may be connected, which knows no groups: nothing joins then.
   */
  groups(groups: readonly Group[]): Promise<OpenGroups | null>;
  /** Locks the open incidents that it returns. */
  keyStates(keys: readonly Key[]): Promise<ReadonlyMap<string, KeyState>>;
  /** The same; by the text of the raw key. */
  rawKeyStates(keys: readonly RawKey[]): Promise<ReadonlyMap<string, RawKeyState>>;
};
