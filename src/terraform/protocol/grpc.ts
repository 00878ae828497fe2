// The server's side of gRPC over HTTP/2: calls with one request and one answer, and streams that
// are only held open.
import {
  createSecureServer,
  createServer,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2';
import { type Draft, decode, encode, type Message, type Table } from './protobuf.ts';

type Method = { readonly request: Table; readonly response: Table };
export type Methods = { readonly [name: string]: Method };

/** What answers each of the methods. What a handler throws becomes the call's error. */
export type Handlers<M extends Methods> = {
  readonly [Name in keyof M]: (
    request: Message<M[Name]['request']>,
  ) => Draft<M[Name]['response']> | Promise<Draft<M[Name]['response']>>;
};

type Unary = (request: Uint8Array) => Promise<Uint8Array>;
/** By the path of the call: /package.Service/Method. */
export type Routes = { readonly [path: string]: Unary | 'held open' };

export function routesOf<M extends Methods>(
  service: string,
  methods: M,
  handlers: Handlers<M>,
): Routes {
  const entries = Object.entries(methods).map(([name, { request, response }]) => {
    // Name and handler belong together, which the types of entries have lost.
    const handler = handlers[name] as Handlers<Methods>[string];
    const unary: Unary = async (bytes) => encode(response, await handler(decode(request, bytes)));
    return [`/${service}/${name}`, unary] as const;
  });
  return Object.fromEntries(entries);
}

/** Both ends prove themselves, each by a certificate that the other was given beforehand. */
export type MutualTls = { readonly key: string; readonly cert: string; readonly ca: string };

// A whole request fits into the window of its stream: Bun does not widen it later.
const settings = { initialWindowSize: 0x7fffffff };

/** `routesFor` is asked once for each connection, so that each can have a state of its own. */
export function grpcServer(routesFor: () => Routes, tls: MutualTls | null): Http2Server {
  const server = tls
    ? createSecureServer({ settings, ...tls, requestCert: true, rejectUnauthorized: true })
    : createServer({ settings });
  server.on('session', (session) => {
    const routes = routesFor();
    session.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) =>
      receive(stream, headers, routes),
    );
  });
  return server;
}

function receive(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, routes: Routes): void {
  // A call that its caller has given up needs no answer.
  stream.on('error', () => undefined);
  const path = headers[':path'] ?? '';
  const route = Object.hasOwn(routes, path) ? routes[path] : undefined;
  if (route === undefined) refuse(stream, status.unimplemented, `there is no method ${path}`);
  else if (route === 'held open') holdOpen(stream);
  else {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => void answer(stream, Buffer.concat(chunks), route));
  }
}

function holdOpen(stream: ServerHttp2Stream): void {
  stream.respond(answerHeaders);
  stream.resume();
}

const status = { ok: 0, unimplemented: 12, internal: 13 } as const;
const answerHeaders = { ':status': 200, 'content-type': 'application/grpc' } as const;

async function answer(stream: ServerHttp2Stream, sent: Buffer, route: Unary): Promise<void> {
  try {
    const message = await route(unframed(sent));
    if (stream.destroyed) return;
    stream.respond(answerHeaders, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': status.ok }));
    stream.end(framed(message));
  } catch (error) {
    // A fault of ours: Terraform shows the text, so that it can be reported.
    const text = error instanceof Error ? error.stack : undefined;
    refuse(stream, status.internal, text ?? String(error));
  }
}

function refuse(stream: ServerHttp2Stream, code: number, message: string): void {
  if (stream.destroyed) return;
  const reason = { 'grpc-status': code, 'grpc-message': percentEncoded(message) };
  stream.respond({ ...answerHeaders, ...reason }, { endStream: true });
}

/** Before a message: whether it is compressed, which we never offer, and its length. */
const frameHeadBytes = 5;

function unframed(sent: Buffer): Buffer {
  if (sent.length < frameHeadBytes || sent[0] !== 0)
    throw new Error('a request is one message, not compressed');
  const message = sent.subarray(frameHeadBytes);
  if (message.length !== sent.readUInt32BE(1)) throw new Error('a request is one whole message');
  return message;
}

function framed(message: Uint8Array): Buffer {
  const head = Buffer.alloc(frameHeadBytes);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

function percentEncoded(text: string): string {
  const hex = (byte: number) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  const isPlain = (byte: number) => byte >= 0x20 && byte <= 0x7e && byte !== 0x25;
  return [...Buffer.from(text)]
    .map((byte) => (isPlain(byte) ? String.fromCharCode(byte) : hex(byte)))
    .join('');
}
