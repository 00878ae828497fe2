// `npm start`: builds the dashboard where it is missing or stale, then runs `pagerctl serve`.
// A `prestart` would not do: npm skips it where install scripts are switched off, as in `.npmrc`.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { onPinnedNode, runProgram } from './pinned-node.js';

/** A release has none, for its dashboard is built. */
const builder = fileURLToPath(new URL('build-dashboard.ts', import.meta.url));

await onPinnedNode(fileURLToPath(import.meta.url), async (args) => {
  // A failed build stops nothing: the builder says why, and people are paged without a dashboard.
  // It has a process of its own, so that its memory is free again when the server starts.
  const built = existsSync(builder) ? await runProgram(process.execPath, [builder]) : null;
  if (built?.passed) {
    process.kill(process.pid, built.passed);
    return 1;
  }
  const { pagerctl } = await import('../src/pagerctl.ts');
  return pagerctl(['serve', ...args]);
});
