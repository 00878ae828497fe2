// Stored events as their integration types read them.

import type { AlertRequest } from '../../alerts/alert.ts';
import { dialectOf } from '../../alerts/dialects.ts';
import { typeOf as typeOfSlug } from '../../alerts/index.ts';
import type { IntegrationType } from '../../alerts/integration-type.ts';
import { httpRequestOf } from '../../engine/intake/http-request.ts';
import type { StoredEvent } from '../../engine/ports/events.ts';
import { mailOfHeaders } from '../mail/headers.ts';

/** The type of an integration; of an event that came by another service's address that of the path. */
export const typeOf = (slug: string, path = ''): IntegrationType | undefined =>
  typeOfSlug(dialectOf(path, slug) ?? slug) ?? typeOfSlug(slug);

/** A stored event as its type reads it. */
export function requestOf(event: StoredEvent): AlertRequest {
  if (event.source === 'http') return httpRequestOf(event);
  const mail =
    event.mail ??
    mailOfHeaders(event.body, 'it was stored by an older release that did not keep it');
  return { source: 'mail', ...mail };
}

/** That only a part of it is stored, for whoever has it read again; null: it is whole. */
export const partOf = ({ body, cut_from = null }: StoredEvent): string | null =>
  cut_from === null
    ? null
    : `only the first ${body.byteLength} of ${cut_from} bytes of its body are stored`;
