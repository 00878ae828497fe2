// Bodies as they arrive, in one block each: kept in the pieces that senders choose, a body could
// take a hundred times as much memory.
import type { Readable } from 'node:stream';

const BLOCK_BYTES = 64 * 1024;

export type Expected = {
  /** What the sender announced, if anything. */
  readonly announced: number | null;
  readonly bytesMax: number;
  /** Whether there is room for so many bytes. */
  readonly resize: (bytes: number) => boolean;
};

/** How much room to ask for before the first byte is read. */
export const firstBlock = ({ announced, bytesMax }: Omit<Expected, 'resize'>): number =>
  Math.min(announced ?? BLOCK_BYTES, bytesMax);

/**
 * All that is sent. What does not fit is left unread on the stream, for the answer still goes out
 * on its connection. Throws what the stream throws.
 */
export async function readSent(
  stream: Readable,
  expected: Expected,
): Promise<Buffer | 'too_large' | 'no_room'> {
  const { bytesMax, resize } = expected;
  let block = Buffer.allocUnsafe(firstBlock(expected));
  let length = 0;
  for await (const piece of stream.iterator({ destroyOnReturn: false })) {
    const needed = length + piece.length;
    if (needed > bytesMax) return 'too_large';
    if (needed > block.length) {
      const size = Math.min(bytesMax, Math.max(needed, 2 * block.length));
      if (!resize(size)) return 'no_room';
      const larger = Buffer.allocUnsafe(size);
      block.copy(larger, 0, 0, length);
      block = larger;
    }
    block.set(piece, length);
    length = needed;
  }
  return block.subarray(0, length);
}
