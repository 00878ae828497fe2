import type { Reading } from '../../alerts/alert.ts';
import type { IntegrationType } from '../../alerts/integration-type.ts';
import type { Mapping } from '../../alerts/reading/notation.ts';
import type { StoredEvent } from '../ports/events.ts';
import type { Arrival, Came } from './arrival.ts';

/** By what a stored event is read. */
export type ReadingIntegration = {
  readonly slug: string;
  readonly name: string;
  readonly mapping: Mapping | null;
};

export type ReadEvent = { readonly event: StoredEvent; readonly reading: Reading };

/**
 * How events are read: here, as long as that takes little work, or else apart, in another thread.
 * What is read here is null if it takes more; what is read apart never rejects.
 */
export type EventReader = {
  /** Of one that has just come, without what is not stored of it. */
  arriving(arrival: Arrival, came: Came, type: IntegrationType): ReadEvent | null;
  arrivingApart(arrival: Arrival, came: Came, type: IntegrationType): Promise<ReadEvent>;
  stored(
    event: StoredEvent,
    type: IntegrationType,
    integration: ReadingIntegration,
  ): Reading | null;
  storedApart(event: StoredEvent, integration: ReadingIntegration): Promise<Reading>;
};
