// Limits what is in progress at once: events until they are stored, request bodies until they are
// answered, connections while they are open. Each key (an integration, an organisation, a network)
// gets at most as much as it leaves free, so that the next key always finds some.

type RoomSize = { readonly slots: number; readonly bytes: number };

/** Released when it is disposed of; disposing it again changes nothing. */
export type Slot = Disposable & {
  /** False: there is no room for that many bytes, and the slot keeps its size. */
  resize(bytes: number): boolean;
};

export class Room {
  readonly #slots: Share;
  readonly #bytes: Share;

  constructor({ slots, bytes }: RoomSize) {
    this.#slots = new Share(slots);
    this.#bytes = new Share(bytes);
  }

  get bytes(): number {
    return this.#bytes.used;
  }

  /** A slot of that many bytes; null when the key has used up its share. */
  enter(key: string, bytes: number): Slot | null {
    if (!this.#slots.acquire(key, 1)) return null;
    if (!this.#bytes.acquire(key, bytes)) {
      this.#slots.release(key, 1);
      return null;
    }
    let size = bytes;
    let isReleased = false;
    return {
      resize: (newSize) => {
        if (isReleased || !this.#bytes.acquire(key, newSize, size)) return false;
        size = newSize;
        return true;
      },
      [Symbol.dispose]: () => {
        if (isReleased) return;
        isReleased = true;
        this.#slots.release(key, 1);
        this.#bytes.release(key, size);
      },
    };
  }
}

class Share {
  readonly #max: number;
  readonly #usedBy = new Map<string, number>();
  #used = 0;

  constructor(max: number) {
    this.#max = max;
  }

  get used(): number {
    return this.#used;
  }

  /**
   * Replaces `previous` of the key's amount by `amount`. Refused when the key would have more than
   * is left free by the others; a decrease is never refused.
   */
  acquire(key: string, amount: number, previous = 0): boolean {
    const own = (this.#usedBy.get(key) ?? 0) - previous + amount;
    const used = this.#used - previous;
    if (amount > previous && own > this.#max - used) return false;
    this.#used = used + amount;
    if (own > 0) this.#usedBy.set(key, own);
    else this.#usedBy.delete(key);
    return true;
  }

  release(key: string, amount: number): void {
    this.acquire(key, 0, amount);
  }
}
