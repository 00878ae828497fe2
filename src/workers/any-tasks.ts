// The tasks of the pool's tests.
import { getPriority } from 'node:os';
import type { MessagePort } from 'node:worker_threads';
import { packed } from './clone.ts';
import { lowerPriority } from './lower-priority.ts';
import { rpcClient } from './rpc.ts';

const priorityWhenLoaded = getPriority();
lowerPriority();

export const priorities = (_: null): readonly number[] => [priorityWhenLoaded, getPriority()];

export const double = (input: number): number => input * 2;

export function fail(message: string): never {
  throw new TypeError(message);
}

/** Until it is killed. */
export function spin(_: null): never {
  for (;;);
}

export function sleep(ms: number): string {
  return Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

export function fill(_: null): number {
  const held: number[][] = [];
  for (;;) held.push(Array.from({ length: 100_000 }, (_each, index) => index + held.length));
}

type PortInput = { readonly port: MessagePort };
export type AnyMethods = { readonly next: (after: number) => Promise<Temporal.Instant | null> };

/** The number of calls until null comes, and the last result before it. */
export async function callAll({
  port,
}: PortInput): Promise<readonly [number, Temporal.Instant | null]> {
  const call = rpcClient<AnyMethods>(port);
  let last: Temporal.Instant | null = null;
  for (let nth = 0; ; nth += 1) {
    const answer = await call('next', nth);
    if (answer === null) return packed([nth, last] as const);
    last = answer;
  }
}

export const environment = (_: null): readonly string[] => Object.keys(process.env);
