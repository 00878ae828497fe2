import type { Step } from '../../resources/escalation-policy.ts';
import { type Entry, entry, type Incident, type Span } from '../incident.ts';

/** An integration with all that deciding needs, as it is when the event is decided. */
export type Receiver = {
  readonly organization_id: string;
  readonly integration_id: string;
  readonly team_id: string;
  readonly slug: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly archived: boolean;
  readonly disableSuppression: boolean;
  readonly repeats: boolean;
  readonly ackTimeoutMinutes: number | null;
  readonly autoResolve: Span | null;
  readonly service: { readonly id: string; readonly name: string; readonly archived: boolean };
  readonly policy: {
    readonly id: string;
    readonly name: string;
    readonly archived: boolean;
    readonly delayMinutes: number;
    readonly steps: readonly Step[];
  };
};

/** Why events to it are dropped, if they are [2.1]. */
export function whyDropped(receiver: Receiver): string | null {
  if (receiver.archived) return 'the integration is archived';
  if (receiver.service.archived) return 'the service is archived';
  if (!receiver.enabled) return 'the integration is disabled';
  return null;
}

/** What the timeline says of a policy that pages though it is archived. */
export function archivedEntries(incident: Incident, policy: Receiver['policy']): Entry[] {
  const says = `The policy ${policy.name} is archived: its last steps are used`;
  return policy.archived ? [entry(incident, 'archived_policy', says)] : [];
}
