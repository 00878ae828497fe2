// What rules and playbooks keep of what they do as JSON, as it is read back.
import type { PlaybookAction, RuleAction } from '../../resources/action.ts';
import { priorities, severities } from '../../resources/condition.ts';
import type { RunOccasion } from '../../resources/playbook.ts';
import {
  choiceOf,
  count,
  documentOf,
  listOf,
  objectOf,
  optional,
  type Parse,
  text,
  variantOf,
} from '../stored-document.ts';

type Action = RuleAction | PlaybookAction;
type ActionOf<Type extends Action['type']> = Extract<Action, { type: Type }>;
type Fields<Type extends Action['type']> = Omit<ActionOf<Type>, 'type'>;

const effects = {
  priority: objectOf<Fields<'priority'>>({ priority: choiceOf(priorities) }),
  severity: objectOf<Fields<'severity'>>({ severity: choiceOf(severities) }),
  reassignIncident: objectOf<Fields<'reassignIncident'>>({ user_id: text }),
  escalationPolicy: objectOf<Fields<'escalationPolicy'>>({ escalation_policy_id: text }),
  integration: objectOf<Fields<'integration'>>({ integration_id: text }),
  routeToTeam: objectOf<Fields<'routeToTeam'>>({ team_id: text, integration_id: text }),
  outboundWebhook: objectOf<Fields<'outboundWebhook'>>({ outbound_webhook_id: text }),
  resolveTimer: objectOf<Fields<'resolveTimer'>>({
    after: count,
    unit: choiceOf(['minutes', 'hours', 'days']),
  }),
  acknowledgeIncident: objectOf<Fields<'acknowledgeIncident'>>({}),
  resolveIncident: objectOf<Fields<'resolveIncident'>>({}),
  playbook: objectOf<Fields<'playbook'>>({ playbook_id: text }),
  title: objectOf<Fields<'title'>>({ template: text }),
};

export const parseRuleActions: Parse<readonly RuleAction[]> = documentOf(
  'actions',
  listOf(
    variantOf<RuleAction>({ ...effects, ignoreIncident: objectOf<Fields<'ignoreIncident'>>({}) }),
  ),
);

/** Of a channel that only a newer server has, it is said that it cannot be reached. */
const via = text as Parse<ActionOf<'pagePerson'>['via']>;

export const parsePlaybookActions: Parse<PlaybookAction[]> = documentOf(
  'actions',
  listOf(
    variantOf<PlaybookAction>({
      ...effects,
      addResponder: objectOf<Fields<'addResponder'>>({ user_id: text }),
      pagePerson: objectOf<Fields<'pagePerson'>>({ user_id: text, via }),
      note: objectOf<Fields<'note'>>({ text }),
      addLink: objectOf<Fields<'addLink'>>({ href: text, text: optional(text) }),
    }),
  ),
);

/** One that only a newer server knows never comes here. */
const occasion = text as Parse<RunOccasion>;

export const parseOccasions: Parse<RunOccasion[]> = documentOf(
  'run_automatically',
  listOf(occasion),
);
