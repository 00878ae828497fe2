// Reads events with a bound on the work: by the mapping, else by the type, else as text.

import type { About, Reading } from '../../alerts/alert.ts';
import { within } from '../../alerts/effort.ts';
import type { IntegrationType } from '../../alerts/integration-type.ts';
import { readAsText } from '../../alerts/reading/as-text.ts';
import { noted } from '../../alerts/reading/list.ts';
import { readRefused } from '../../alerts/refused.ts';
import { type Arrival, type Came, eventOf } from '../../engine/intake/arrival.ts';
import type { ReadEvent, ReadingIntegration } from '../../engine/intake/reader.ts';
import type { StoredEvent } from '../../engine/ports/events.ts';
import { requestOf } from './stored-events.ts';
import { withoutSecrets } from './without-secrets.ts';

type Named = Pick<ReadingIntegration, 'name' | 'mapping'>;

const TOO_MUCH = 'reading it takes too much work';
const UNMAPPED = 'the mapping was not used because it takes too much work for this event';

export function readingOf(
  event: StoredEvent,
  type: IntegrationType,
  { name, mapping }: Named,
): Reading {
  const about = aboutOf(event, name);
  return readRefused(event, about) ?? type.read(requestOf(event), about, mapping ?? undefined);
}

/** Never refused for the work that it takes. */
export function readingWithin(
  most: number,
  event: StoredEvent,
  { type, integration }: { readonly type: IntegrationType; readonly integration: Named },
): Reading {
  const read = within(() => readingOf(event, type, integration), most);
  if (read !== null) return read;
  const { name, mapping } = integration;
  const unmapped = { name, mapping: null };
  const byType = mapping && within(() => readingOf(event, type, unmapped), most);
  return byType === null ? asText(event, name) : noted(byType, UNMAPPED);
}

export const asText = (event: StoredEvent, name: string, why = TOO_MUCH): Reading =>
  readAsText(requestOf(event), aboutOf(event, name), why);

export function readArrival(arrival: Arrival, came: Came, type: IntegrationType): ReadEvent {
  const event = eventOf(withoutSecrets(arrival, type), came, type);
  return { event, reading: readingOf(event, type, namedBy(arrival)) };
}

/** Where the secrets are not found within that, whatever is called like one is left out. */
export function arrivalWithin(most: number, arrival: Arrival, type: IntegrationType): Arrival {
  return (
    within(() => withoutSecrets(arrival, type), most) ?? withoutSecrets(arrival, type, 'by name')
  );
}

export const namedBy = ({ integrationName, mapping }: Arrival): Named => ({
  name: integrationName,
  mapping: mapping ?? null,
});

const aboutOf = ({ received_at }: StoredEvent, integrationName: string): About => ({
  receivedAt: received_at,
  integrationName,
});
