// Reads changes, also in a worker thread: their bodies may be as large as those of events.
import { type Change, changeIn } from '../../alerts/change.ts';
import { bounded, within } from '../../alerts/effort.ts';
import type { StoredEvent } from '../../engine/ports/events.ts';
import { eventsLimits } from '../../limits/events.ts';

type ShownChange = Change & { readonly integration_id: string; readonly event_id: string };

/** By when they were made, newest first. */
export const changesIn = (
  events: readonly StoredEvent[],
  read: (event: StoredEvent) => Change = changeOf,
): readonly ShownChange[] =>
  events
    .map((event) => ({
      ...read(event),
      integration_id: event.integration_id,
      event_id: event.id,
    }))
    .sort((a, b) => Temporal.Instant.compare(b.at, a.at));

const changeOf = ({ body, content_type, received_at }: StoredEvent): Change =>
  changeIn({ body, contentType: content_type }, received_at);

/** The task of a thread. One that takes too much work is shown without what it says. */
export const readChanges = (events: readonly StoredEvent[]): readonly ShownChange[] =>
  bounded(eventsLimits.readingWork, () =>
    changesIn(
      events,
      (event) => within(() => changeOf(event)) ?? changeOf({ ...event, body: new Uint8Array() }),
    ),
  );
