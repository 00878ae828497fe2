import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';

const PAUSE_MILLISECONDS = 20;
const WITHIN_MILLISECONDS = 120_000;

/** Asks until there is an answer; fails, naming what was waited for, when it takes too long. */
export async function eventually<T>(
  what: string | (() => string),
  probe: () => Promise<T | null | undefined | false> | T | null | undefined | false,
  withinMs = WITHIN_MILLISECONDS,
): Promise<T> {
  const deadline = performance.now() + withinMs;
  while (performance.now() < deadline) {
    const answer = await probe();
    if (answer !== null && answer !== undefined && answer !== false) return answer;
    await pause(PAUSE_MILLISECONDS);
  }
  const wanted = typeof what === 'string' ? what : what();
  assert.fail(`not within ${withinMs} ms: ${wanted}`);
}
