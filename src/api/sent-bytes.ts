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
 * on its connection. Rejects with what the stream fails with.
 */
export function readSent(
  stream: Readable,
  expected: Expected,
): Promise<Buffer | 'too_large' | 'no_room'> {
  const sent = new Block(expected);
  // By its events: an iterator costs several promises for the one piece that most bodies are.
  return new Promise((resolve, reject) => {
    const take = (piece: Buffer) => {
      const refused = sent.add(piece);
      if (refused === null) return;
      stream.off('data', take).pause();
      resolve(refused);
    };
    const closed = () => {
      if (!stream.readableEnded) reject(new Error('closed before its end'));
    };
    if (stream.destroyed) closed();
    stream.once('error', reject).once('close', closed);
    stream.once('end', () => resolve(sent.bytes())).on('data', take);
  });
}

class Block {
  readonly #expected: Expected;
  #block: Buffer;
  #length = 0;

  constructor(expected: Expected) {
    this.#expected = expected;
    this.#block = Buffer.allocUnsafe(firstBlock(expected));
  }

  /** Null: it was added. */
  add(piece: Buffer): 'too_large' | 'no_room' | null {
    const { bytesMax, resize } = this.#expected;
    const needed = this.#length + piece.length;
    if (needed > bytesMax) return 'too_large';
    if (needed > this.#block.length) {
      const size = Math.min(bytesMax, Math.max(needed, 2 * this.#block.length));
      if (!resize(size)) return 'no_room';
      const larger = Buffer.allocUnsafe(size);
      this.#block.copy(larger, 0, 0, this.#length);
      this.#block = larger;
    }
    this.#block.set(piece, this.#length);
    this.#length = needed;
    return null;
  }

  bytes(): Buffer {
    return this.#block.subarray(0, this.#length);
  }
}
