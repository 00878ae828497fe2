// One HTTP call and its response, within its times: what calls of users' addresses and of vendors have
// in common.
import type { ClientRequest, IncomingMessage } from 'node:http';

export type ExchangeLimits = {
  readonly connectTimeoutMs: number;
  readonly totalTimeoutMs: number;
};

export class TimeoutError extends Error {}

type Exchange<Answer> = ExchangeLimits & {
  readonly body?: string | Uint8Array | undefined;
  readonly read: (response: IncomingMessage) => Promise<Answer>;
  readonly onConnected?: () => void;
};

/** Ends the call in any case. Throws a `TimeoutError`, or what broke the connection. */
export async function exchangeOn<Answer>(
  call: ClientRequest,
  { body, read, onConnected, connectTimeoutMs, totalTimeoutMs }: Exchange<Answer>,
): Promise<Answer> {
  let late: TimeoutError | undefined;
  const fail = (doing: string) => () => {
    late = new TimeoutError(`timed out ${doing}`);
    call.destroy(late);
  };
  const total = setTimeout(fail('waiting for the answer'), totalTimeoutMs);
  const connecting = setTimeout(fail('connecting'), connectTimeoutMs);
  const connected = call.protocol === 'https:' ? 'secureConnect' : 'connect';
  call.once('socket', (socket) => {
    socket.once(connected, () => {
      clearTimeout(connecting);
      onConnected?.();
    });
  });
  try {
    return await read(await responseTo(call, body));
  } catch (error) {
    // One whose answer has begun reports only that it ended.
    throw late ?? error;
  } finally {
    clearTimeout(connecting);
    clearTimeout(total);
    call.destroy();
  }
}

function responseTo(call: ClientRequest, body: string | Uint8Array = ''): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  call.once('response', resolve);
  // Not once: destroying the call after its answer may report a second error.
  call.on('error', reject);
  // Node hangs up on one that changes to another protocol, and reports no error.
  call.once('close', () => reject(Object.assign(new Error(), { code: 'ECONNRESET' })));
  // In bytes: beside a text, Node would write the headers in its encoding, not in their own.
  call.end(Buffer.from(body));
  return promise;
}

/** Only the code: messages of errors may quote addresses, which are secret. */
export function codeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  if (error instanceof Error && 'code' in error) return String(error.code);
  return error instanceof Error ? error.name : 'unknown';
}
