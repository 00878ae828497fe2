// What a person asks for that rules and playbooks do, too.
import type { PlaybookAction } from '../../resources/action.ts';
import type { Actor, Incident, Outcome, Refused } from '../incident.ts';
import { followed } from './automatic.ts';
import { callable } from './effects.ts';
import { perform, type Targets } from './perform.ts';
import { runnable } from './playbook.ts';
import { bookFor, type Deciding } from './ruled.ts';

export type Request = {
  readonly type: 'perform';
  readonly by: Actor;
  readonly action: Extract<PlaybookAction, { type: 'playbook' | 'outboundWebhook' }>;
};

/** What cannot be done at all is refused; of a playbook, what can be done is. */
export function requested(
  incident: Incident,
  { by, action }: Request,
  deciding: Deciding,
): Outcome | Refused {
  const { playbooks } = bookFor(incident, deciding);
  const targets = { ...deciding.targets, playbooks };
  const found =
    action.type === 'playbook'
      ? runnable(playbooks.get(action.playbook_id))
      : ownWebhook(incident, action.outbound_webhook_id, targets);
  if ('refused' in found) return found;
  const outcome = perform(incident, action, {
    ...deciding,
    by,
    targets,
    occasion: 'incident_requested',
    once: `${by.id}-${deciding.now.epochMilliseconds}`,
    isOpening: false,
  });
  return followed(incident.status, outcome, { ...deciding, isOpening: false });
}

/** Nobody hands an incident to another team's receiver. */
function ownWebhook(incident: Incident, id: string, targets: Pick<Targets, 'webhooks'>) {
  const webhook = callable(id, targets);
  const isOwn = 'refused' in webhook || webhook.team_id === incident.team_id;
  return isOwn ? webhook : { refused: 'there is no such webhook' };
}
