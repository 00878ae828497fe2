// How long the disk takes to make a small write durable, as each commit needs it several times.
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const BLOCK = Buffer.alloc(8_192, 1);
const REST_MS = 20;

/** While the work runs; the longest is in milliseconds. */
export async function measureDiskDuring<T>(
  folder: string,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly longest: number }> {
  const path = join(folder, 'synchronized');
  await using file = await open(path, 'w');
  const state = { isOver: false, longest: 0 };
  const probing = (async () => {
    while (!state.isOver) {
      const from = performance.now();
      await file.write(BLOCK, 0, BLOCK.length, 0);
      await file.datasync();
      state.longest = Math.max(state.longest, performance.now() - from);
      await pause(REST_MS);
    }
  })();
  try {
    const result = await work();
    return { result, longest: state.longest };
  } finally {
    state.isOver = true;
    await probing;
    await rm(path);
  }
}
