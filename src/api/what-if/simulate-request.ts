// The body of POST /simulate: an event or an incident, and what is proposed for it.
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
import { sampleContent, sampleProblems } from './rule-test-request.ts';

const docs = {
  rules:
    'Rules that replace all routing rules of the integration’s team. Default: the saved rules.',
  policy:
    'A policy that replaces the integration’s policy. Default: the saved policy. Without an integration, an event and an incident, an incident is opened for this policy alone, without rules and playbooks.',
  configuration: 'Proposed changes. Everything else is as saved.',
};

const fields = {
  integration_id: optional(
    id('The integration that receives the event. Required with an event.', {
      to: 'integration',
      within: 'organization',
    }),
  ),
  event: optional(objectOf(sampleContent, 'The event to simulate.')),
  incident_id: optional(
    text({
      doc: 'An open incident to simulate from now on instead of an event, by id or number.',
      min: 1,
    }),
  ),
  at: optional(
    timeParam(
      'When the event arrives. Default: now, with the current open incidents. At any other time, the event is the first with its key.',
    ),
  ),
  acknowledge_after_minutes: optional(
    wholeNumber({
      doc: 'The number of minutes after which someone acknowledges. Default: nobody does.',
      min: 0,
      max: queryLimits.simulationDays * 24 * 60,
    }),
  ),
  until: optional(
    choice(['acknowledged', 'exhausted'], {
      doc: 'When the simulation ends: when the incident is acknowledged, or when nobody is left to notify. Default: acknowledged if acknowledge_after_minutes is set, else exhausted.',
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

/** Proposals are checked later, in the thread, by the rules of a save. */
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
  // readObject checked it.
  const request = read.value as SimulateRequest;
  if (isPolicyAlone(request)) return request;
  const problems =
    request.incident_id === undefined ? eventProblems(request) : aloneProblems(request);
  if (problems.length > 0) throw invalid(problems);
  return request;
}

/** The request has nothing but a proposed policy: an incident is opened for it. */
export const isPolicyAlone = ({
  integration_id,
  event,
  incident_id,
  configuration: { rules, escalation_policy } = {},
}: SimulateRequest): boolean =>
  escalation_policy !== undefined &&
  [integration_id, event, incident_id, rules].every((one) => one === undefined);

function eventProblems({ integration_id, event }: SimulateRequest): readonly Problem[] {
  if (event === undefined) return [{ path: 'event', message: 'or incident_id is required' }];
  if (integration_id !== undefined) return sampleProblems(event);
  return [{ path: 'integration_id', message: 'is required' }, ...sampleProblems(event)];
}

/** An incident has a copy of its policy, and rules are evaluated on new events only. */
function aloneProblems(request: SimulateRequest): readonly Problem[] {
  const others = ['integration_id', 'event', 'at', 'configuration'] as const;
  return others
    .filter((name) => request[name] !== undefined)
    .map((path) => ({ path, message: 'cannot be combined with incident_id' }));
}
