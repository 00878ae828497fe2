// The API keys of the organization: which are still good, and what ends with one that is revoked.
import { mayAct, type Role } from '../../resources/roles.ts';

export type ApiKey = {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly prefix: string;
  /** Absent: all teams. */
  readonly team_ids?: readonly string[];
  readonly default_team_id?: string;
  readonly expires_at?: string;
  readonly last_used_at?: string;
  readonly created_at: string;
  readonly created_by: string;
  /** Whose key it is; absent: the organization's. */
  readonly user_id?: string;
  readonly made_by_key_id?: string;
  readonly ends_with_maker?: boolean;
  readonly archived_at?: string;
};

/** By name; `text` is a part of the name, of the first characters or of who made it. */
export const keysOf = (keys: readonly ApiKey[], text = ''): readonly ApiKey[] =>
  keys
    .filter(({ name, prefix, created_by }) =>
      [name, prefix, created_by].some((one) =>
        one.toLowerCase().includes(text.trim().toLowerCase()),
      ),
    )
    .toSorted((one, other) => one.name.localeCompare(other.name));

const SOON_MS = 14 * 86_400_000;

export type Validity = 'endless' | 'valid' | 'soon' | 'expired';

export function validityOf({ expires_at }: Pick<ApiKey, 'expires_at'>, now: number): Validity {
  if (expires_at === undefined) return 'endless';
  const left = Date.parse(expires_at) - now;
  if (left <= 0) return 'expired';
  return left < SOON_MS ? 'soon' : 'valid';
}

/** Nobody changes what may do more than they. */
export const mayChange = (person: { readonly role: Role }, { role }: Pick<ApiKey, 'role'>) =>
  mayAct(person, role);

type Made = Pick<ApiKey, 'id' | 'made_by_key_id' | 'ends_with_maker'>;

/** What a key made, at any remove: what ends with it, and what an earlier release let stay. */
export function madeBy<Key extends Made>(keys: readonly Key[], id: string) {
  const below = (maker: string, isWanted: (key: Key) => boolean): readonly Key[] =>
    keys
      .filter((key) => key.made_by_key_id === maker && isWanted(key))
      .flatMap((key) => [key, ...below(key.id, isWanted)]);
  const ending = below(id, (key) => key.ends_with_maker === true);
  const staying = below(id, () => true).filter((key) => !ending.includes(key));
  return { ending, staying };
}

/** How the key gets to Terraform without being in a file. */
export const shellLine = (key: string): string => `export PAGER_API_KEY=${key}`;

export const providerBlock = (origin: string): string => `terraform {
  required_providers {
    pager = {
      source = "pager/pager"
    }
  }
}

provider "pager" {
  base_url = "${origin}/api/v1"
}`;
