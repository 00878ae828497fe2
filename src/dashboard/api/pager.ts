// The one client of this page.
import type { Failure, Fields } from '../../client/answer.ts';
import { createBrowserClient } from '../../client/browser.ts';
import type { Query, Request } from '../../client/client.ts';
import { listAll } from '../../client/pages.ts';
import { displayNameOf } from '../records/record.ts';
import { note } from './connection.ts';
import { takeEarly } from './early.ts';
import { signedOut } from './signed-out.ts';

const { client, ...browser } = createBrowserClient({
  origin: location.origin,
  signedOut,
  early: takeEarly,
});
export const pager = {
  ...browser,
  client: {
    ...client,
    async send(request: Request) {
      const sentAt = Date.now();
      const answer = await client.send(request);
      note(answer, sentAt);
      return answer;
    },
  },
};

/** What is thrown where an answer is awaited. */
export class PagerError extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.type);
    this.failure = failure;
  }
}

export async function readSession() {
  const answer = await pager.session();
  if (!answer.ok) throw new PagerError(answer.failure);
  return answer.value;
}

/** Names of all records of one route, by id. */
export async function readNames(path: string): Promise<ReadonlyMap<string, string>> {
  const answer = await listAll(pager.client, path);
  if (!answer.ok) throw new PagerError(answer.failure);
  // Each of them has an id.
  const named = answer.value as readonly (Fields & { readonly id: string })[];
  return new Map(named.map((one) => [one.id, displayNameOf(one)]));
}

/** What this version of the API answers, as docs/openapi.json has it. */
export async function readBody<Body>(path: string, query: Query = {}): Promise<Body> {
  const answer = await pager.client.send({ method: 'GET', path, query });
  if (!answer.ok) throw new PagerError(answer.failure);
  return answer.body as unknown as Body;
}

/** The same of what is computed from a body, such as a preview. */
export async function readComputed<Body>(
  path: string,
  body: Readonly<Record<string, unknown>>,
): Promise<Body> {
  const answer = await pager.client.send({ method: 'POST', path, body });
  if (!answer.ok) throw new PagerError(answer.failure);
  return answer.body as unknown as Body;
}

/** The same of all pages of a list. */
export async function readList<One>(path: string, query: Query = {}): Promise<readonly One[]> {
  const answer = await listAll(pager.client, path, query);
  if (!answer.ok) throw new PagerError(answer.failure);
  return answer.value as unknown as readonly One[];
}
