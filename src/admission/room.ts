// Room for what is under way: events until they are stored, bodies until they are answered,
// connections while they are open. One loud line gets no more of it than it leaves for the others,
// so whoever comes next always finds some.

type RoomSize = { readonly slots: number; readonly bytes: number };

/** Held by what is under way; disposing it again changes nothing. */
export type Slot = Disposable & {
  /** False: so much more is not to be had, and it stays as it was. */
  resize(bytes: number): boolean;
};

export class Room {
  readonly #places: Share;
  readonly #bytes: Share;

  constructor({ slots, bytes }: RoomSize) {
    this.#places = new Share(slots);
    this.#bytes = new Share(bytes);
  }

  get bytes(): number {
    return this.#bytes.used;
  }

  /** A place of that many bytes; null while the line has its share. */
  enter(line: string, bytes: number): Slot | null {
    if (!this.#places.acquire(line, 1)) return null;
    if (!this.#bytes.acquire(line, bytes)) {
      this.#places.release(line, 1);
      return null;
    }
    let held = bytes;
    let isHeld = true;
    return {
      resize: (wanted) => {
        if (!isHeld || !this.#bytes.acquire(line, wanted, held)) return false;
        held = wanted;
        return true;
      },
      [Symbol.dispose]: () => {
        if (!isHeld) return;
        isHeld = false;
        this.#places.release(line, 1);
        this.#bytes.release(line, held);
      },
    };
  }
}

class Share {
  readonly #max: number;
  readonly #held = new Map<string, number>();
  #used = 0;

  constructor(max: number) {
    this.#max = max;
  }

  get used(): number {
    return this.#used;
  }

  /**
   * `instead` of what it holds already. What a line would hold must be no more than is free without
   * it; less is always taken.
   */
  acquire(line: string, amount: number, instead = 0): boolean {
    const held = (this.#held.get(line) ?? 0) - instead + amount;
    const used = this.#used - instead;
    if (amount > instead && held > this.#max - used) return false;
    this.#used = used + amount;
    if (held > 0) this.#held.set(line, held);
    else this.#held.delete(line);
    return true;
  }

  release(line: string, amount: number): void {
    this.acquire(line, 0, amount);
  }
}
