// What rules and playbooks keep of what they do as JSON, as it is read back.
import type { PlaybookAction, RuleAction } from '../../resources/action.ts';
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
} from '../../resources/declaration/stored-document.ts';
import type { RunOccasion } from '../../resources/playbook.ts';
import { priorities, severities } from '../../resources/priorities.ts';

type Action = RuleAction | PlaybookAction;
type ActionOf<Type extends Action['type']> = Extract<Action, { type: Type }>;
type ActionFields<Type extends Action['type']> = Omit<ActionOf<Type>, 'type'>;

const effects = {
  priority: objectOf<ActionFields<'priority'>>({ priority: choiceOf(priorities) }),
  severity: objectOf<ActionFields<'severity'>>({ severity: choiceOf(severities) }),
  reassignIncident: objectOf<ActionFields<'reassignIncident'>>({ user_id: text }),
  escalationPolicy: objectOf<ActionFields<'escalationPolicy'>>({ escalation_policy_id: text }),
  integration: objectOf<ActionFields<'integration'>>({ integration_id: text }),
  routeToTeam: objectOf<ActionFields<'routeToTeam'>>({ team_id: text, integration_id: text }),
  outboundWebhook: objectOf<ActionFields<'outboundWebhook'>>({ outbound_webhook_id: text }),
  resolveTimer: objectOf<ActionFields<'resolveTimer'>>({
    after: count,
    unit: choiceOf(['minutes', 'hours', 'days']),
  }),
  acknowledgeIncident: objectOf<ActionFields<'acknowledgeIncident'>>({}),
  resolveIncident: objectOf<ActionFields<'resolveIncident'>>({}),
  playbook: objectOf<ActionFields<'playbook'>>({ playbook_id: text }),
  title: objectOf<ActionFields<'title'>>({ template: text }),
};

export const parseRuleActions: Parse<readonly RuleAction[]> = documentOf(
  'actions',
  listOf(
    variantOf<RuleAction>({
      ...effects,
      ignoreIncident: objectOf<ActionFields<'ignoreIncident'>>({}),
      groupIncident: objectOf<ActionFields<'groupIncident'>>({
        by: listOf(text),
        window_minutes: optional(count),
        across: choiceOf(['integration', 'service', 'team']),
      }),
    }),
  ),
);

/** Of a channel that only a newer server has, it is said that it cannot be reached. */
const via = text as Parse<ActionOf<'pagePerson'>['via']>;

export const parsePlaybookActions: Parse<PlaybookAction[]> = documentOf(
  'actions',
  listOf(
    variantOf<PlaybookAction>({
      ...effects,
      addResponder: objectOf<ActionFields<'addResponder'>>({ user_id: text }),
      pagePerson: objectOf<ActionFields<'pagePerson'>>({ user_id: text, via }),
      note: objectOf<ActionFields<'note'>>({ text }),
      addLink: objectOf<ActionFields<'addLink'>>({ href: text, text: optional(text) }),
    }),
  ),
);

/** One that only a newer server knows never comes here. */
const occasion = text as Parse<RunOccasion>;

export const parseOccasions: Parse<RunOccasion[]> = documentOf(
  'run_automatically',
  listOf(occasion),
);
