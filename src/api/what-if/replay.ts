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
import {
  beyondLast,
  type EventSpan,
  eventsIn,
  integrationsOfTeam,
} from '../../storage/incidents/events.ts';
import { activeTeams } from '../../storage/people/teams.ts';
import { RpcServer } from '../../workers/rpc.ts';
import { JsonText, taskRequester } from '../computing/computer.ts';
import { invalid } from '../failures.ts';
import { route } from '../people/writing.ts';
import { teamOf } from '../records/write.ts';
import { type Call, ok, type Route } from '../route.ts';
import { configurationMethods, portionByPortion } from './configuration-methods.ts';
import type { ProposalBodies } from './proposal.ts';
import { proposalMethods } from './proposal-methods.ts';
import { replayShape } from './replay-shape.ts';
import type { ReplayInput, ReplayMethods } from './replay-task.ts';
import type { WhatIfParts } from './simulate.ts';

const rulesDoc = 'All proposed routing rules of the team. An empty list means no rules.';
const fields = {
  team_id: optional(
    id('The team whose rules and events are replayed. Default: the caller’s default team.'),
  ),
  days: wholeNumber({
    doc: 'The number of days to replay.',
    min: 1,
    max: queryLimits.simulationDays,
  }),
};
const body = objectOf({
  rules: listOf(alertRoutingRule.input, { doc: rulesDoc, min: 0, max: queryLimits.rules }),
  ...fields,
});
/** Rules are checked later, in the thread, by the rules of a save. */
const readable = objectOf({
  rules: listOf(anything(rulesDoc), { doc: rulesDoc, min: 0, max: queryLimits.rules }),
  ...fields,
});

export const replayRoute = (parts: WhatIfParts): Route =>
  route('POST /alert-rules/replay', 'manager', {
    tag: alertRoutingRule.table,
    doc: 'Replays the events of the last days with the saved rules and with proposed rules, and compares the results.',
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
  if (!read.ok) throw invalid(read.problems);
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
  const bodies: ProposalBodies = { rules: { path: 'rules', bodies: request.rules } };
  const proposal = JSON.stringify(bodies);
  const integrations = await integrationsOfTeam(sql, caller, team_id);
  const from = to.subtract({ hours: request.days * 24 });
  return { team, from, to, integrations, proposal, teamIds };
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
