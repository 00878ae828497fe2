// The event for a test or a simulation: one of the log, or a sample. It is looked up on the engine's
// thread and read in a worker.
import type { AlertEvent, Reading } from '../../alerts/alert.ts';
import type { IntegrationType } from '../../alerts/integration-type.ts';
import { storedHeaders } from '../../alerts/request-headers.ts';
import { oneLine, titleOf } from '../../alerts/text.ts';
import type { StoredEvent } from '../../engine/ports/events.ts';
import { eventsLimits } from '../../limits/events.ts';
import type { Sql } from '../../storage/database/database.ts';
import {
  findEvent,
  findIntegration,
  type ReadingIntegration,
} from '../../storage/incidents/events.ts';
import { readingWithin } from '../events/read-event.ts';
import { partOf, typeOf } from '../events/stored-events.ts';
import { invalid } from '../failures.ts';
import type { Call } from '../route.ts';
import type { RuleTestRequest, Sample } from './rule-test-request.ts';

/** An event, and the integration that is to read it. */
export type TrialEvent = {
  readonly at: Temporal.Instant;
  readonly integration: ReadingIntegration;
  /** A sample alert needs no reading; as JSON it is fastest to clone. */
  readonly sent:
    | { readonly event: StoredEvent; readonly path: string }
    | { readonly alert: string };
};

export async function findTrialEvent(
  sql: Sql,
  { caller, now }: Call,
  { event, event_id: eventId = '', at: other }: RuleTestRequest,
): Promise<TrialEvent> {
  if (event === undefined) {
    const stored = await findEvent(sql, caller, eventId);
    const integration = stored && (await findIntegration(sql, caller, stored.integration_id));
    if (!stored || !integration) throw wrong('event_id', 'does not match any stored event');
    const part = partOf(stored);
    if (part !== null)
      throw wrong('event_id', `refers to an event that cannot be read again: ${part}`);
    const at = other === undefined ? stored.received_at : Temporal.Instant.from(other);
    const sent = { event: { ...stored, received_at: at }, path: 'event_id' };
    return { at, integration, sent };
  }
  const integration = await findIntegration(sql, caller, event.integration_id);
  if (!integration) throw wrong('event.integration_id', 'does not match any integration');
  const at = event.at === undefined ? now : Temporal.Instant.from(event.at);
  const alert = alertOf(event);
  if (alert !== null) return { at, integration, sent: { alert: JSON.stringify(alert) } };
  const request = { ...requestOf(event, typeOf(integration.slug)), received_at: at };
  const arriving = { ...request, organization_id: caller.organizationId };
  return { at, integration, sent: { event: arriving, path: 'event.body' } };
}

/** Read by the type of its integration. */
export async function alertsIn({ integration, sent }: TrialEvent): Promise<readonly AlertEvent[]> {
  if ('alert' in sent) return [JSON.parse(sent.alert)];
  const reading = await readEvent(sent.event, integration);
  if ('unreadable' in reading) throw wrong(sent.path, `cannot be read: ${reading.unreadable}`);
  return reading.alerts;
}

export function readEvent(event: StoredEvent, integration: ReadingIntegration): Reading {
  const { slug } = integration;
  const type = typeOf(slug, event.path);
  return type
    ? readingWithin(eventsLimits.readingWork, event, { type, integration })
    : { unreadable: `${slug} is not supported by this server` };
}

const wrong = (path: string, message: string) => invalid([{ path, message }]);

/** The alert of a sample with a title; null if it has a body. */
function alertOf({ title, details, priority, severity }: Sample): AlertEvent | null {
  if (title === undefined) return null;
  return {
    action: 'trigger',
    dedup_key: title,
    title: titleOf(oneLine(title)),
    // Parsed from JSON.
    details: (details ?? null) as NonNullable<AlertEvent['details']>,
    ...(priority !== undefined && { priority }),
    ...(severity !== undefined && { severity }),
  };
}

function requestOf(sample: Sample, type: IntegrationType | undefined) {
  const { integration_id, body, content_type, query = '', headers = {} } = sample;
  const isText = typeof body === 'string';
  const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return {
    id: '',
    integration_id,
    source: 'http' as const,
    method: 'POST',
    path: '/push-events',
    query,
    headers: storedHeaders(type, Object.fromEntries(named)),
    content_type: content_type ?? (isText ? 'text/plain' : 'application/json'),
    mapping_revision: null,
    mail: null,
    body: Buffer.from(isText ? body : JSON.stringify(body)),
  };
}
