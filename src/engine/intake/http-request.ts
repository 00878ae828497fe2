import type { AlertRequest } from '../../alerts/alert.ts';
import type { StoredEvent } from '../ports/events.ts';

/** A stored event as the HTTP request that its integration type reads. */
export const httpRequestOf = (event: StoredEvent): AlertRequest => ({
  source: 'http',
  method: event.method ?? 'POST',
  path: event.path,
  query: event.query ?? '',
  headers: event.headers ?? {},
  contentType: event.content_type,
  body: event.body,
});
