import type { Policy, ReceivingIntegration } from '../configuration.ts';
import { type Entry, entry, type Incident } from '../incident.ts';

/** Why events to it are dropped, if they are [2.1]. */
export function whyDropped(receiver: ReceivingIntegration): string | null {
  if (receiver.archived) return 'the integration is archived';
  if (receiver.service.archived) return 'the service is archived';
  if (!receiver.enabled) return 'the integration is disabled';
  return null;
}

/** What the timeline says of a policy that pages though it is archived. */
export function archivedEntries(incident: Incident, policy: Policy): Entry[] {
  const text = `The policy ${policy.name} is archived: its last steps are used`;
  return policy.archived ? [entry(incident, 'archived_policy', text)] : [];
}
