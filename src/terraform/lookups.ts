// What the API key has access to, beyond the records themselves. Each is read once in a run.
import type { Fields, Result } from '../client/answer.ts';
import type { Client } from '../client/client.ts';
import { isArchived } from '../client/records.ts';
import { isNotFound } from './calls/failures.ts';
import { memoized } from './memoized.ts';

export type Lookups = {
  /** What is at a path of the API; null where the key has access to nothing. */
  at(path: string): Promise<Result<Fields | null>>;
  /** Whether records can be created in the team: it is active, and the key has access to it. */
  isActiveTeam(id: string): Promise<Result<boolean>>;
  /** The organization of the key; undefined when the server does not answer that. */
  organizationId(): Promise<string | undefined>;
  organizationName(): Promise<string | undefined>;
};

export function createLookups(client: Client): Lookups {
  const at = memoized((path: string) => readAt(client, path));
  async function ofOrganization(field: string) {
    const organization = await at('/organization');
    const text = organization.ok ? organization.value?.[field] : undefined;
    return typeof text === 'string' ? text : undefined;
  }
  return {
    at,
    async isActiveTeam(id) {
      const team = await at(teamPath(id));
      if (!team.ok) return team;
      return { ok: true, value: team.value !== null && !isArchived(team.value) };
    },
    organizationId: () => ofOrganization('id'),
    organizationName: () => ofOrganization('name'),
  };
}

export const teamPath = (id: string) => `/teams/${encodeURIComponent(id)}`;

async function readAt(client: Client, path: string): Promise<Result<Fields | null>> {
  const answer = await client.send({ method: 'GET', path });
  if (answer.ok) return { ok: true, value: answer.body };
  return isNotFound(answer.failure) ? { ok: true, value: null } : answer;
}
