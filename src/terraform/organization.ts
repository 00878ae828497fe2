// Which organisation the API key is of: a record that it does not see may be of another one.
import type { Client } from '../client/client.ts';
import { memoized } from './memoized.ts';

export type Organization = {
  /** Undefined when the server does not tell. */
  id(): Promise<string | undefined>;
};

export const createOrganization = (client: Client): Organization => ({
  id: memoized(() => readId(client)),
});

async function readId(client: Client): Promise<string | undefined> {
  const answer = await client.send({ method: 'GET', path: '/organization' });
  const id = answer.ok ? answer.body['id'] : undefined;
  return typeof id === 'string' ? id : undefined;
}
