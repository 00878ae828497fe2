// Stored events as their integration types read them.
import type { AlertRequest, IntegrationType, Reading } from '../alerts/alert.ts';
import { integrationTypes } from '../alerts/index.ts';
import { readMessage } from '../api/mail/message.ts';
import type { StoredEvent } from '../engine/ledger.ts';

export const typeOf = (slug: string) => integrationTypes.find((type) => type.slug === slug);

/** Mail is parsed from its bytes each time. */
export async function read(
  event: StoredEvent,
  type: IntegrationType,
  name: string,
): Promise<Reading> {
  const about = { receivedAt: event.received_at, integrationName: name };
  const request = await requestOf(event);
  return request ? type.read(request, about) : { unreadable: 'the mail cannot be read' };
}

async function requestOf(event: StoredEvent): Promise<AlertRequest | null> {
  const { path, content_type, body } = event;
  if (event.door === 'http') return { door: 'http', path, contentType: content_type, body };
  const mail = await readMessage(body);
  return mail && { door: 'mail', ...mail };
}
