// A record that the API answers is not there: it is gone, or the API key has no access to it.
import type { Resource } from '../../resources/declaration/resource.ts';
import { team } from '../../resources/team.ts';
import { fieldOf } from '../convert.ts';
import type { Diagnostic } from '../diagnostics.ts';
import { teamPath } from '../lookups.ts';
import { type Managed, spoken } from '../managed.ts';
import type { Value } from '../protocol/value.ts';
import type { Connection } from '../session.ts';
import {
  failureDiagnostics,
  noAccess,
  type Owner,
  ofAnotherOrganization,
  unseen,
} from './failures.ts';
import { unconfirmedKey } from './unconfirmed.ts';

type Missing = {
  readonly as: Managed;
  readonly prior: Value;
  /** The organization that it was last seen in. */
  readonly known: string | undefined;
};

type Missed = { readonly isGone: boolean; readonly diagnostics: readonly Diagnostic[] };

/** It is gone only where the API key would see it. */
export async function missingFrom(connection: Connection, missing: Missing): Promise<Missed> {
  const { as, prior } = missing;
  const hidden = await hiddenBy(connection, missing);
  return hidden.length > 0
    ? { isGone: false, diagnostics: hidden }
    : { isGone: true, diagnostics: [unseen(as.resource, prior)] };
}

/** Why the API key may not see it although it is there; empty when the key would. */
export async function hiddenBy(
  { lookups }: Pick<Connection, 'lookups'>,
  { as, prior, known }: Missing,
): Promise<readonly Diagnostic[]> {
  const { resource } = as;
  const doing = `check whether the ${spoken(resource, prior)} still exists`;
  if (known !== undefined) {
    const organization = await lookups.at('/organization');
    if (!organization.ok) return failureDiagnostics(doing, organization.failure);
    const keyOf = organization.value?.['id'];
    if (typeof keyOf === 'string' && keyOf !== known)
      return [ofAnotherOrganization(resource, prior, { of: known, keyOf })];
  }
  const owner = ownerOf(as, prior);
  if (owner === null) return [];
  const access = await lookups.at(owner.path);
  if (!access.ok) return failureDiagnostics(doing, access.failure);
  return access.value === null ? [noAccess(resource, prior, owner)] : [];
}

/** What gives access to it: its team, or the record that it is below. People are everybody's. */
function ownerOf(
  { resource, parents }: Managed,
  prior: Value,
): (Owner & { readonly path: string }) | null {
  const ownId = String(fieldOf(prior, 'id'));
  if (unconfirmedKey(ownId) === undefined && resource.name === team.name)
    return { noun: 'team', id: ownId, path: teamPath(ownId) };
  const teamId = fieldOf(prior, 'team_id');
  if (resource.isOfTeam && typeof teamId === 'string')
    return { noun: 'team', id: teamId, path: teamPath(teamId) };
  const [field = resource.owner] = parents;
  if (field === null) return null;
  const id = String(fieldOf(prior, field));
  const [route] = resource.route.split('/');
  return { noun: nounOf(resource, field), id, path: `/${route}/${encodeURIComponent(id)}` };
}

export const nounOf = ({ fields }: Resource, field: string): string =>
  String((fields[field] as { 'x-references'?: { to: string } })?.['x-references']?.to ?? 'record');
