// What would other rules have made of the last days? Asked of the engine itself, on both sides.
import type { Static } from 'typebox';
import { askingLimits } from '../../limits/asking.ts';
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
import { readConfiguration } from '../../storage/configuration/past.ts';
import {
  beyondLast,
  type EventSpan,
  eventsIn,
  integrationsOfTeam,
  type ReadingIntegration,
} from '../../storage/incidents/events.ts';
import { activeTeams } from '../../storage/teams.ts';
import { withProposed } from '../../what-if/proposals.ts';
import { type Replaying, replay } from '../../what-if/replay.ts';
import { invalid, Refusal } from '../failures.ts';
import { route } from '../people/writing.ts';
import { teamOf } from '../records/writes.ts';
import { type Call, ok, type Route } from '../route.ts';
import { readEvent } from '../rules/event.ts';
import { givenIn } from './given.ts';
import { readProposed } from './proposed.ts';
import { replayedShape } from './replayed-shape.ts';
import { replayedShown } from './replayed-shown.ts';
import type { WhatIfParts } from './simulate.ts';

const says = 'All rules of the team, as they would be; none: no rule is left.';
const fields = {
  team_id: optional(id('Whose rules and whose integrations; as usual when absent.')),
  days: wholeNumber({
    doc: 'How many of the last days.',
    min: 1,
    max: askingLimits.simulationDays,
  }),
};
const body = objectOf({
  rules: listOf(alertRoutingRule.input, { doc: says, min: 0, max: askingLimits.rules }),
  ...fields,
});
/** Rules are read as those to be saved would be. */
const readable = objectOf({
  rules: listOf(anything(says), { doc: says, min: 0, max: askingLimits.rules }),
  ...fields,
});

export function replayRoute(parts: WhatIfParts): Route {
  let isRunning = false;
  return route('POST /alert-rules/replay', 'manager', {
    tag: alertRoutingRule.table,
    doc: 'The events of the last days, judged by the saved rules and by others: what would differ.',
    writesNothing: true,
    body,
    answers: { status: 200, schema: replayedShape },
    async handle(call) {
      const asked = readAsked(call);
      const { teamIds } = call.caller;
      if (isRunning) throw busy();
      isRunning = true;
      try {
        const { replaying, isCut } = await replayingOf(parts, call, asked);
        const { from, to } = replaying;
        return ok(replayedShown(await replay(replaying), { from, to, isCut, teamIds }));
      } finally {
        isRunning = false;
      }
    },
  });
}

const busy = () =>
  new Refusal('rate_limited', {
    message: 'Another replay is running; try again later.',
    retryAfterSeconds: 10,
  });

type Asked = Static<typeof readable>;

function readAsked({ body: sent }: Call): Asked {
  const read = readObject(readable, sent);
  if (!read.ok) throw invalid(read.problems);
  // Just held to these fields.
  return read.value as Asked;
}

type Found = { readonly replaying: Replaying; readonly isCut: boolean };

async function replayingOf(parts: WhatIfParts, call: Call, asked: Asked): Promise<Found> {
  const { sql } = parts;
  const { caller, now: to } = call;
  const { organizationId } = caller;
  const written = { teamId: asked.team_id ?? null, problems: [] };
  const team_id = teamOf(call, written, await activeTeams(sql, caller));
  const place = { organization_id: organizationId, team_id };
  const said = { rules: { path: 'rules', bodies: asked.rules } };
  const proposed = await readProposed(said, place, sql);
  const integrations = await integrationsOfTeam(sql, caller, team_id);
  const integrationIds = integrations.map((one) => one.id);
  const from = to.subtract({ hours: asked.days * 24 });
  const span: EventSpan = { organizationId, integrationIds, from, to };
  const beyond = await beyondLast(sql, span, {
    events: askingLimits.replayEvents,
    bytes: askingLimits.replayBytes,
  });
  const saved = await readConfiguration(parts, { organizationId, from, now: to });
  const events = readingsOf(parts, integrations, eventsIn(sql, span, beyond));
  return {
    replaying: {
      saved: givenIn(parts, saved),
      proposed: givenIn(parts, withProposed(saved, proposed)),
      ...{ from, to, events },
    },
    isCut: beyond !== null,
  };
}

/** Each event as its integration reads it today. */
async function* readingsOf(
  parts: WhatIfParts,
  integrations: readonly ReadingIntegration[],
  events: ReturnType<typeof eventsIn>,
): Replaying['events'] {
  const byId = new Map(integrations.map((one) => [one.id, one]));
  for await (const event of events) {
    const integration = byId.get(event.integration_id);
    if (integration) yield { event, reading: await readEvent(parts, event, integration) };
  }
}
