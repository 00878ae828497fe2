// What `src/alerts/first-events.json` has: of the samples of each tool the first that reports a problem.
import type { Json } from '../src/alerts/alert.ts';
import { ownSamples } from '../test/samples/own-samples.ts';

export function firstEvents(): Readonly<Record<string, Json>> {
  const bodies = Object.entries(ownSamples).flatMap(([slug, { sent }]) => {
    const first = sent.find(
      ({ reads, query }) =>
        query === undefined && reads.length === 1 && reads[0]?.[0] === 'trigger',
    );
    return first === undefined ? [] : [[slug, first.body] as const];
  });
  return Object.fromEntries(bodies.sort(([one], [other]) => (one < other ? -1 : 1)));
}
