import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createMetrics } from './metrics.ts';

test('the operating guide lists every metric of Pager, and no other', async () => {
  const metrics = createMetrics({
    eventsWaiting: () => 0,
    eventBytes: () => 0,
    eventStreams: () => 0,
    now: () => Temporal.Instant.fromEpochMilliseconds(0),
    noticesInFlight: () => 0,
    editsInFlight: () => 0,
    pools: () => [],
    clockAhead: () => 0,
  });
  metrics.mailCertificateExpires(async () => null);
  const guide = await readFile(join(import.meta.dirname, '../docs/operating.md'), 'utf8');
  const names = (text: string, pattern: RegExp) =>
    [...text.matchAll(pattern)].map(([, name]) => name).sort();
  assert.deepEqual(
    names(guide, /^\| `(pager_\w+)` \|/gm),
    names(await metrics.text(), /^# HELP (pager_\w+) /gm),
  );
});
