// A test file whose process goes on although its tests have ended, because a failed one has left
// something open, would keep the whole run waiting: it fails instead.
const MINUTES_MAX = 15;

// The runner itself, which loads this too, is told nothing.
if (process.env['NODE_TEST_CONTEXT'] !== undefined)
  setTimeout(() => {
    console.error(`not over after ${MINUTES_MAX} minutes: what keeps it from ending?`);
    console.error(process.getActiveResourcesInfo());
    process.exit(1);
  }, MINUTES_MAX * 60_000).unref();
