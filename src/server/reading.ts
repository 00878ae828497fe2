// Stored events as their integration types read them.
import type { AlertRequest, IntegrationType, Reading } from '../alerts/alert.ts';
import { integrationTypes } from '../alerts/index.ts';
import { readMessage } from '../api/mail/message.ts';
import { httpRequestOf } from '../engine/deciding/request.ts';
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
  if (event.door === 'http') return httpRequestOf(event);
  const mail = await readMessage(event.body);
  return mail && { door: 'mail', ...mail };
}
