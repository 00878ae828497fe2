// What a test of a rule asks for: a rule, and an event that it is to be judged on.
import type { Static } from 'typebox';
import { eventsLimits } from '../../limits/events.ts';
import { alertRoutingRule } from '../../resources/alert-routing-rule.ts';
import { priority, severity } from '../../resources/condition.ts';
import {
  anything,
  id,
  mapOf,
  objectOf,
  optional,
  text,
  wholeNumber,
} from '../../resources/declaration/field.ts';
import type { Problem } from '../../resources/declaration/resource.ts';
import { readObject } from '../../resources/declaration/validate.ts';
import { invalid } from '../failures.ts';
import { timeParam } from '../oncall/params.ts';
import type { Call } from '../route.ts';

/** What an event says that nobody sent. */
export const sampleContent = {
  body: optional(anything('As the tool sends it: text, or JSON.')),
  content_type: optional(text({ doc: 'Of the body; JSON unless it is text.' })),
  query: optional(
    text({ doc: 'Of the address that the tool sends it to.', max: eventsLimits.queryLength }),
  ),
  headers: optional(
    mapOf(text({ doc: 'Its value.', max: eventsLimits.headerLength }), {
      doc: 'As the tool sends them; its type sees those that it reads.',
      max: eventsLimits.tried,
    }),
  ),
  title: optional(text({ doc: 'Instead of a body.', max: 1_000 })),
  details: optional(anything('With a title.')),
  priority: optional(priority()),
  severity: optional(severity()),
};

const sample = objectOf(
  {
    integration_id: id('Where it arrives.', { to: 'integration', within: 'organization' }),
    ...sampleContent,
    at: optional(timeParam('When it arrives; now when absent.')),
  },
  'An event that nobody sent.',
);

const fields = {
  rule_id: optional(text({ doc: 'A saved rule, by id or counter.', min: 1 })),
  event: optional(sample),
  event_id: optional(id('An event of the log, judged as of when it arrived.')),
  repeat_count: optional(
    wholeNumber({
      doc: 'As if it had so many earlier incidents.',
      min: 0,
      max: eventsLimits.triedCount,
    }),
  ),
  suppressed_count: optional(
    wholeNumber({
      doc: 'As if it were the last of so many suppressed events; 0: it opens an incident.',
      ...{ min: 0, max: eventsLimits.triedCount },
    }),
  ),
};
const rule = 'A rule that need not be saved.';

export const testBody = objectOf({
  rule: optional({ ...alertRoutingRule.input, description: rule }),
  ...fields,
});
/** The rule is read as one that is to be saved would be. */
const readable = objectOf({ rule: optional(anything(rule)), ...fields });

export type Sample = Static<typeof sample>;
export type RuleTestRequest = Static<typeof readable>;

export function readRuleTestRequest({ body }: Call): RuleTestRequest {
  const read = readObject(readable, body);
  if (!read.ok) throw invalid(read.problems);
  // Just held to these fields.
  const request = read.value as RuleTestRequest;
  const problems = [
    ...eitherOf(request, 'rule', 'rule_id'),
    ...eitherOf(request, 'event', 'event_id'),
    ...(request.event ? sampleProblems(request.event) : []),
  ];
  if (problems.length > 0) throw invalid(problems);
  return request;
}

function eitherOf<Field extends string>(
  fields: { readonly [Name in Field]?: unknown },
  one: Field,
  other: Field,
): readonly Problem[] {
  if (fields[one] === undefined && fields[other] === undefined)
    return [{ path: one, message: `or ${other} is required` }];
  if (fields[one] === undefined || fields[other] === undefined) return [];
  return [{ path: other, message: `goes without ${one}` }];
}

export function sampleProblems(event: Omit<Sample, 'integration_id' | 'at'>): readonly Problem[] {
  const problems = eitherOf(event, 'body', 'title');
  const others = (['details', 'priority', 'severity'] as const).filter(
    (name) => event.body !== undefined && event[name] !== undefined,
  );
  return [
    ...problems.map(({ path, message }) => ({ path: `event.${path}`, message })),
    ...others.map((name) => ({ path: `event.${name}`, message: 'goes without body' })),
  ];
}
