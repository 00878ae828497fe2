// Whether records can be made in a team, or move to it: checked by the plan.
import type { Result } from '../client/answer.ts';
import type { Client } from '../client/client.ts';
import { isArchived } from '../client/records.ts';
import { isNotFound } from './calls/failures.ts';
import { memoized } from './memoized.ts';

export type Teams = {
  /** Whether it is active, and the API key may see it. */
  isActive(id: string): Promise<Result<boolean>>;
};

export const createTeams = (client: Client): Teams => ({
  isActive: memoized((id: string) => readIsActive(client, id)),
});

async function readIsActive(client: Client, id: string): Promise<Result<boolean>> {
  const answer = await client.send({ method: 'GET', path: `/teams/${encodeURIComponent(id)}` });
  if (answer.ok) return { ok: true, value: !isArchived(answer.body) };
  return isNotFound(answer.failure) ? { ok: true, value: false } : answer;
}
