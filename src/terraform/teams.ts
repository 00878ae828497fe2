// Whether records can be moved to a team: checked before the ones it has are archived.

import type { Result } from '../client/answer.ts';
import type { Client } from '../client/client.ts';
import { isArchived } from '../client/records.ts';
import { isNotFound } from './calls/failures.ts';

export type Teams = {
  /** Whether it is active, and the API key may see it. */
  isActive(id: string): Promise<Result<boolean>>;
};

/** Asks once for each team. */
export function createTeams(client: Client): Teams {
  const answers = new Map<string, Promise<Result<boolean>>>();
  return {
    isActive(id) {
      const answer = answers.get(id) ?? readIsActive(client, id);
      answers.set(id, answer);
      return answer;
    },
  };
}

async function readIsActive(client: Client, id: string): Promise<Result<boolean>> {
  const answer = await client.send({ method: 'GET', path: `/teams/${encodeURIComponent(id)}` });
  if (answer.ok) return { ok: true, value: !isArchived(answer.body) };
  return isNotFound(answer.failure) ? { ok: true, value: false } : answer;
}
