import { dayAt, modulo, timeOfDay, weekdayOf } from '../oncall/wall-clock.ts';
import { DAY, wallAt, zoneOf } from '../oncall/zone.ts';
import type { Condition } from '../resources/condition.ts';
import { counted } from '../resources/plural.ts';
import { labelText } from '../resources/priorities.ts';
import { comparisonOf, quoted } from './comparison.ts';
import { detailOf, isCutAt } from './details.ts';
import { type Facts, memoOf, type Text, textOf } from './facts.ts';

/** A condition that is ready to be evaluated on any number of facts. */
export type Compiled = {
  /** The cheap ones of a group are evaluated first. */
  readonly cost: number;
  /** It counts: what does not hold of one event may hold of the next. */
  readonly counts?: 'repeats' | 'suppressed';
  readonly holds: (facts: Facts) => boolean;
  /** What is so, as a sentence, whether the condition holds or not. */
  readonly describe: (facts: Facts) => string;
};
type Of<Type extends Condition['type']> = Extract<Condition, { readonly type: Type }>;

const cost = { known: 0, clock: 1, text: 2, detail: 3, expression: 4 } as const;

export function compileCondition(condition: Condition): Compiled {
  switch (condition.type) {
    case 'allIncidents':
      return { cost: cost.known, holds: () => true, describe: () => 'Every incident matches.' };
    case 'incidentMessage':
    case 'incidentDetails':
    case 'incidentPriority':
    case 'incidentSeverity':
      return compare(condition);
    case 'incidentRepeated':
    case 'incidentRepeatedWithin':
    case 'incidentSuppressed':
    case 'incidentSuppressedWithin':
      return count(condition);
    case 'incidentTiming':
      return duringHours(condition);
    case 'incidentDays':
      return onDays(condition);
  }
}

type Subject = {
  readonly cost: number;
  readonly name: string;
  readonly operand: string;
  readonly read: (facts: Facts) => Text | null;
  /** Whether it was cut, so that nobody knows what is not in it. */
  readonly isCut?: (facts: Facts) => boolean;
  /** What is compared is a priority or a severity. */
  readonly isLabel?: true;
};

function compare(condition: Parameters<typeof subjectOf>[0]): Compiled {
  const { name, read, operand, cost: own, isCut, isLabel } = subjectOf(condition);
  const isNegation = condition.comparator.startsWith('doesNot');
  const isUncertain = (facts: Facts) => isNegation && isCut?.(facts) === true;
  const { isExpression, holds, describe } = comparisonOf(condition.comparator, operand);
  return {
    cost: isExpression ? cost.expression : own,
    holds: (facts) => holds(read(facts)) && !isUncertain(facts),
    describe(facts) {
      if (isUncertain(facts)) return `The ${name} is stored only in part.`;
      const text = read(facts);
      return text === null
        ? `There is no ${name}.`
        : sentenceOf(`The ${name} ${quoted(text.plain)} ${describe(text)}.`, isLabel);
    },
  };
}

/** What a comparator is about. */
function subjectOf(
  condition: Of<'incidentMessage' | 'incidentDetails' | 'incidentPriority' | 'incidentSeverity'>,
): Subject {
  switch (condition.type) {
    case 'incidentMessage':
      return {
        cost: cost.text,
        name: 'title',
        operand: condition.text,
        read: (facts) => memoOf(facts).title,
      };
    case 'incidentDetails':
      return {
        cost: cost.detail,
        name: `detail ${condition.key}`,
        operand: condition.text,
        read: (facts) => detailOf(facts, condition.key),
        isCut: ({ details }) => isCutAt(details, condition.key),
      };
    case 'incidentPriority':
      return {
        cost: cost.known,
        name: 'priority',
        isLabel: true,
        operand: condition.priority,
        read: ({ priority }) => (priority === null ? null : textOf(priority)),
      };
    case 'incidentSeverity':
      return {
        cost: cost.known,
        name: 'severity',
        isLabel: true,
        operand: condition.severity,
        read: ({ severity }) => (severity === null ? null : textOf(severity)),
      };
  }
}

/** `The priority "p1" equals "p1"` as people read it. */
const sentenceOf = (text: string, isLabel = false): string =>
  isLabel ? text.replace(/"((?:p|sev)\d)"/g, (_, value: string) => labelText(value)) : text;

const MINUTE = 60_000;

function count(
  condition: Of<
    | 'incidentRepeated'
    | 'incidentRepeatedWithin'
    | 'incidentSuppressed'
    | 'incidentSuppressedWithin'
  >,
): Compiled {
  const isRepeats = condition.type.startsWith('incidentRepeated');
  const what = isRepeats ? 'Earlier incidents with its key' : 'Repeated alerts';
  const span = 'minutes' in condition ? ` in the last ${counted(condition.minutes, 'minute')}` : '';
  const countIn = (facts: Facts) => {
    if (!('minutes' in condition)) return isRepeats ? facts.repeatCount : facts.suppressedCount;
    const since = memoOf(facts).at - condition.minutes * MINUTE;
    return (isRepeats ? facts.repeatedAt : facts.suppressedAt).filter((at) => at >= since).length;
  };
  return {
    cost: cost.known,
    counts: isRepeats ? 'repeats' : 'suppressed',
    holds: (facts) => countIn(facts) >= condition.count,
    describe: (facts) => `${what}${span}: ${countIn(facts)}. At least ${condition.count} required.`,
  };
}

/** Start is included, end is not; a start after the end crosses midnight, at it is the whole day. */
function duringHours({ start, end, timezone }: Of<'incidentTiming'>): Compiled {
  const zone = zoneOf(timezone);
  const [from, to] = [timeOfDay(start), timeOfDay(end)];
  const wallTime = (facts: Facts) => modulo(wallAt(zone, memoOf(facts).at), DAY);
  const holds = (facts: Facts) => {
    const at = wallTime(facts);
    return from < to ? at >= from && at < to : at >= from || at < to;
  };
  return {
    cost: cost.clock,
    holds,
    describe: (facts) => {
      const relation = holds(facts) ? 'within' : 'outside';
      return `It is ${clockText(wallTime(facts))} in ${timezone}, ${relation} ${start} to ${end}.`;
    },
  };
}

function clockText(wallTime: number): string {
  const minutes = Math.floor(wallTime / MINUTE);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

function onDays({ days, timezone }: Of<'incidentDays'>): Compiled {
  const zone = zoneOf(timezone);
  const dayOf = (facts: Facts) => weekdayOf(dayAt(zone, memoOf(facts).at));
  const isAmong = (day: string) => days.some((one) => one === day);
  return {
    cost: cost.clock,
    holds: (facts) => isAmong(dayOf(facts)),
    describe(facts) {
      const day = dayOf(facts);
      const relation = isAmong(day) ? 'one of' : 'none of';
      return `It is ${day} in ${timezone}, ${relation} ${days.join(', ')}.`;
    },
  };
}
