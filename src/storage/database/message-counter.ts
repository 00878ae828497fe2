/** The type of a message, as its first byte. */
export type MessageType = 'Q' | 'S' | 'Z';

const HEADER_BYTES = 5;
const LENGTH_BYTES = 4;

/**
 * Counts messages of PostgreSQL's protocol in a stream of bytes that is cut anywhere. The first message of
 * a client has no type.
 */
export class MessageCounter {
  readonly #types: ReadonlySet<number>;
  readonly #header: number[];
  #skipped = 0;

  constructor(types: readonly MessageType[], options: { readonly isClient: boolean }) {
    this.#types = new Set(types.map((type) => type.charCodeAt(0)));
    this.#header = options.isClient ? [0] : [];
  }

  /** How many messages of these types begin in the bytes. */
  count(bytes: Uint8Array): number {
    let count = 0;
    let at = 0;
    while (at < bytes.length) {
      if (this.#skipped > 0) {
        const step = Math.min(this.#skipped, bytes.length - at);
        this.#skipped -= step;
        at += step;
        continue;
      }
      this.#header.push(bytes[at] ?? 0);
      at += 1;
      if (this.#header.length < HEADER_BYTES) continue;
      const [type = 0, ...length] = this.#header;
      this.#header.length = 0;
      this.#skipped = length.reduce((sum, byte) => sum * 256 + byte, 0) - LENGTH_BYTES;
      if (this.#types.has(type)) count += 1;
    }
    return count;
  }
}
