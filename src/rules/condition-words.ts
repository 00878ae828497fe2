// Conditions in short, as a part of a sentence: `title contains "disk" and severity equals sev3`.
import type { Condition, ConditionGroups } from '../resources/condition.ts';
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
      return `priority ${comparatorWords[condition.comparator]} ${condition.priority}`;
    case 'incidentSeverity':
      return `severity ${comparatorWords[condition.comparator]} ${condition.severity}`;
    case 'incidentRepeated':
      return `at least ${condition.count} earlier incidents`;
    case 'incidentRepeatedWithin':
      return `at least ${condition.count} earlier incidents in ${condition.minutes} min`;
    case 'incidentSuppressed':
      return `at least ${condition.count} repeated alerts`;
    case 'incidentSuppressedWithin':
      return `at least ${condition.count} repeated alerts in ${condition.minutes} min`;
    case 'incidentTiming':
      return `from ${condition.start} to ${condition.end} in ${condition.timezone}`;
    case 'incidentDays':
      return `on ${condition.days.join(', ')} in ${condition.timezone}`;
  }
}
