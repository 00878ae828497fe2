// What the tests of the pool have done apart.
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
  const kept: number[][] = [];
  for (;;) kept.push(Array.from({ length: 100_000 }, (_each, index) => index + kept.length));
}

export const environment = (_: null): readonly string[] => Object.keys(process.env);
