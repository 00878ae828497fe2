// POST /alert-rules/replay: what other rules would have made of the events of the last days.
import type { Static } from 'typebox';
import { queryLimits } from '../../limits/queries.ts';
import { alertRoutingRule } from '../../resources/alert-routing-rule.ts';
import {
  anything,
  id,
  listOf,
  objectOf,
  optional,
  wholeNumber,
} from '../../resources/declaration/field.ts';
import { readObject } from '../../resources/declaration/validate.ts';
import { groupingFields } from '../../resources/grouping.ts';
import { checkSuppression } from '../../resources/integration.ts';
import { checkSpan } from '../../resources/span.ts';
import {
  beyondLast,
  type EventSpan,
  eventsIn,
  integrationsOfTeam,
  type ReadingIntegration,
} from '../../storage/incidents/events.ts';
import { activeTeams } from '../../storage/people/teams.ts';
import { RpcServer } from '../../workers/rpc.ts';
import { JsonText, taskRequester } from '../computing/computer.ts';
import { invalid } from '../failures.ts';
import { route } from '../people/writing.ts';
import { checkGroups } from '../records/integration.ts';
import { teamOf } from '../records/write.ts';
import { type Call, ok, type Route } from '../route.ts';
import { configurationMethods, portionByPortion } from './configuration-methods.ts';
import type { ProposalBodies } from './proposal.ts';
import { proposalMethods } from './proposal-methods.ts';
import { replayShape } from './replay-shape.ts';
import type { ReplayInput, ReplayMethods } from './replay-task.ts';
import type { WhatIfParts } from './simulate.ts';

const rulesDoc =
  'All proposed routing rules of the team. An empty list means no rules. If absent, the saved rules apply on both sides.';
const fields = {
  team_id: optional(
    id('The team whose rules and events are replayed. Default: the caller’s default team.'),
  ),
  days: wholeNumber({
    doc: 'The number of days to replay.',
    min: 1,
    max: queryLimits.simulationDays,
  }),
  grouping: optional(
    objectOf(
      { integration_id: id('An active integration of the team.'), ...groupingFields },
      'A proposed grouping of one integration. If absent, the saved grouping applies on both sides.',
    ),
  ),
};
const body = objectOf({
  rules: optional(
    listOf(alertRoutingRule.input, { doc: rulesDoc, min: 0, max: queryLimits.rules }),
  ),
  ...fields,
});
/** Rules are checked later, in the thread, by the rules of a save. */
const readable = objectOf({
  rules: optional(listOf(anything(rulesDoc), { doc: rulesDoc, min: 0, max: queryLimits.rules })),
  ...fields,
});

export const replayRoute = (parts: WhatIfParts): Route =>
  route('POST /alert-rules/replay', 'manager', {
    tag: alertRoutingRule.table,
    doc: 'Replays the events of the last days with the saved and with proposed rules, or with the saved and a proposed grouping of alerts, and compares the results.',
    writesNothing: true,
    computes: 'replay',
    body,
    takesTeam: true,
    answers: { status: 200, schema: replayShape },
    async handle(call) {
      const params = await paramsOf(parts, call, readReplayRequest(call));
      using server = new RpcServer(methodsFor(parts, call, params));
      const input = server.withPort(params);
      const computed = parts.compute(taskRequester(call), 'replay', input);
      const { text, faults } = await server.during(computed);
      for (const fault of faults) parts.faults(fault);
      return ok(new JsonText(text));
    },
  });

type ReplayRequest = Static<typeof readable>;

function readReplayRequest({ body: sent }: Call): ReplayRequest {
  const read = readObject(readable, sent);
  const { rules, grouping } = read.ok ? read.value : read.readable;
  const isEmpty = rules === undefined && grouping === undefined;
  const problems = [
    ...(isEmpty ? [{ path: 'rules', message: 'is required if grouping is absent' }] : []),
    ...(read.ok ? [] : read.problems),
  ];
  if (!read.ok || problems.length > 0) throw invalid(problems);
  // readObject checked it.
  return read.value as ReplayRequest;
}

async function paramsOf(
  { sql }: WhatIfParts,
  call: Call,
  request: ReplayRequest,
): Promise<Omit<ReplayInput, 'port'>> {
  const { caller, now: to } = call;
  const { organizationId, teamIds } = caller;
  const written = { teamId: request.team_id ?? null, problems: [] };
  const team_id = teamOf(call, written, await activeTeams(sql, caller));
  const team = { organization_id: organizationId, team_id };
  const integrations = await integrationsOfTeam(sql, caller, team_id);
  const { rules, grouping } = request;
  const bodies: ProposalBodies = {
    ...(rules && { rules: { path: 'rules', bodies: rules } }),
    ...(grouping && { grouping: groupingOf(grouping, integrations) }),
  };
  const proposal = JSON.stringify(bodies);
  const from = to.subtract({ hours: request.days * 24 });
  return { team, from, to, integrations, proposal, teamIds };
}

/** Throws if it cannot be saved so. */
function groupingOf(
  { integration_id: integrationId, by, window }: NonNullable<ReplayRequest['grouping']>,
  integrations: readonly ReadingIntegration[],
) {
  const integration = integrations.find(({ id }) => id === integrationId);
  if (integration === undefined)
    throw invalid([
      { path: 'grouping.integration_id', message: 'is not an integration of the team' },
    ]);
  const problems = [
    ...checkGroups({ slug: integration.slug, grouping: { by } }),
    ...checkSuppression({ ...integration, grouping: { by } }),
    ...checkSpan('grouping.window', window),
  ];
  if (problems.length > 0) throw invalid(problems);
  return { integrationId, by, window: window ?? null };
}

function methodsFor(
  parts: WhatIfParts,
  { caller: { organizationId } }: Call,
  { team, from, to, integrations }: Omit<ReplayInput, 'port'>,
): ReplayMethods {
  const { sql } = parts;
  const integrationIds = integrations.map(({ id }) => id);
  const span: EventSpan = { organizationId, integrationIds, from, to };
  const limits = { events: queryLimits.replayEvents, bytes: queryLimits.replayBytes };
  let beyond: string | null = null;
  async function* events() {
    yield* eventsIn(sql, span, beyond);
  }
  return {
    async isCut() {
      beyond = await beyondLast(sql, span, limits);
      return beyond !== null;
    },
    events: portionByPortion(events()),
    ...proposalMethods(parts, team),
    ...configurationMethods(parts, { organizationId, from, now: to }),
  };
}
