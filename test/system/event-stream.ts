// A reader of the event stream, over the network.
import assert from 'node:assert/strict';
import { inProcessKey } from './in-process.ts';

export type StreamEvent = {
  readonly id: string;
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into data of every shape.
  readonly data: any;
};

export type StreamReader = AsyncDisposable & {
  readonly headers: Headers;
  /** The next event; null when the stream has ended. A heartbeat is an event too. */
  next(): Promise<StreamEvent | null>;
};

type Opening = { readonly key?: string; readonly headers?: Readonly<Record<string, string>> };

const HEARTBEAT: StreamEvent = { id: '', event: 'heartbeat', data: {} };
const PATIENCE_MILLISECONDS = 20_000;

export function requestStream(url: string, opening: Opening = {}, signal?: AbortSignal) {
  const { key = inProcessKey, headers = {} } = opening;
  const identified = headers['cookie'] === undefined ? { 'x-api-key': key, ...headers } : headers;
  return fetch(`${url}/api/v1/events/stream`, { headers: identified, ...(signal && { signal }) });
}

export async function openStream(url: string, opening: Opening = {}): Promise<StreamReader> {
  const leaving = new AbortController();
  const signal = AbortSignal.any([leaving.signal, AbortSignal.timeout(PATIENCE_MILLISECONDS)]);
  const answer = await requestStream(url, opening, signal);
  assert.equal(answer.status, 200, `${url} ${answer.status}`);
  assert.ok(answer.body);
  const texts = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    headers: answer.headers,
    async next() {
      while (!text.includes('\n\n')) {
        const { value, done } = await texts.read();
        if (done) return null;
        text += value;
      }
      const [block = ''] = text.split('\n\n', 1);
      text = text.slice(block.length + 2);
      return block.startsWith(':') ? HEARTBEAT : eventOf(block);
    },
    async [Symbol.asyncDispose]() {
      leaving.abort();
      await texts.closed.catch(() => undefined);
    },
  };
}

function eventOf(block: string): StreamEvent {
  const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/s)));
  return { id: fields.id, event: fields.event, data: JSON.parse(fields.data) };
}
