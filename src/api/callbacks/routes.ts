// What vendors send about messages and calls, and what people answer to them:
// {public url}/callbacks/<channel>/<connection id>[/<handle>]
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type {
  CallbackInbound,
  CallbackReader,
  CallbackReply,
  CallbackRequest,
} from '../../engine/receiving/callback.ts';
import { httpLimits } from '../../limits/http.ts';
import type { CalledConnection, OpenConnection } from '../../storage/connections/connections.ts';
import { Refusal } from '../failures.ts';
import type { SecretLookup } from '../http/guesses.ts';
import type { Forgeries } from './forgeries.ts';

export type CallbackOptions = {
  readonly publicUrl: string;
  /** By vendor. */
  readonly readers: ReadonlyMap<string, CallbackReader<CalledConnection>>;
  readonly find: SecretLookup<CalledConnection>;
  /** Does what it says; null: nobody is to be answered. */
  readonly receive: (received: Received) => Promise<CallbackReply | null>;
  readonly refused: (connection: OpenConnection, reason: string) => void;
  readonly forgeries: Forgeries<CalledConnection>;
};

export type Received = {
  readonly connection: OpenConnection;
  readonly channel: string;
  /** Of the attempt that it is about; null: of none. */
  readonly handle: string | null;
  readonly inbound: CallbackInbound;
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
    const handler = (request: FastifyRequest, reply: FastifyReply) =>
      handle(options, request, reply);
    // No browser shows these answers: the headers for browsers stay away.
    callbacks.post('/callbacks/:channel/:connection', { helmet: false, handler });
    callbacks.post('/callbacks/:channel/:connection/:handle', { helmet: false, handler });
    done();
  });
}

async function handle(options: CallbackOptions, request: FastifyRequest, reply: FastifyReply) {
  type Params = { channel: string; connection: string; handle?: string };
  const { channel, connection: id, handle = null } = request.params as Params;
  const { forgeries } = options;
  const find = () => forgeries.knownAt(request.ip, id) ?? options.find(id, request.ip);
  const connection = idForm.test(id) ? await find() : null;
  if (connection === 'too_many') throw new Refusal('rate_limited', { retryAfterSeconds: 1 });
  const reader = connection === null ? undefined : options.readers.get(connection.vendor);
  if (connection === null || reader === undefined)
    throw new Refusal('not_found', { message: 'There is no connection with this id.' });
  const callback: CallbackRequest = {
    channel,
    url: `${options.publicUrl}${request.raw.url ?? ''}`,
    headers: request.headers,
    body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
  };
  const read = reader.read(callback, connection);
  if ('refused' in read) {
    forgeries.count(request.ip, id, connection);
    options.refused(connection, read.refused);
    throw new Refusal('unauthorized', { message: `This is refused: ${read.refused}.` });
  }
  const { inbound } = read;
  const answered = await options.receive({ connection, channel, handle, inbound });
  const { status, contentType, body } = reader.answer(inbound, answered, callback);
  return reply.code(status).type(contentType).send(body);
}
