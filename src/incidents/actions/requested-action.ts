// Actions of rules and playbooks that a person requests: run a playbook, call a webhook.
import type { PlaybookAction } from '../../resources/action.ts';
import type { DecisionContext, Playbook } from '../configuration.ts';
import type { Actor, Incident, Outcome, Refused } from '../incident.ts';
import { runPlaybooksOnChange } from './automatic-playbooks.ts';
import { callable } from './effects.ts';
import { perform } from './perform.ts';
import { runnable } from './playbook.ts';
import { ruleSetOf } from './routing-rules.ts';

export type ActionRequest = {
  readonly type: 'perform';
  readonly by: Actor;
  readonly action: Extract<PlaybookAction, { type: 'playbook' | 'outboundWebhook' }>;
};

/** What cannot be done at all is refused; of a playbook, what can be done is. */
export function performRequest(
  incident: Incident,
  { by, action }: ActionRequest,
  deciding: DecisionContext,
): Outcome | Refused {
  const { playbooks } = ruleSetOf(incident, deciding);
  const match =
    action.type === 'playbook'
      ? ownPlaybook(playbooks.get(action.playbook_id))
      : ownWebhook(incident, action.outbound_webhook_id, deciding);
  if ('refused' in match) return match;
  const outcome = perform(incident, action, {
    ...deciding,
    by,
    playbooks,
    occasion: 'incident_requested',
    once: `${by.id}-${deciding.now.epochMilliseconds}`,
    isOpening: false,
  });
  return runPlaybooksOnChange(incident.status, outcome, { ...deciding, isOpening: false });
}

// A person's request for something that does not exist is refused, and not a fault of the program.
const ownPlaybook = (playbook: Playbook | undefined) =>
  playbook ? runnable(playbook) : { refused: 'the playbook does not exist' };

/** Only webhooks of the incident's own team may be called. */
function ownWebhook({ team_id }: Incident, id: string, { configuration }: DecisionContext) {
  const webhook = configuration.webhooks.get(id);
  if (webhook?.team_id !== team_id) return { refused: 'the webhook does not exist' };
  return callable(webhook);
}
