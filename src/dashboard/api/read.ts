import type { Query } from '../../client/client.ts';
import { PagerError, pager } from './pager.ts';

/** What this version of the API answers, as docs/openapi.json has it. */
export async function read<Answer>(path: string, query: Query = {}): Promise<Answer> {
  const answer = await pager.client.send({ method: 'GET', path, query });
  if (!answer.ok) throw new PagerError(answer.failure);
  return answer.body as Answer;
}
