// A reporter: the files whose tests took longest, so that one sees where the minutes go.
import { join, relative, resolve } from 'node:path';
import type { TestEvent } from 'node:test/reporters';

const SHOWN = 12;
/** It describes each of its files as a suite of that name. */
const groups = join(import.meta.dirname, 'in-one-process', 'groups.ts');

// biome-ignore lint/style/noDefaultExport: the test runner asks for it.
export default async function* slowest(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const took = new Map<string, number>();
  for await (const { type, data } of events) {
    if (type !== 'test:complete' || data.nesting !== 0 || data.file === undefined) continue;
    // That of the whole process: its tests are counted themselves.
    if (resolve(data.name) === data.file) continue;
    const file = data.file === groups ? data.name : relative(process.cwd(), data.file);
    took.set(file, (took.get(file) ?? 0) + data.details.duration_ms);
  }
  // Of a few files each is seen above.
  if (took.size <= SHOWN) return;
  const sorted = [...took].sort(([, a], [, b]) => b - a).slice(0, SHOWN);
  yield '\nslowest files, the seconds of their tests:\n';
  for (const [file, milliseconds] of sorted) {
    yield `${(milliseconds / 1_000).toFixed(0).padStart(4)}  ${file}\n`;
  }
}
