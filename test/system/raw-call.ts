// Requests that no well-behaved client would send, and the checks that every answer must pass.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';

export type RawCall = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
};

export type RawAnswer = {
  readonly status: number;
  readonly requestId: string;
  readonly text: string;
};

const ANSWER_MILLISECONDS_MAX = 120_000;

export async function rawCall(url: string, call: RawCall): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  const { method, path } = call;
  // Said in any case: without it, a body after GET would be read as the next request.
  const headers = { ...call.headers, 'content-length': Buffer.byteLength(call.body ?? '') };
  const signal = AbortSignal.timeout(ANSWER_MILLISECONDS_MAX);
  const outgoing = request({ hostname, port, method, path, headers, signal, agent: false });
  outgoing.end(call.body);
  const [answer]: IncomingMessage[] = await once(outgoing, 'response');
  assert.ok(answer);
  const chunks = await answer.toArray();
  return {
    status: answer.statusCode ?? 0,
    requestId: String(answer.headers['x-request-id'] ?? ''),
    text: Buffer.concat(chunks).toString(),
  };
}

/** No fault of the server's, and refusals in their one form. */
export function isProper({ status, requestId, text }: RawAnswer): void {
  assert.ok(status >= 200 && status < 500, `${status} ${text}`);
  if (status < 400) return;
  const { error, message, issues, request_id, ...more } = JSON.parse(text);
  assert.equal(typeof error, 'string', text);
  assert.equal(typeof message, 'string', text);
  assert.ok(Array.isArray(issues), text);
  assert.deepEqual(more, {}, text);
  assert.equal(request_id, requestId);
}

type RawBytes = { readonly port: number; readonly bytes: Uint8Array; readonly isGreeted?: boolean };

/** Sends bytes and answers what came back until the other side closed; fails if it never does. */
export async function talk({ port, bytes, isGreeted = false }: RawBytes): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  const deadline = AbortSignal.timeout(ANSWER_MILLISECONDS_MAX);
  let heard = '';
  socket.setEncoding('latin1').on('data', (text: string) => {
    heard += text;
  });
  // A server may close while we still write.
  socket.on('error', () => undefined);
  if (isGreeted) await once(socket, 'data', { signal: deadline });
  socket.write(bytes);
  try {
    await once(socket, 'close', { signal: deadline });
  } catch {
    assert.fail(`no end after ${ANSWER_MILLISECONDS_MAX} ms; heard ${heard.slice(0, 500)}`);
  } finally {
    socket.destroy();
  }
  return heard;
}
