// An API that cannot be reached is waited for once, not once per record; and what is no API is found
// by a read, before the writes that it would leave in doubt.
import { type Answer, type Failed, failed } from '../client/answer.ts';
import type { Client } from '../client/client.ts';
import { readPage } from '../client/pages.ts';

/** So long nothing more is tried once all tries of a request were in vain. */
const OUTAGE_MS = 30_000;

type Outage = { readonly answer: Answer; readonly until: number };

export function giveUpTogether(client: Client, now = () => performance.now()): Client {
  let outage: Outage | undefined;
  return {
    ...client,
    async send(request) {
      if (outage !== undefined && now() < outage.until) return outage.answer;
      const answer = await client.send(request);
      if (!answer.ok && answer.failure.type === 'unreachable')
        outage = { answer: failed(answer.failure), until: now() + OUTAGE_MS };
      return answer;
    },
  };
}

/** Sends a first write only when a read has been answered by the API. */
export function readBeforeWriting(client: Client): Client {
  let isKnown = false;
  let reading: Promise<Failed | undefined> | undefined;

  async function read(): Promise<Failed | undefined> {
    const page = await readPage(client, '/services', { limit: '1' });
    reading = undefined;
    if (!page.ok && page.failure.type !== 'refused') return page;
    isKnown = true;
    return undefined;
  }

  return {
    ...client,
    async send(request) {
      if (request.method !== 'GET' && !request.isRead && !isKnown) {
        reading ??= read();
        const failure = await reading;
        if (failure !== undefined) return failure;
      }
      return client.send(request);
    },
  };
}
