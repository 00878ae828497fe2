// The body of POST /alert-rules/test: a rule, and the event to evaluate it on.
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

/** The content of a sample event. */
export const sampleContent = {
  body: optional(anything('The body as the monitoring tool sends it: text or JSON.')),
  content_type: optional(
    text({
      doc: 'The content type of the body. Default: text/plain for text, application/json for JSON.',
    }),
  ),
  query: optional(
    text({
      doc: 'The query string of the address that the tool sends the body to.',
      max: eventsLimits.queryLength,
    }),
  ),
  headers: optional(
    mapOf(text({ doc: 'The value of the header.', max: eventsLimits.headerLength }), {
      doc: 'The headers that the tool sends. Only headers that the integration type reads matter.',
      max: eventsLimits.tried,
    }),
  ),
  title: optional(text({ doc: 'The title of an alert, instead of a body.', max: 1_000 })),
  details: optional(anything('The details of the alert. Allowed only with title.')),
  priority: optional(priority()),
  severity: optional(severity()),
};

const sample = objectOf(
  {
    integration_id: id('The integration at which the sample event arrives.', {
      to: 'integration',
      within: 'organization',
    }),
    ...sampleContent,
    at: optional(timeParam('When the sample event arrives. Default: now.')),
  },
  'A sample event.',
);

const fields = {
  rule_id: optional(text({ doc: 'The saved rule to test, by id or counter.', min: 1 })),
  event: optional(sample),
  event_id: optional(
    id(
      'An event from the log to test the rule on, at the time when it arrived, or at the time in `at`.',
    ),
  ),
  at: optional(
    timeParam(
      'The time at which to test the event from the log, instead of when it arrived. Only with `event_id`. For a sample event, set `event.at`.',
    ),
  ),
  repeat_count: optional(
    wholeNumber({
      doc: 'The assumed number of earlier incidents with the same key. Default: 0.',
      min: 0,
      max: eventsLimits.triedCount,
    }),
  ),
  suppressed_count: optional(
    wholeNumber({
      doc: 'The assumed number of suppressed events, including this one. Default: 0, so the event opens an incident.',
      min: 0,
      max: eventsLimits.triedCount,
    }),
  ),
};
const rule = 'The rule to test. It does not have to be saved.';

export const testBody = objectOf({
  rule: optional({ ...alertRoutingRule.input, description: rule }),
  ...fields,
});
/** The rule is checked later, in the thread, by the rules of a save. */
const readable = objectOf({ rule: optional(anything(rule)), ...fields });

export type Sample = Static<typeof sample>;
export type RuleTestRequest = Static<typeof readable>;

export function readRuleTestRequest({ body }: Call): RuleTestRequest {
  const read = readObject(readable, body);
  if (!read.ok) throw invalid(read.problems);
  // readObject checked it.
  const request = read.value as RuleTestRequest;
  const problems = [
    ...eitherOf(request, 'rule', 'rule_id'),
    ...eitherOf(request, 'event', 'event_id'),
    ...(request.event ? sampleProblems(request.event) : []),
    ...(request.event && request.at !== undefined
      ? [{ path: 'at', message: 'cannot be combined with event: set event.at' }]
      : []),
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
  return [{ path: other, message: `cannot be combined with ${one}` }];
}

export function sampleProblems(event: Omit<Sample, 'integration_id' | 'at'>): readonly Problem[] {
  const problems = eitherOf(event, 'body', 'title');
  const others = (['details', 'priority', 'severity'] as const).filter(
    (name) => event.body !== undefined && event[name] !== undefined,
  );
  return [
    ...problems.map(({ path, message }) => ({ path: `event.${path}`, message })),
    ...others.map((name) => ({ path: `event.${name}`, message: 'cannot be combined with body' })),
  ];
}
