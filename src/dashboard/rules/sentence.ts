// A rule as one sentence, such as: If the title contains "disk": set the priority to P1.
import type { RuleAction } from '../../resources/action.ts';
import type { Condition, ConditionGroups } from '../../resources/condition.ts';
import { spanText } from '../../resources/plural.ts';
import { labelOf, valueText } from '../form/labels.ts';
import type { NameOf } from '../form/picks.ts';
import { nameOf as nameOfValue } from '../integration/grouping/grouping.ts';
import { clockTime } from '../ui/clock-time.ts';
import { words } from './words.ts';

export type RuleFields = {
  readonly condition_groups: ConditionGroups;
  readonly actions: readonly RuleAction[];
};

export function ruleSentence(rule: RuleFields, nameOf: NameOf): string {
  const groups = rule.condition_groups.map(({ conditions }) =>
    conditions.map(conditionText).join(words.and),
  );
  const actions = rule.actions.map((action) => actionText(action, nameOf)).join(', ');
  return words.sentence(groups.join(words.or), actions);
}

/** What is compared, in the words of the form. */
function conditionText(condition: Condition): string {
  switch (condition.type) {
    case 'allIncidents':
      return words.every;
    case 'incidentMessage':
      return words.compares(words.theTitle, comparatorText(condition), condition.text);
    case 'incidentDetails':
      return words.compares(condition.key, comparatorText(condition), condition.text);
    case 'incidentPriority':
      return words.compares(
        words.thePriority,
        comparatorText(condition),
        valueText(condition.priority),
      );
    case 'incidentSeverity':
      return words.compares(
        words.theSeverity,
        comparatorText(condition),
        valueText(condition.severity),
      );
    case 'incidentRepeated':
      return words.repeated(condition.count);
    case 'incidentRepeatedWithin':
      return words.repeatedWithin(condition.count, condition.minutes);
    case 'incidentSuppressed':
      return words.suppressed(condition.count);
    case 'incidentSuppressedWithin':
      return words.suppressedWithin(condition.count, condition.minutes);
    case 'incidentTiming':
      return words.between(
        clockTime(condition.start),
        clockTime(condition.end),
        condition.timezone,
      );
    case 'incidentDays':
      return words.on(condition.days.map(valueText).join(', '), condition.timezone);
  }
}

const comparatorText = ({ comparator }: { readonly comparator: string }): string =>
  valueText(comparator).toLowerCase();

function actionText(action: RuleAction, nameOf: NameOf): string {
  switch (action.type) {
    case 'priority':
      return words.sets(labelOf('priority'), valueText(action.priority));
    case 'severity':
      return words.sets(labelOf('severity'), valueText(action.severity));
    case 'reassignIncident':
      return words.reassign(nameOf('user', action.user_id));
    case 'escalationPolicy':
      return words.page(nameOf('escalation_policy', action.escalation_policy_id));
    case 'integration':
      return words.moveTo(nameOf('integration', action.integration_id));
    case 'routeToTeam':
      return words.moveTo(nameOf('team', action.team_id));
    case 'outboundWebhook':
      return words.call(nameOf('outbound_webhook', action.outbound_webhook_id));
    case 'playbook':
      return words.run(nameOf('playbook', action.playbook_id));
    case 'resolveTimer':
      return words.resolveAfter(spanText(action));
    case 'title':
      return words.retitle(action.template);
    case 'acknowledgeIncident':
      return words.acknowledge;
    case 'resolveIncident':
      return words.resolve;
    case 'ignoreIncident':
      return words.ignore;
    case 'groupIncident':
      return words.groupBy(
        labelOf(action.across).toLowerCase(),
        action.by.map(nameOfValue),
        action.window_minutes,
      );
  }
}
