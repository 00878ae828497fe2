// Events and acknowledgements without pause, and what was promised for them.
import { setTimeout as pause } from 'node:timers/promises';
import { createApiClient, postJson } from './api-client.ts';
import { eventually } from './eventually.ts';

export type Promised = {
  /** Ids of the events that were answered 2xx, with the number of their incident. */
  readonly events: ReadonlyMap<string, number | null>;
  /** By number of an incident: when the answer to its acknowledgement was here. */
  readonly acknowledgedMs: ReadonlyMap<number, number>;
  /** Answers that are neither a promise nor a refusal to be expected while servers die. */
  readonly strange: readonly string[];
};

export type Load = AsyncDisposable & {
  readonly promised: Promised;
  /** Resolves after this many more events were promised. */
  more(count: number): Promise<void>;
};

type LoadOptions = {
  readonly urls: readonly string[];
  readonly apiKey: string;
  /** Paths below the servers' addresses. */
  readonly hooks: readonly string[];
};

const SENDERS = 6;
const PAUSE_MILLISECONDS = 25;
const ACKNOWLEDGE_EVERY = 4;

export function startLoad({ urls, apiKey, hooks }: LoadOptions): Load {
  const events = new Map<string, number | null>();
  const acknowledgedMs = new Map<number, number>();
  const strange: string[] = [];
  let isStopping = false;
  let sent = 0;

  async function sendOne(url: string): Promise<void> {
    sent += 1;
    const { status, body } = await postJson(`${url}${hooks[sent % hooks.length]}`, {
      title: `load ${sent}`,
      dedup_key: `load-${sent}`,
    });
    if (status === 503 || status === 429) return;
    if (status !== 202) {
      strange.push(`an event: ${status} ${JSON.stringify(body)}`);
      return;
    }
    const number: number | null = body.alerts[0]?.incident ?? null;
    events.set(body.event_id, number);
    if (number === null || events.size % ACKNOWLEDGE_EVERY !== 0) return;
    const acknowledged = await createApiClient(url, apiKey).send(
      `POST /incidents/${number}/acknowledge`,
    );
    if (acknowledged.status === 200) acknowledgedMs.set(number, Date.now());
    else if (acknowledged.status !== 503) strange.push(`acknowledging: ${acknowledged.status}`);
  }

  async function send(sender: number): Promise<void> {
    for (let turn = sender; !isStopping; turn += 1) {
      // A server that was killed answers nothing, and then nothing was promised.
      await sendOne(urls[turn % urls.length] ?? '').catch(() => undefined);
      await pause(PAUSE_MILLISECONDS);
    }
  }

  const running = Array.from({ length: SENDERS }, (_, sender) => send(sender));
  return {
    promised: { events, acknowledgedMs, strange },
    async more(count) {
      const enough = events.size + count;
      const summary = () => `${count} more events are accepted; strange: ${strange.slice(0, 3)}`;
      await eventually(summary, () => events.size >= enough);
    },
    async [Symbol.asyncDispose]() {
      isStopping = true;
      await Promise.all(running);
    },
  };
}
