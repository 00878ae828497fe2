// An API that cannot be reached is waited for once, not once per record.
import { type Answer, failed } from '../client/answer.ts';
import type { Client } from '../client/client.ts';

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
