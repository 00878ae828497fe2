// Bodies of events that were compressed, whether their sender says so or not.
import { createUnzip } from 'node:zlib';
import type { FastifyRequest } from 'fastify';
import { Refusal } from '../failures.ts';
import type { Reading } from './sent-body.ts';
import { type Blocks, bytesIn, type Expected, firstBlock, readSent } from './sent-bytes.ts';

/**
 * The body without its compression, of which no more is made than the limit of a body. What is not
 * compressed, or broken, stays as it came.
 */
export async function decompressed(
  { headers }: Pick<FastifyRequest, 'headers'>,
  body: Blocks,
  { bytesMax, resize, noRoom }: Reading,
): Promise<Blocks> {
  if (!isCompressed(body, headers['content-encoding'])) return body;
  const compressedBytes = bytesIn(body);
  const expected = {
    announced: null,
    bytesMax,
    // The compressed body is held until all is read.
    resize: (bytes: number) => resize(compressedBytes + bytes),
  };
  if (!expected.resize(firstBlock(expected))) throw noRoom();
  const whole = await unzip(body, expected);
  if (whole === 'no_room') throw noRoom();
  if (whole === 'too_large')
    throw new Refusal('too_large', {
      message: `The decompressed body is larger than ${bytesMax} bytes.`,
    });
  const result = whole ?? body;
  resize(bytesIn(result));
  return result;
}

/** Null: it is broken. */
async function unzip(body: Blocks, expected: Expected) {
  const stream = createUnzip();
  for (const block of body) stream.write(block);
  stream.end();
  try {
    return await readSent(stream, expected);
  } catch {
    return null;
  } finally {
    stream.destroy();
  }
}

/** Gzip shows by its first bytes alone; deflate, as zlib writes it, must be declared. */
function isCompressed([first]: Blocks, contentEncoding: string | undefined): boolean {
  if (first === undefined || first.length < 2) return false;
  const start = first.readUInt16BE(0);
  if (start === 0x1f8b) return true;
  return contentEncoding === 'deflate' && (start & 0x0f00) === 0x0800 && start % 31 === 0;
}
