// Transfers memory and ports to a thread, or from one: nothing is copied, and the sender loses them.
import type { MessagePort } from 'node:worker_threads';
import { move, transferableSymbol, valueSymbol } from 'piscina';

class Transfer {
  readonly #value: unknown;
  readonly #parts: readonly object[];

  constructor(value: unknown, parts: readonly object[]) {
    this.#value = value;
    this.#parts = parts;
  }

  get [transferableSymbol](): object {
    return [...this.#parts];
  }

  get [valueSymbol](): unknown {
    return this.#value;
  }
}

/** The input or the result of a task, whose `parts` are transferred; each has memory of its own. */
export function transferred<Value>(
  value: Value,
  parts: readonly (Uint8Array | MessagePort)[],
): Value {
  const transferList = parts.map((part) => (part instanceof Uint8Array ? part.buffer : part));
  // Piscina sends the value that the `Transfer` holds.
  return move(new Transfer(value, transferList) as never) as Value;
}
