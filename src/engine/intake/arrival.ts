// A request or mail whose token was recognised, and the event that it becomes.
import type { EventSource, Mail } from '../../alerts/alert.ts';
import type { IntegrationType } from '../../alerts/integration-type.ts';
import type { Mapping } from '../../alerts/reading/notation.ts';
import { type Refused, refusalHeader, refusalText } from '../../alerts/refused.ts';
import { storedHeaders, storedQuery } from '../../alerts/request-headers.ts';
import type { StoredEvent } from '../ports/events.ts';

/** Of events that people send to try an integration. A tool may send to it too. */
export const testEventPath = '/test-event';

export type Arrival = {
  readonly organizationId: string;
  readonly integrationId: string;
  /** As they were on arrival; the event is read again if they have changed when it is decided. */
  readonly slug: string;
  readonly integrationName: string;
  /** Of its integration, as it was on arrival. */
  readonly mapping?: Mapping | null;
  readonly source: EventSource;
  /** Of a request by HTTP. */
  readonly sent?: {
    readonly method: string;
    readonly query: string;
    readonly headers: Parameters<typeof storedHeaders>[1];
  };
  readonly path: string;
  readonly contentType: string;
  readonly body: Uint8Array;
  /** A mail as it was read. */
  readonly mail?: Mail;
  /** It stands for what was refused. */
  readonly refused?: Refused;
};

/** As which event it came, and when. */
export type Came = Pick<StoredEvent, 'id' | 'received_at'>;

export function eventOf(
  arrival: Arrival,
  came: Came,
  type: IntegrationType | undefined,
): StoredEvent {
  const { sent } = arrival;
  return {
    ...came,
    organization_id: arrival.organizationId,
    integration_id: arrival.integrationId,
    source: arrival.source,
    path: arrival.path,
    method: sent?.method ?? null,
    query: sent ? storedQuery(sent.query) : null,
    headers: headersOf(arrival, type),
    content_type: arrival.contentType,
    body: arrival.body,
    mapping_revision: arrival.mapping?.revision ?? null,
    mail: arrival.mail ?? null,
  };
}

function headersOf({ sent, refused }: Arrival, type: IntegrationType | undefined) {
  if (refused !== undefined) return { [refusalHeader]: refusalText(refused) };
  return sent ? storedHeaders(type, sent.headers) : null;
}
