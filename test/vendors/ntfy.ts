// A server of ntfy on loopback. It holds requests to the contract, refuses what ntfy refuses with its
// codes, and shows what a phone would show.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { noLanes } from '../../src/channels/lanes.ts';
import type { NtfyOptions } from '../../src/channels/ntfy/publish.ts';
import { systemClock } from '../../src/engine/clock.ts';
import { ntfyProblem } from './ntfy-contract.ts';
import { TokenBuckets } from './token-buckets.ts';

type Action = {
  readonly action: string;
  readonly label: string;
  readonly url: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly clear?: boolean;
};
export type Published = {
  readonly topic: string;
  readonly title: string;
  readonly message: string;
  readonly priority: number;
  readonly sequence_id: string;
  readonly click: string;
  readonly actions: readonly Action[];
};

type Answer = {
  readonly status: number;
  /** Of ntfy's errors. */
  readonly code?: number;
  readonly headers?: Readonly<Record<string, string>>;
};

export type FakeNtfy = AsyncDisposable & {
  readonly url: string;
  readonly published: readonly Published[];
  /** What ntfy would have refused. */
  readonly complaints: readonly string[];
  /** Only who has it may publish from now on. */
  token: string | null;
  /** Topics that nobody else may publish to. */
  readonly reserved: Set<string>;
  /** What is answered in place of what would be. */
  answer: Answer | null;
  /** How many requests were more than ntfy takes. */
  refusedByRate: number;
  /** What a subscriber of the topic sees now: of each sequence the last message. */
  shown(topic: string): readonly Published[];
  /** What the app does when the button of a message is pressed. */
  press(message: Published, label: string): Promise<Response>;
};

export async function startFakeNtfy(
  now: () => Temporal.Instant = systemClock.now,
): Promise<FakeNtfy> {
  const requests = new TokenBuckets({ perSecond: 0.2, burst: 60, now });
  const published: Published[] = [];
  const complaints: string[] = [];
  const server = createServer((request, response) => void take(request, response));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;

  const fake: FakeNtfy = {
    url: `http://127.0.0.1:${port}`,
    published,
    complaints,
    token: null,
    reserved: new Set<string>(),
    answer: null,
    refusedByRate: 0,
    shown(topic) {
      const bySequence = new Map<string, Published>();
      for (const message of published)
        if (message.topic === topic) bySequence.set(message.sequence_id, message);
      return [...bySequence.values()];
    },
    press({ actions }, label) {
      const action = actions.find((one) => one.label === label);
      if (action === undefined) throw new Error(`no button ${label}`);
      const { url, method = 'POST', headers = {} } = action;
      return fetch(url, { method, headers });
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await request.toArray());
    const isKnown = fake.token === null || request.headers.authorization === `Bearer ${fake.token}`;
    if (fake.answer !== null) return refuse(response, fake.answer);
    if (request.method === 'GET' && request.url === '/v1/health')
      return done(response, { healthy: true });
    if (request.headers.authorization !== undefined && !isKnown)
      return refuse(response, { status: 401, code: 40_101 });
    if (request.method === 'GET' && request.url === '/v1/account')
      return done(response, { username: isKnown ? 'pager' : '*' });
    if (request.method !== 'POST' || request.url !== '/')
      return refuse(response, { status: 404, code: 40_401 });
    if (requests.take('') > 0) {
      fake.refusedByRate += 1;
      return refuse(response, { status: 429, code: 42_901 });
    }
    const complaint = ntfyProblem(body);
    if (complaint !== null) {
      complaints.push(complaint);
      return refuse(response, { status: 400, code: 40_017 });
    }
    const message = JSON.parse(body.toString()) as Published;
    if (!isKnown || fake.reserved.has(message.topic))
      return refuse(response, { status: 403, code: 40_301 });
    published.push(message);
    const { topic, title } = message;
    done(response, {
      id: `m${published.length}`,
      time: 1_795_240_800,
      event: 'message',
      topic,
      title,
    });
  }
  return fake;
}

function refuse(response: ServerResponse, { status, code, headers }: Answer): void {
  response.writeHead(status, headers).end(JSON.stringify({ code, http: status, error: 'refused' }));
}

const done = (response: ServerResponse, body: object) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};

/** Of an organisation without a connection to ntfy. */
export const noNtfy: NtfyOptions = {
  baseUrl: '',
  publicUrl: 'https://pager.example.com',
  connectionsOf: async () => [],
  answered: async () => {},
  lanes: noLanes,
};
