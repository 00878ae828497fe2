// What is sent before the client of the page is there: it takes the answers, each once. With no more
// than that needs, since it comes before all else.
import type { Received } from '../../client/answer.ts';
import type { Query } from '../../client/client.ts';
import { type Cache, fetched } from '../../client/fetched.ts';
import { FRESH_MS } from './fresh.ts';

/** As long as the client waits. */
const WAIT_MS = 35_000;

/** When the answer came: what is under way is not old. */
type Early = { readonly answer: Promise<Received>; answeredAt: number };
const sent = new Map<string, Early>();

export function sendEarly(path: string, query: Query = {}, cache?: Cache): Promise<Received> {
  const url = new URL(path, location.origin);
  url.search = new URLSearchParams(query).toString();
  const ends = { signal: new AbortController().signal, totalMs: WAIT_MS };
  const headers = { accept: 'application/json' };
  const answer = fetched({ url, method: 'GET', headers, body: undefined }, ends, cache);
  const early = { answer, answeredAt: Number.POSITIVE_INFINITY };
  const settle = () => {
    early.answeredAt = performance.now();
  };
  // Who takes it hears of a failure.
  answer.then(settle, settle);
  sent.set(url.href, early);
  return answer;
}

/** Undefined: there is none, or it is old. */
export function takeEarly({ href }: URL): Promise<Received> | undefined {
  const early = sent.get(href);
  sent.delete(href);
  return early && performance.now() - early.answeredAt < FRESH_MS ? early.answer : undefined;
}
