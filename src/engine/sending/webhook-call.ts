// A claimed call of an outbound webhook: its content, rendered once, and the request of each try.
import type { Call, CallContent } from '../../notices/webhooks/call.ts';
import { incidentContentOf, incidentPayloadOf } from '../../notices/webhooks/incident.ts';
import { shiftContentOf, shiftPayloadOf } from '../../notices/webhooks/shift.ts';
import type { ClaimedCall } from './claimed.ts';

/** Null when there is no content: a shift event without a shift, or a test call without content. */
export function contentOf(claimed: ClaimedCall, publicUrl: string): CallContent | null {
  const { event, webhook } = claimed;
  const organization = { id: claimed.organization_id, name: claimed.organizationName };
  switch (event.type) {
    case 'incident': {
      const { occasion: event_type, subject } = event;
      const url = `${publicUrl}/incidents/${subject.incident.number}`;
      const payload = incidentPayloadOf(subject, { event_type, organization, url });
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

/** Null without content. */
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
