// What a simulation asks for: an event or an incident, and in which configuration.
import type { Static } from 'typebox';
import { queryLimits } from '../../limits/queries.ts';
import { alertRoutingRule } from '../../resources/alert-routing-rule.ts';
import {
  anything,
  choice,
  id,
  listOf,
  objectOf,
  optional,
  text,
  wholeNumber,
} from '../../resources/declaration/field.ts';
import type { Problem } from '../../resources/declaration/resource.ts';
import { readObject } from '../../resources/declaration/validate.ts';
import { escalationPolicy } from '../../resources/escalation-policy.ts';
import { invalid } from '../failures.ts';
import { timeParam } from '../oncall/params.ts';
import type { Call } from '../route.ts';
import { sampleContent, sampleProblems } from '../rules/rule-test-request.ts';

const docs = {
  rules: 'Instead of all rules of the integration’s team.',
  policy: 'Instead of the policy of the integration.',
  configuration: 'What is not saved; everything else is as it is saved.',
};

const fields = {
  integration_id: optional(
    id('Where the event arrives.', { to: 'integration', within: 'organization' }),
  ),
  event: optional(objectOf(sampleContent, 'An event that nobody sent.')),
  incident_id: optional(
    text({ doc: 'Instead of an event: an incident, by id or number, from now on.', min: 1 }),
  ),
  at: optional(
    timeParam('When the event arrives, as the first of its key; absent: now, after all there was.'),
  ),
  acknowledge_after_minutes: optional(
    wholeNumber({
      doc: 'Somebody acknowledges it then; absent: nobody does.',
      ...{ min: 0, max: queryLimits.simulationDays * 24 * 60 },
    }),
  ),
  until: optional(
    choice(['acknowledged', 'exhausted'], {
      doc: 'Where the story ends; once acknowledged, if anybody is to acknowledge.',
    }),
  ),
};

export const simulateBody = objectOf({
  ...fields,
  configuration: optional(
    objectOf(
      {
        rules: optional(
          listOf(alertRoutingRule.input, { doc: docs.rules, min: 0, max: queryLimits.rules }),
        ),
        escalation_policy: optional({ ...escalationPolicy.input, description: docs.policy }),
      },
      docs.configuration,
    ),
  ),
});

/** What is proposed is read as what is to be saved would be. */
const readable = objectOf({
  ...fields,
  configuration: optional(
    objectOf({
      rules: optional(
        listOf(anything(docs.rules), { doc: docs.rules, min: 0, max: queryLimits.rules }),
      ),
      escalation_policy: optional(anything(docs.policy)),
    }),
  ),
});
export type SimulateRequest = Static<typeof readable>;

export function readSimulateRequest({ body }: Call): SimulateRequest {
  const read = readObject(readable, body);
  if (!read.ok) throw invalid(read.problems);
  // Just held to these fields.
  const request = read.value as SimulateRequest;
  const problems =
    request.incident_id === undefined ? eventProblems(request) : aloneProblems(request);
  if (problems.length > 0) throw invalid(problems);
  return request;
}

function eventProblems({ integration_id, event }: SimulateRequest): readonly Problem[] {
  if (event === undefined) return [{ path: 'event', message: 'or incident_id is required' }];
  if (integration_id !== undefined) return sampleProblems(event);
  return [{ path: 'integration_id', message: 'is required' }, ...sampleProblems(event)];
}

/** An incident has copied its policy, and new events alone are judged by rules. */
function aloneProblems(request: SimulateRequest): readonly Problem[] {
  const others = ['integration_id', 'event', 'at', 'configuration'] as const;
  return others
    .filter((name) => request[name] !== undefined)
    .map((path) => ({ path, message: 'goes without incident_id' }));
}
