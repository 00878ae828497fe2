import { appendFileSync } from 'node:fs';

/** The file in which the runner collects what the tests of all processes left out. */
export const SKIPPED_FILE = 'PAGER_TEST_SKIPPED';

export type Skip = { readonly what: string; readonly how: string };

/**
 * Notes that something is not tested here and how to have it tested; answers the reason to give to
 * `t.skip`. On CI nothing may be left out, so there it fails.
 */
export function skipped(what: string, how: string): string {
  if (process.env['CI'] === 'true') throw new Error(`CI may not skip ${what}: ${how}`);
  const skip: Skip = { what, how };
  const file = process.env[SKIPPED_FILE];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(skip)}\n`);
  return `${what}: ${how}`;
}
