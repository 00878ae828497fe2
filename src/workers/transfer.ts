// What is handed over to a thread, or by one: it is not copied, and gone from where it was.
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

/** The input or the answer of a task, with its ports, and the memory of its bytes: each has its own. */
export function transferred<Value>(
  value: Value,
  parts: readonly (Uint8Array | MessagePort)[],
): Value {
  const transferList = parts.map((part) => (part instanceof Uint8Array ? part.buffer : part));
  // It stands for the value until it arrives, and arrives as the value.
  return move(new Transfer(value, transferList) as never) as Value;
}
