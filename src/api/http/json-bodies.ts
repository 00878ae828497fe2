// Bodies of API requests. Small ones are read as they come. A large one waits while its sender has
// sent much, takes memory that all organizations share, and is read in a worker thread, which also
// reports its mistakes, before anything that it refers to is looked up.
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { Room } from '../../admission/room.ts';
import { httpLimits } from '../../limits/http.ts';
import { jsonBytesMax } from '../../resources/declaration/size.ts';
import { transferred } from '../../workers/transfer.ts';
import { type Compute, requesterOf } from '../computing/computer.ts';
import { Refusal } from '../failures.ts';
import type { Caller, Route } from '../route.ts';
import { type Body, bodyIn } from './large-body.ts';
import { RateLimit } from './rate-limit.ts';
import { readJson } from './read-json.ts';
import { announcedBy, bodyOf } from './sent-body.ts';
import { type Blocks, bytesIn, joined } from './sent-bytes.ts';

/** Blanks, and what a client read with a record and sends back. */
const SLACK = 2;

/** The largest body that the route takes: twice what its record can hold. */
export function bodyBytesMax({ body }: Pick<Route, 'body'>): number {
  const bytes = body === undefined ? 0 : jsonBytesMax(body);
  if (!Number.isFinite(bytes)) return httpLimits.anyBody;
  return Math.min(Math.max(SLACK * bytes, httpLimits.smallBody), httpLimits.largeBody);
}

/** A body, and the room that it takes until it is disposed. */
export type ReadBody = Disposable & Body;

/** Beyond the burst, large bodies wait unread: their senders wait too, and need not send again. */
const paceOptions = {
  perSecond: httpLimits.largeBytesPerSecond,
  burst: httpLimits.largeBytesAtOnce,
  patienceMs: httpLimits.bodyPatience,
};

type Expecting = { readonly caller: Caller; readonly route: Route };

export function createJsonBodies(compute: Compute) {
  const room = new Room({ slots: httpLimits.bodies, bytes: httpLimits.bodyBytes });
  const pace = new RateLimit(paceOptions);

  return async (request: FastifyRequest, { caller, route }: Expecting): Promise<ReadBody> => {
    const isPaced = await whenItsTurn(request, { caller, route });
    using stack = new DisposableStack();
    const place = room.enter(caller.organizationId, 0);
    if (place === null) throw noRoom();
    stack.use(place);
    const blocks = await bodyOf(request, {
      bytesMax: bodyBytesMax(route),
      // Room is taken for what has come: to announce much costs nothing.
      announced: null,
      resize: (size) => size <= httpLimits.smallBody || place.resize(size),
      noRoom,
    });
    const { caller: sender } = requesterOf(caller);
    const sent = bytesIn(blocks ?? []);
    if (!isPaced && sent > httpLimits.smallBody) pace.count(sender, sent, performance.now());
    const body = await read(blocks ?? [], { caller, route });
    const moved = stack.move();
    return { ...body, [Symbol.dispose]: () => moved.dispose() };
  };

  /** Answers whether the body was counted; one without an announced length is, once it was read. */
  async function whenItsTurn(request: FastifyRequest, { caller, route }: Expecting) {
    const bytes = announcedBy(request) ?? 0;
    if (bytes <= httpLimits.smallBody || bytes > bodyBytesMax(route)) return false;
    const waitMs = pace.enter(requesterOf(caller).caller, bytes, performance.now());
    if (waitMs === null) throw tooFast();
    if (waitMs > 0) await pause(waitMs, undefined, { ref: false });
    return true;
  }

  async function read(blocks: Blocks, { caller, route }: Expecting): Promise<Body> {
    if (bytesIn(blocks) <= httpLimits.smallBody)
      return { value: readJson(joined(blocks)), asRead: new Set() };
    const { body: schema, record } = route;
    const of = record
      ? { record: { name: record.resource.name, isPatch: record.isPatch } }
      : { ...(schema && { schema }) };
    return bodyIn(await compute(requesterOf(caller), 'body', transferred({ blocks, of }, blocks)));
  }
}

const tooFast = () =>
  new Refusal('rate_limited', {
    message: 'You are sending large requests too fast. Try again.',
    retryAfterSeconds: 5,
  });

const noRoom = () =>
  new Refusal('rate_limited', {
    message: 'The server is reading too many large requests. Try again.',
    retryAfterSeconds: 1,
  });
