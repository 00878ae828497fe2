// Bodies of API requests: small ones are read as they come; a large one takes room that all
// organisations share, and is looked at in a worker thread before it is read here.
import { Room } from '../../admission/room.ts';
import { jsonBytesMax } from '../../resources/declaration/size.ts';
import { askerOf, type Compute } from '../computing/computer.ts';
import { Refusal } from '../failures.ts';
import type { Caller, Route } from '../route.ts';
import { parseJson, readJson } from './body.ts';
import { bodyOf, type Exchange } from './sent-body.ts';

/** A body of no more than that is taken without room, and read where it comes. */
const SMALL_BYTES_MAX = 64 * 1024;
/** Of what may be anything: as much as an event. */
const ANYTHING_BYTES_MAX = 1024 * 1024;
/** A policy of 50 steps with 2,000 people each, in JSON as programs write it. */
const LARGE_BYTES_MAX = 16 * 1024 * 1024;
/** Blanks, and what a client read with a record and sends back. */
const SLACK = 2;
/** Of all bodies that are read or being answered; one organisation leaves half to the others. */
const ROOM = { places: 10_000, bytes: 64 * 1024 * 1024 };

/** The largest body that the route takes: twice what its record can hold. */
export function bodyBytesMax({ body }: Pick<Route, 'body'>): number {
  const bytes = body === undefined ? 0 : jsonBytesMax(body);
  if (!Number.isFinite(bytes)) return ANYTHING_BYTES_MAX;
  return Math.min(Math.max(SLACK * bytes, SMALL_BYTES_MAX), LARGE_BYTES_MAX);
}

/** A body, and the room that it takes until it is disposed. */
export type ReadBody = Disposable & { readonly value: unknown };

type Expecting = { readonly caller: Caller; readonly route: Route };

export function createJsonBodies(compute: Compute) {
  const room = new Room(ROOM);

  return async (exchange: Exchange, { caller, route }: Expecting): Promise<ReadBody> => {
    using held = new DisposableStack();
    const place = room.enter(caller.organizationId, 0);
    if (place === null) throw noRoom();
    held.use(place);
    const bytes = await bodyOf(exchange, {
      bytesMax: bodyBytesMax(route),
      // Room is taken for what has come: to announce much costs nothing.
      announced: null,
      resize: (size) => size <= SMALL_BYTES_MAX || place.resize(size),
      noRoom,
    });
    const value = await read(bytes ?? new Uint8Array(), { caller, route });
    const kept = held.move();
    return { value, [Symbol.dispose]: () => kept.dispose() };
  };

  async function read(bytes: Uint8Array, { caller, route }: Expecting): Promise<unknown> {
    if (bytes.length <= SMALL_BYTES_MAX) return readJson(bytes);
    const { body: schema } = route;
    await compute(askerOf(caller), 'body', { bytes, ...(schema && { schema }) });
    return parseJson(bytes);
  }
}

const noRoom = () =>
  new Refusal('rate_limited', {
    message: 'More bodies are being read than there is room for; send again.',
    retryAfterSeconds: 1,
  });
