// The event that a rule is tried on: from the log, or as it would be if it came.
import type { AlertEvent, IntegrationType, Reading } from '../../alerts/alert.ts';
import { keptHeaders } from '../../alerts/request-headers.ts';
import { oneLine, titleOf } from '../../alerts/text.ts';
import type { IntakeOptions } from '../../engine/deciding/intake.ts';
import type { StoredEvent } from '../../engine/ledger.ts';
import type { Sql } from '../../storage/database.ts';
import {
  findEvent,
  findIntegration,
  type ReadingIntegration,
} from '../../storage/incidents/events.ts';
import { invalid } from '../failures.ts';
import { instantAt } from '../oncall/asked.ts';
import type { Call } from '../route.ts';
import type { Asked, Sample } from './asked.ts';

export type EventParts = Pick<IntakeOptions, 'read' | 'typeOf'> & { readonly sql: Sql };

/** An event as its integration reads it. */
export type Arrived = {
  readonly at: Temporal.Instant;
  readonly integration: ReadingIntegration;
  readonly alerts: readonly AlertEvent[];
};

export async function arrivedOf(
  parts: EventParts,
  { caller, now }: Call,
  { event, event_id: eventId = '' }: Asked,
): Promise<Arrived> {
  if (event === undefined) {
    const stored = await findEvent(parts.sql, caller, eventId);
    const integration = stored && (await findIntegration(parts.sql, caller, stored.integration_id));
    if (!stored || !integration)
      throw wrong('event_id', 'names no event of the log, or one that is no longer kept');
    return arrivedAs(parts, stored, { integration, path: 'event_id' });
  }
  const integration = await findIntegration(parts.sql, caller, event.integration_id);
  if (!integration) throw wrong('event.integration_id', 'names no integration');
  const at = event.at === undefined ? now : instantAt('event.at', event.at);
  const alert = alertOf(event);
  if (alert !== null) return { at, integration, alerts: [alert] };
  const type = parts.typeOf(integration.slug);
  const sent = {
    ...requestOf(event, type),
    organization_id: caller.organizationId,
    received_at: at,
  };
  return arrivedAs(parts, sent, { integration, path: 'event.body' });
}

type Where = { readonly integration: ReadingIntegration; readonly path: string };

async function arrivedAs(
  parts: EventParts,
  event: StoredEvent,
  { integration, path }: Where,
): Promise<Arrived> {
  const reading = await readEvent(parts, event, integration);
  if ('unreadable' in reading) throw wrong(path, `cannot be read: ${reading.unreadable}`);
  return { at: event.received_at, integration, alerts: reading.alerts };
}

export async function readEvent(
  { read, typeOf }: EventParts,
  event: StoredEvent,
  { slug, name }: ReadingIntegration,
): Promise<Reading> {
  const type = typeOf(slug);
  return type ? read(event, type, name) : { unreadable: `${slug} is not supported here` };
}

const wrong = (path: string, message: string) => invalid([{ path, message }]);

/** What is made of a title; null if a body is to be read instead. */
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
    ...{ door: 'http' as const, method: 'POST', path: '/push-events', query },
    headers: keptHeaders(type, Object.fromEntries(named)),
    content_type: content_type ?? (isText ? 'text/plain' : 'application/json'),
    mail: null,
    body: Buffer.from(isText ? body : JSON.stringify(body)),
  };
}
