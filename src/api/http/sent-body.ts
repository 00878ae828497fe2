// The body of a request, read once there is room for it.
import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { Refusal } from '../failures.ts';
import { type Blocks, type Expected, readSent } from './sent-bytes.ts';

/** Nothing where it is sent in chunks; what comes without a body has none. */
export function announcedBy({ headers }: FastifyRequest): number | null {
  if (headers['transfer-encoding'] !== undefined) return null;
  return Number(headers['content-length'] ?? 0);
}

export type Reading = Expected & { readonly noRoom: () => Refusal };

/** Reads a body that the content type parser left unread; null where there is none. */
export async function bodyOf(request: FastifyRequest, reading: Reading): Promise<Blocks | null> {
  const { noRoom, bytesMax } = reading;
  if (!(request.body instanceof Readable)) return null;
  const isTooLarge = (announcedBy(request) ?? 0) > bytesMax;
  const sent = isTooLarge ? 'too_large' : await readBody(request.body, reading);
  if (sent === 'no_room') throw noRoom();
  if (sent !== 'too_large') return sent.length > 0 ? sent : null;
  throw new Refusal('too_large', { message: `The body is larger than ${bytesMax} bytes.` });
}

async function readBody(stream: Readable, expected: Expected) {
  try {
    return await readSent(stream, expected);
  } catch {
    throw new Refusal('unreadable', { message: 'The request ended before it was complete.' });
  }
}
