// What a program gets of the tests' own environment: what every program needs, and no more.
import { tmpdir } from 'node:os';

/** With the cache of the run, in which Node finds what it has compiled before: half of each start. */
export function childEnvironment(): Readonly<Record<string, string>> {
  const cache = process.env['NODE_COMPILE_CACHE'];
  return {
    PATH: process.env['PATH'] ?? '',
    TMPDIR: tmpdir(),
    ...(cache === undefined ? {} : { NODE_COMPILE_CACHE: cache }),
  };
}
