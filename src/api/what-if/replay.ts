// What would other rules have made of the last days? Asked of the engine itself, on both sides.
import type { Static } from 'typebox';
import type { StoredEvent } from '../../engine/ledger.ts';
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
import { activeTeams } from '../../storage/teams.ts';
import { Answering } from '../../workers/answering.ts';
import { JsonText, waiting } from '../computing/computer.ts';
import { invalid } from '../failures.ts';
import { route } from '../people/writing.ts';
import { teamOf } from '../records/writes.ts';
import { type Call, ok, type Route } from '../route.ts';
import { type ConfigurationAnswers, configurationAnswers, portionByPortion } from './given.ts';
import { proposalAnswers } from './proposal-answers.ts';
import type { ProposalAnswers, Said } from './proposed.ts';
import type { Replaying } from './replayed.ts';
import { replayedShape } from './replayed-shape.ts';
import type { WhatIfParts } from './simulate.ts';

const says = 'All rules of the team, as they would be; none: no rule is left.';
const fields = {
  team_id: optional(id('Whose rules and whose integrations; as usual when absent.')),
  days: wholeNumber({
    doc: 'How many of the last days.',
    min: 1,
    max: queryLimits.simulationDays,
  }),
};
const body = objectOf({
  rules: listOf(alertRoutingRule.input, { doc: says, min: 0, max: queryLimits.rules }),
  ...fields,
});
/** Rules are read as those to be saved would be. */
const readable = objectOf({
  rules: listOf(anything(says), { doc: says, min: 0, max: queryLimits.rules }),
  ...fields,
});

/** What a replay asks for while it runs. */
export type ReplayAnswers = ConfigurationAnswers &
  ProposalAnswers & {
    /** Whether older events are too many. */
    readonly isCut: (asked: null) => Promise<boolean>;
    /** Oldest first, portion by portion; null: there are no more. */
    readonly events: (asked: null) => Promise<readonly StoredEvent[] | null>;
  };

export const replayRoute = (parts: WhatIfParts): Route =>
  route('POST /alert-rules/replay', 'manager', {
    tag: alertRoutingRule.table,
    doc: 'The events of the last days, judged by the saved rules and by others: what would differ.',
    writesNothing: true,
    body,
    answers: { status: 200, schema: replayedShape },
    async handle(call) {
      const replaying = await replayingOf(parts, call, readAsked(call));
      using answering = new Answering(answersTo(parts, call, replaying));
      const input = answering.withPort(replaying);
      const computed = parts.compute(waiting(call), 'replay', input);
      const { text, faults } = await answering.during(computed);
      for (const fault of faults) parts.faults(fault);
      return ok(new JsonText(text));
    },
  });

type Asked = Static<typeof readable>;

function readAsked({ body: sent }: Call): Asked {
  const read = readObject(readable, sent);
  if (!read.ok) throw invalid(read.problems);
  // Just held to these fields.
  return read.value as Asked;
}

async function replayingOf(
  { sql }: WhatIfParts,
  call: Call,
  asked: Asked,
): Promise<Omit<Replaying, 'port'>> {
  const { caller, now: to } = call;
  const { organizationId, teamIds } = caller;
  const written = { teamId: asked.team_id ?? null, problems: [] };
  const team_id = teamOf(call, written, await activeTeams(sql, caller));
  const place = { organization_id: organizationId, team_id };
  const proposes: Said = { rules: { path: 'rules', bodies: asked.rules } };
  const said = JSON.stringify(proposes);
  const integrations = await integrationsOfTeam(sql, caller, team_id);
  const from = to.subtract({ hours: asked.days * 24 });
  return { place, from, to, integrations, said, teamIds };
}

function answersTo(
  parts: WhatIfParts,
  { caller: { organizationId } }: Call,
  { place, from, to, integrations }: Omit<Replaying, 'port'>,
): ReplayAnswers {
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
    ...proposalAnswers(parts, place),
    ...configurationAnswers(parts, { organizationId, from, now: to }),
  };
}
