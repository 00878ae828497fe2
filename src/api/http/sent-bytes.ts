// Bodies as they arrive, in a few blocks each: kept in the pieces that senders choose, a body could
// take a hundred times as much memory; in one that grows, it would be copied again and again.
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
): Promise<Blocks | 'too_large' | 'no_room'> {
  const sent = new Arriving(expected);
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
    stream.once('end', () => resolve(sent.blocks())).on('data', take);
  });
}

class Arriving {
  readonly #expected: Expected;
  readonly #full: Buffer[] = [];
  #last: Buffer;
  /** Of the last block, as far as it is filled. */
  #filled = 0;
  /** Of all blocks. */
  #size: number;

  constructor(expected: Expected) {
    this.#expected = expected;
    this.#last = Buffer.allocUnsafe(firstBlock(expected));
    this.#size = this.#last.length;
  }

  /** Null: it was added. */
  add(piece: Buffer): 'too_large' | 'no_room' | null {
    const { bytesMax, resize } = this.#expected;
    const fits = Math.min(piece.length, this.#last.length - this.#filled);
    const needed = this.#size + piece.length - fits;
    if (needed > bytesMax) return 'too_large';
    // Twice as much as there is, so that blocks stay few.
    const isFull = needed > this.#size;
    const size = isFull ? Math.min(bytesMax, Math.max(needed, 2 * this.#size)) : this.#size;
    if (isFull && !resize(size)) return 'no_room';
    this.#filled += piece.copy(this.#last, this.#filled, 0, fits);
    if (!isFull) return null;
    this.#full.push(this.#last);
    // With memory of its own, however small the rest is: it may be handed over to a thread.
    this.#last = Buffer.allocUnsafeSlow(size - this.#size);
    this.#size = size;
    this.#filled = piece.copy(this.#last, 0, fits);
    return null;
  }

  blocks(): Blocks {
    const last = this.#last.subarray(0, this.#filled);
    return last.length > 0 ? [...this.#full, last] : this.#full;
  }
}

/** What was sent, in its order; none of them is empty. */
export type Blocks = readonly Buffer[];

export const bytesIn = (blocks: Blocks): number =>
  blocks.reduce((sum, { length }) => sum + length, 0);

/** In one piece; of one block that is no copy. */
export const joined = (blocks: Blocks): Buffer =>
  blocks.length === 1 && blocks[0] ? blocks[0] : Buffer.concat(blocks);
