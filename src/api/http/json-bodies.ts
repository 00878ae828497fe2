// Bodies of API requests: small ones are read as they come; a large one takes room that all
// organisations share, and is looked at in a worker thread before it is read here.
import { Room } from '../../admission/room.ts';
import { httpLimits } from '../../limits/http.ts';
import { jsonBytesMax } from '../../resources/declaration/size.ts';
import { askerOf, type Compute } from '../computing/computer.ts';
import { Refusal } from '../failures.ts';
import type { Caller, Route } from '../route.ts';
import { parseJson, readJson } from './body.ts';
import { bodyOf, type Exchange } from './sent-body.ts';

/** Blanks, and what a client read with a record and sends back. */
const SLACK = 2;

/** The largest body that the route takes: twice what its record can hold. */
export function bodyBytesMax({ body }: Pick<Route, 'body'>): number {
  const bytes = body === undefined ? 0 : jsonBytesMax(body);
  if (!Number.isFinite(bytes)) return httpLimits.anyBody;
  return Math.min(Math.max(SLACK * bytes, httpLimits.smallBody), httpLimits.largeBody);
}

/** A body, and the room that it takes until it is disposed. */
export type ReadBody = Disposable & { readonly value: unknown };

type Expecting = { readonly caller: Caller; readonly route: Route };

export function createJsonBodies(compute: Compute) {
  const room = new Room({ places: httpLimits.bodies, bytes: httpLimits.bodyBytes });

  return async (exchange: Exchange, { caller, route }: Expecting): Promise<ReadBody> => {
    using held = new DisposableStack();
    const place = room.enter(caller.organizationId, 0);
    if (place === null) throw noRoom();
    held.use(place);
    const bytes = await bodyOf(exchange, {
      bytesMax: bodyBytesMax(route),
      // Room is taken for what has come: to announce much costs nothing.
      announced: null,
      resize: (size) => size <= httpLimits.smallBody || place.resize(size),
      noRoom,
    });
    const value = await read(bytes ?? new Uint8Array(), { caller, route });
    const kept = held.move();
    return { value, [Symbol.dispose]: () => kept.dispose() };
  };

  async function read(bytes: Uint8Array, { caller, route }: Expecting): Promise<unknown> {
    if (bytes.length <= httpLimits.smallBody) return readJson(bytes);
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
