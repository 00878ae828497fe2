// A claimed call of an outbound webhook: what it says, written once, and how it is made each time.
import type { Call, CallContent } from '../../notices/webhooks/call.ts';
import { incidentContentOf, incidentPayloadOf } from '../../notices/webhooks/incident.ts';
import { shiftContentOf, shiftPayloadOf } from '../../notices/webhooks/shift.ts';
import type { ClaimedCall } from './claimed.ts';

/** Null for what has nothing to say: a story without a shift, a test that came without content. */
export function contentOf(claimed: ClaimedCall, publicUrl: string): CallContent | null {
  const { event, webhook } = claimed;
  const organization = { id: claimed.organization_id, name: claimed.organizationName };
  switch (event.type) {
    case 'incident': {
      const { occasion: event_type, subject: told } = event;
      const url = `${publicUrl}/incidents/${told.incident.number}`;
      const payload = incidentPayloadOf(told, { event_type, organization, url });
      return incidentContentOf(payload, webhook.contentType);
    }
    case 'shift': {
      const { kind, story } = event;
      const url = `${publicUrl}/on-calls/${story.schedule.id}`;
      const payload = shiftPayloadOf({ kind, organization, url, story });
      return payload && shiftContentOf(payload);
    }
    case 'test':
      return null;
  }
}

/** Null without a content. */
export function callOf(claimed: ClaimedCall): Call | null {
  const { organization_id: organizationId, key, original, event, webhook, content } = claimed;
  if (content === null) return null;
  const { method, headers, secrets } = webhook;
  return {
    organizationId,
    about: event.type === 'shift' ? 'shift' : 'incident',
    key,
    messageId: (original ?? key).replaceAll('/', '-'),
    webhook: { method, headers, secrets },
    content,
  };
}
