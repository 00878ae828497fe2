// What a user of the HTTP API does, over the network.
import assert from 'node:assert/strict';

export type Reply = {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  readonly body: any;
};

export type Api = {
  /** Any request: `send('GET /incidents')`. */
  send(request: string, body?: unknown): Promise<Reply>;
  /** Makes a record and answers it. */
  create(kind: string, fields: unknown): Promise<Reply['body']>;
  list(kind: string): Promise<Reply['body'][]>;
};

const ANSWER_MILLISECONDS_MAX = 120_000;

export async function request(url: string, init: RequestInit = {}): Promise<Reply> {
  const signal = AbortSignal.timeout(ANSWER_MILLISECONDS_MAX);
  const answer = await fetch(url, { signal, redirect: 'manual', ...init });
  const text = await answer.text();
  const isJson = answer.headers.get('content-type')?.includes('json') ?? false;
  return { status: answer.status, body: isJson ? JSON.parse(text) : text };
}

export const postJson = (url: string, body: unknown): Promise<Reply> =>
  request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

export function createApiClient(url: string, apiKey: string): Api {
  const send = (line: string, body?: unknown) => {
    const [method = 'GET', path = ''] = line.split(' ');
    return request(`${url}/api/v1${path}`, {
      method,
      headers: {
        'x-api-key': apiKey,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  };
  /** Told to come again, comes again: the limit of requests gives room within a second. */
  const patiently = async (line: string, body?: unknown) => {
    for (;;) {
      const reply = await send(line, body);
      if (reply.status !== 429) return reply;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  return {
    send,
    async create(kind, fields) {
      const { status, body } = await patiently(`POST /${kind}`, fields);
      assert.equal(status, 201, JSON.stringify(body));
      return body;
    },
    async list(kind) {
      const { status, body } = await patiently(`GET /${kind}?limit=200`);
      assert.equal(status, 200, JSON.stringify(body));
      return body.data;
    },
  };
}
