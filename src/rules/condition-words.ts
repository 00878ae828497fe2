// Conditions in short, as a part of a sentence: `title contains "disk" and severity equals SEV3`.
import type { Condition, ConditionGroups } from '../resources/condition.ts';
import { counted } from '../resources/plural.ts';
import { labelText } from '../resources/priorities.ts';
import { quoted } from './comparison.ts';
import { areAlwaysMet } from './groups.ts';

/** More conditions than that are counted. */
const NAMED = 3;

const comparatorWords = {
  contains: 'contains',
  doesNotContain: 'does not contain',
  equals: 'equals',
  doesNotEqual: 'does not equal',
  startsWith: 'starts with',
  endsWith: 'ends with',
  matches: 'matches',
  doesNotMatch: 'does not match',
} as const;

/** Null: every incident matches. */
export function conditionsText(groups: ConditionGroups): string | null {
  if (areAlwaysMet(groups)) return null;
  const texts = groups.map(({ conditions }) => conditions.filter(isLimiting).map(conditionText));
  const all = texts.reduce((sum, group) => sum + group.length, 0);
  if (all > NAMED) return `${all} conditions`;
  return texts.map((group) => group.join(' and ')).join(', or ');
}

const isLimiting = ({ type }: Condition): boolean => type !== 'allIncidents';

function conditionText(condition: Condition): string {
  switch (condition.type) {
    case 'allIncidents':
      return 'every incident';
    case 'incidentMessage':
      return `title ${comparatorWords[condition.comparator]} ${quoted(condition.text)}`;
    case 'incidentDetails':
      return `detail ${condition.key} ${comparatorWords[condition.comparator]} ${quoted(condition.text)}`;
    case 'incidentPriority':
      return `priority ${comparatorWords[condition.comparator]} ${labelText(condition.priority)}`;
    case 'incidentSeverity':
      return `severity ${comparatorWords[condition.comparator]} ${labelText(condition.severity)}`;
    case 'incidentRepeated':
      return `at least ${counted(condition.count, 'earlier incident')}`;
    case 'incidentRepeatedWithin':
      return `at least ${counted(condition.count, 'earlier incident')} within ${counted(condition.minutes, 'minute')}`;
    case 'incidentSuppressed':
      return `at least ${counted(condition.count, 'repeated alert')}`;
    case 'incidentSuppressedWithin':
      return `at least ${counted(condition.count, 'repeated alert')} within ${counted(condition.minutes, 'minute')}`;
    case 'incidentTiming':
      return `from ${condition.start} to ${condition.end} in ${condition.timezone}`;
    case 'incidentDays':
      return `on ${condition.days.join(', ')} in ${condition.timezone}`;
  }
}
