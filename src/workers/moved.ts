// What is handed over to a thread, or by one: it is not copied, and gone from where it was.
import { move, transferableSymbol, valueSymbol } from 'piscina';

class Moved {
  readonly #value: unknown;
  readonly #buffers: readonly ArrayBufferLike[];

  constructor(value: unknown, buffers: readonly ArrayBufferLike[]) {
    this.#value = value;
    this.#buffers = buffers;
  }

  get [transferableSymbol](): object {
    return [...this.#buffers];
  }

  get [valueSymbol](): unknown {
    return this.#value;
  }
}

/** The input or the answer of a task, with the memory of these bytes: each has its own. */
export function moved<Value>(value: Value, bytes: readonly Uint8Array[]): Value {
  const buffers = bytes.map(({ buffer }) => buffer);
  // It stands for the value until it arrives, and arrives as the value.
  return move(new Moved(value, buffers) as never) as Value;
}
