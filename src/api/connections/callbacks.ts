// What vendors send about messages and calls, and what people answer to them:
// {public url}/callbacks/<channel>/<connection id>[/<handle>]
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Gates } from '../../admission/gates.ts';
import { Room } from '../../admission/room.ts';
import { httpLimits } from '../../limits/http.ts';
import type {
  CallbackAnswer,
  CallbackReader,
  CallbackRequest,
  Replied,
} from '../../replies/callback.ts';
import { couldNotBeDone, type Inbound, type Reply } from '../../replies/inbound.ts';
import type {
  CalledConnection,
  OpenConnection,
} from '../../storage/connections/open-connections.ts';
import { Refusal } from '../failures.ts';
import type { SecretLookup } from '../http/guesses.ts';
import type { Forgeries } from './forgeries.ts';

export type CallbackOptions = {
  readonly publicUrl: string;
  /** By vendor. */
  readonly readers: ReadonlyMap<string, CallbackReader<CalledConnection>>;
  readonly find: SecretLookup<CalledConnection>;
  readonly receive: (received: Received) => Promise<Reply>;
  /** What was deferred could not be done, or its reply could not be sent. */
  readonly failed: (connection: OpenConnection, error: unknown) => void;
  readonly refused: (connection: OpenConnection, reason: string) => void;
  readonly forgeries: Forgeries<CalledConnection>;
};

export type Received = {
  readonly connection: OpenConnection;
  readonly channel: string;
  readonly inbound: Inbound;
};

const idForm = /^[0-9a-f]{24}$/;

export function mountCallbacks(app: FastifyInstance, options: CallbackOptions): void {
  void app.register((callbacks, _options, done) => {
    callbacks.removeAllContentTypeParsers();
    // Signatures are of the bytes as they came.
    callbacks.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: httpLimits.callbackBody },
      async (_request: FastifyRequest, body: Buffer) => body,
    );
    const deferred = new Set<Promise<void>>();
    callbacks.addHook('onClose', async () => void (await Promise.all(deferred)));
    const defer = (work: Promise<void>) => {
      deferred.add(work);
      void work.finally(() => deferred.delete(work));
    };
    const room = new Room({ slots: httpLimits.callbacks, bytes: httpLimits.callbackBytes });
    const gates = new Gates(httpLimits.callbacksHandled);
    const handling: Handling = {
      ...options,
      // One at a time, also of requests with many: none of them holds up the others.
      receive: (received) =>
        gates.pass(received.connection.organization_id, () => options.receive(received)),
      room,
      defer,
    };
    const handler = (request: FastifyRequest, reply: FastifyReply) =>
      handle(handling, request, reply);
    // No browser shows these answers: the headers for browsers stay away.
    const route = {
      method: ['GET', 'POST'],
      exposeHeadRoute: false,
      helmet: false as const,
      handler,
    };
    callbacks.route({ ...route, url: '/callbacks/:channel/:connection' });
    callbacks.route({ ...route, url: '/callbacks/:channel/:connection/:handle' });
    done();
  });
}

type Handling = CallbackOptions & {
  readonly room: Room;
  readonly defer: (work: Promise<void>) => void;
};

async function handle(options: Handling, request: FastifyRequest, reply: FastifyReply) {
  type Params = { channel: string; connection: string; handle?: string };
  const { channel, connection: id, handle } = request.params as Params;
  const { forgeries } = options;
  const find = () => forgeries.knownAt(request.ip, id) ?? options.find(id, request.ip);
  const connection = idForm.test(id) ? await find() : null;
  if (connection === 'too_many') throw new Refusal('rate_limited', { retryAfterSeconds: 1 });
  const reader = connection === null ? undefined : options.readers.get(connection.vendor);
  if (connection === null || reader === undefined)
    throw new Refusal('not_found', { message: 'Connection not found.' });
  if (request.method === 'GET' && !reader.takesGet)
    throw new Refusal('method_not_allowed', { message: 'Send it by POST.', allow: ['POST'] });
  const callback: CallbackRequest = {
    method: request.method === 'GET' ? 'GET' : 'POST',
    channel,
    url: `${options.publicUrl}${request.raw.url ?? ''}`,
    headers: request.headers,
    body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
  };
  const read = await reader.read(callback, connection);
  if ('refused' in read) {
    forgeries.count(request.ip, id, connection);
    options.refused(connection, read.refused);
    throw new Refusal('unauthorized', { message: `Refused: ${read.refused}.` });
  }
  const send = ({ status, contentType, body }: CallbackAnswer) =>
    reply.code(status).type(contentType).send(body);
  if ('answer' in read) return send(read.answer);
  const inbounds = read.inbounds.map((inbound) => named(inbound, handle));
  const isDeferred = 'isDeferred' in read;
  const cameBy = ('channel' in read && read.channel) || channel;
  const taken = { connection, reader, callback: { ...callback, channel: cameBy }, inbounds };
  return send(await take(options, { ...taken, isDeferred }));
}

type Taken = {
  readonly connection: CalledConnection;
  readonly reader: CallbackReader<CalledConnection>;
  readonly callback: CallbackRequest;
  readonly inbounds: readonly Inbound[];
  readonly isDeferred: boolean;
};

/** Does what a request asks for, while its organization has room for it. */
async function take(
  options: Handling,
  { connection, reader, callback, inbounds, isDeferred }: Taken,
): Promise<CallbackAnswer> {
  const { channel } = callback;
  const slot = options.room.enter(connection.organization_id, callback.body.byteLength);
  if (slot === null) {
    options.refused(connection, tooMany);
    throw new Refusal('rate_limited', { status: 503, retryAfterSeconds: 1, message: tooMany });
  }
  using places = new DisposableStack();
  places.use(slot);
  // It has the place of the request until it is done.
  const defer = (work: () => Promise<void>) => {
    const moved = places.move();
    options.defer(work().finally(() => moved.dispose()));
  };
  const receive = async (inbound: Inbound): Promise<Replied> => ({
    inbound,
    reply: await options.receive({ connection, channel, inbound }),
  });
  const respond = async (replied: Replied) => {
    try {
      const problem = await reader.respond?.(replied, connection, callback);
      if (problem) throw new Error(`a reply could not be sent: ${problem}`);
    } catch (error) {
      options.failed(connection, error);
    }
  };
  if (isDeferred) {
    defer(async () => {
      for (const inbound of inbounds)
        await respond(
          await receive(inbound).catch((error: unknown) => {
            options.failed(connection, error);
            return { inbound, reply: couldNotBeDone };
          }),
        );
    });
    return await reader.answer([], callback, connection);
  }
  const replied: Replied[] = [];
  const failures: unknown[] = [];
  // The vendor delivers all of them again if one fails, which holds up no other.
  for (const inbound of inbounds)
    await receive(inbound).then(
      (one) => replied.push(one),
      (error: unknown) => failures.push(error),
    );
  if (reader.respond)
    defer(async () => {
      for (const one of replied) await respond(one);
    });
  if (failures.length > 0) throw failures[0];
  return await reader.answer(replied, callback, connection);
}

const tooMany = 'Too many requests for this organization are in progress.';

/** What is about an attempt names it itself, or by the address that was called. */
const named = (inbound: Inbound, handle: string | undefined): Inbound =>
  (inbound.type === 'receipt' || inbound.type === 'key') && handle !== undefined
    ? { handle, ...inbound }
    : inbound;
