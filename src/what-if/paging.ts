// Whom an event of an integration pages: its incident is opened by the engine's own code, and all
// steps of its policy run at once.

import { isIgnoring, ruleSetOf } from '../incidents/actions/routing-rules.ts';
import { fresh } from '../incidents/alert-context.ts';
import { type Configuration, dropReason, routedIntegrationIn } from '../incidents/configuration.ts';
import { runStep } from '../incidents/escalation.ts';
import { type Incident, type Intent, isOpen, reachesSomebody } from '../incidents/incident.ts';
import { cancellationReason } from '../incidents/notice-cancellation.ts';
import { newIncident, openIncident } from '../incidents/open-incident.ts';
import { shownRecipient } from '../incidents/recipient.ts';
import { counted } from '../resources/plural.ts';
import type { Rule } from '../rules/match-rule.ts';

/** A person, or a chat without an id. */
export type Recipient = {
  readonly id: string | null;
  readonly name: string;
  /** `on call of Web`; null: they are named. */
  readonly route: string | null;
};

export type Paged = {
  /** By the first step that reaches somebody, and by rules and playbooks. */
  readonly first: readonly Recipient[];
  /** Whom later steps page in addition, while nobody acknowledges. */
  readonly later: readonly Recipient[];
  /** Why nobody is paged at first; null: somebody is. */
  readonly reason: string | null;
  /** Events do not reach any incident, so they do not end one either. */
  readonly isDropped: boolean;
  /** Null: no incident is opened. */
  readonly incident: Incident | null;
};

type Arrival = {
  readonly integrationId: string;
  /** Those that match, in their order. */
  readonly rules: readonly Rule[];
  readonly now: Temporal.Instant;
};

/** Every playbook that the configuration has as automatic runs, as far as its conditions hold. */
export function pagedBy(
  { integrationId, rules, now }: Arrival,
  configuration: Configuration,
): Paged {
  const integration = routedIntegrationIn(configuration, integrationId);
  const dropped = dropReason(integration);
  if (dropped !== null) return { ...nobody(dropped), isDropped: true };
  const ignoring = rules.find(({ actions }) => actions.some(isIgnoring));
  if (ignoring) return nobody(`the rule ${JSON.stringify(ignoring.name)} ignores them`);
  const arriving = { id: 'preview', keyState: fresh, now, remember: 0 };
  const arrived = newIncident(integration, { title: '', dedup_key: '' }, arriving);
  const ruleSet = ruleSetOf(integration, { configuration });
  const context = { configuration, now, eventId: 'preview' };
  const { incident, intents } = openIncident(arrived, { entries: [], rules, ruleSet, context });
  // What is decided and then made void, as by a rule that resolves, is never sent.
  const first = recipientsOf(intents.filter((one) => cancellationReason(one, incident) === null));
  const later = isPaging(incident) ? laterOf(incident, configuration, now) : [];
  const named = new Set(first.map(keyOf));
  return {
    first,
    later: later.filter((one) => !named.has(keyOf(one))),
    reason: first.length === 0 ? reasonOf(incident) : null,
    isDropped: false,
    incident,
  };
}

const nobody = (reason: string): Paged => ({
  first: [],
  later: [],
  reason,
  isDropped: false,
  incident: null,
});

/** One that is acknowledged pages once its acknowledgement times out. */
const isPaging = ({ status, escalation }: Incident): boolean =>
  status === 'triggered' || (status === 'acknowledged' && escalation.ackTimeoutMinutes !== null);

function laterOf(
  incident: Incident,
  configuration: Configuration,
  now: Temporal.Instant,
): readonly Recipient[] {
  const intents: Intent[] = [];
  let one: Incident = { ...incident, status: 'triggered' };
  while (one.escalation.nextStep < one.steps.length) {
    const outcome = runStep(one, configuration, now);
    intents.push(...outcome.intents);
    one = outcome.incident;
  }
  return recipientsOf(intents);
}

/** Notices that ask somebody to act; that admins hear of a policy that pages nobody is none. */
const paging: ReadonlySet<string> = new Set(['page', 'assigned', 'responder_added']);

function recipientsOf(intents: readonly Intent[]): readonly Recipient[] {
  const recipients = new Map<string, Recipient>();
  for (const intent of intents) {
    if (!paging.has(intent.kind) || !reachesSomebody(intent)) continue;
    const { user_id: id, recipient, route = null } = intent;
    const one = { id, name: shownRecipient({ recipient, route }), route };
    if (!recipients.has(keyOf(one))) recipients.set(keyOf(one), one);
  }
  return [...recipients.values()];
}

export const keyOf = ({ id, name }: Recipient): string => `${id} ${name}`;

function reasonOf(incident: Incident): string {
  const { status, escalation } = incident;
  if (!isOpen(incident)) return 'their incidents are resolved immediately';
  if (status === 'acknowledged') {
    const { ackTimeoutMinutes: minutes } = escalation;
    const until = minutes === null ? '' : ` for ${counted(minutes, 'minute')}`;
    return `their incidents are acknowledged immediately${until}`;
  }
  return `no step of the escalation policy ${JSON.stringify(escalation.policyName)} reaches anyone now`;
}
