// A reporter: the files whose tests took longest, so that one sees where the minutes go.
import { relative } from 'node:path';
import type { TestEvent } from 'node:test/reporters';

const SHOWN = 12;

// biome-ignore lint/style/noDefaultExport: the test runner asks for it.
export default async function* slowest(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const took = new Map<string, number>();
  for await (const { type, data } of events) {
    if (type !== 'test:complete' || data.nesting !== 0 || data.file === undefined) continue;
    took.set(data.file, (took.get(data.file) ?? 0) + data.details.duration_ms);
  }
  // Of a few files each is seen above.
  if (took.size <= SHOWN) return;
  const sorted = [...took].sort(([, a], [, b]) => b - a).slice(0, SHOWN);
  yield '\nslowest files, the seconds of their tests:\n';
  for (const [file, milliseconds] of sorted) {
    yield `${(milliseconds / 1_000).toFixed(0).padStart(4)}  ${relative(process.cwd(), file)}\n`;
  }
}
