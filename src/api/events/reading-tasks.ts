// What a thread does to read an event.
import type { Reading } from '../../alerts/alert.ts';
import { type Arrival, type Came, eventOf } from '../../engine/intake/arrival.ts';
import type { ReadingIntegration } from '../../engine/intake/reader.ts';
import type { StoredEvent } from '../../engine/ports/events.ts';
import { eventsLimits } from '../../limits/events.ts';
import { arrivalWithin, namedBy, readingWithin } from './read-event.ts';
import { linesOf } from './reading-lines.ts';
import { typeOf } from './stored-events.ts';

/** What is left of an event without its secrets; null: all. */
type Arrived = {
  readonly lines: Uint8Array;
  readonly body: Uint8Array | null;
  readonly query: string | null;
};

type Arriving = { readonly arrival: Arrival; readonly came: Came };

export function arriving({ arrival, came }: Arriving): Arrived {
  const type = typeOf(arrival.slug, arrival.path);
  if (type === undefined) return { lines: linesOf(unsupported), body: null, query: null };
  const masked = arrivalWithin(eventsLimits.readingWork, arrival, type);
  const event = eventOf(masked, came, type);
  const integration = namedBy(arrival);
  const reading = readingWithin(eventsLimits.readingWork, event, { type, integration });
  const isWhole = masked.body === arrival.body;
  return {
    lines: linesOf(reading),
    body: isWhole ? null : new Uint8Array(masked.body),
    query: masked.sent?.query === arrival.sent?.query ? null : (masked.sent?.query ?? null),
  };
}

type Stored = { readonly event: StoredEvent; readonly integration: ReadingIntegration };

export function stored({ event, integration }: Stored): Uint8Array {
  const type = typeOf(integration.slug, event.path);
  if (type === undefined) return linesOf(unsupported);
  return linesOf(readingWithin(eventsLimits.readingWork, event, { type, integration }));
}

const unsupported: Reading = {
  unreadable: 'the integration type is not supported by this version',
};
