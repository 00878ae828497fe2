// Who would be paged? Asked of the engine itself, with nothing written and nothing sent.
import type { Key } from '../../engine/ledger.ts';
import { findIntegration } from '../../storage/incidents/events.ts';
import { findIncident } from '../../storage/incidents/incidents.ts';
import type { LedgerParts } from '../../storage/ledger/context.ts';
import { readLedger } from '../../storage/ledger/readings.ts';
import { keyOf } from '../../storage/records/queries.ts';
import type { Past } from '../../what-if/rehearsal.ts';
import { Answering } from '../../workers/answering.ts';
import { type Compute, JsonText, waiting } from '../computing/computer.ts';
import { notFound } from '../failures.ts';
import { instantAt } from '../oncall/params.ts';
import { route } from '../people/writing.ts';
import { type Call, ok, type Route } from '../route.ts';
import { foundOf } from '../rules/event.ts';
import { type Asked, readAsked, simulateBody } from './asked.ts';
import { type ConfigurationAnswers, configurationAnswers, hiding } from './given.ts';
import { proposalAnswers } from './proposal-answers.ts';
import type { ProposalAnswers, Said } from './proposed.ts';
import { storyShape } from './shapes.ts';
import type { Simulating } from './simulated.ts';

export type WhatIfParts = LedgerParts & { readonly compute: Compute };

/** What a simulation asks for while it runs. */
export type SimulationAnswers = ConfigurationAnswers &
  ProposalAnswers & {
    /** Before the configuration, so that that one knows all that incidents name. */
    readonly past: (keys: readonly Key[]) => Promise<Past>;
  };

export const simulateRoute = (parts: WhatIfParts): Route =>
  route('POST /simulate', 'manager', {
    tag: 'what_if',
    doc: 'Who would be paged, by an event or by an incident from now on: the whole story.',
    writesNothing: true,
    body: simulateBody,
    answers: { status: 200, schema: storyShape },
    async handle(call) {
      const asked = readAsked(call);
      const about = asked.incident_id === undefined ? anEvent : anIncident;
      const question = await about(parts, call, asked);
      using answering = new Answering(answersTo(parts, call, question));
      const input = answering.withPort(question.simulating);
      const computed = parts.compute(waiting(call), 'simulation', input);
      const { text, faults } = await answering.during(computed);
      for (const fault of faults) parts.faults(fault);
      return ok(new JsonText(text));
    },
  });

type Question = {
  readonly simulating: Omit<Simulating, 'port'>;
  readonly past: (keys: readonly Key[]) => Promise<Past>;
};

function answersTo(parts: WhatIfParts, call: Call, question: Question): SimulationAnswers {
  const { past, simulating } = question;
  const { at, arrives } = simulating;
  const { organizationId } = call.caller;
  // An incident that is there goes on as it is: nothing is proposed for it.
  const place = arrives?.place ?? { organization_id: organizationId, team_id: '' };
  const hide = hiding(parts.secrets, organizationId);
  return {
    past: async (keys) => hide(await past(keys)),
    ...proposalAnswers(parts, place),
    ...configurationAnswers(parts, { organizationId, from: at, now: call.now }),
  };
}

/** How the story goes on, whatever it begins with. */
function courseOf({ acknowledge_after_minutes: after, until }: Asked) {
  const usual = after === undefined ? 'exhausted' : 'acknowledged';
  return { acknowledgeAfterMinutes: after ?? null, until: until ?? usual } as const;
}

async function anIncident(parts: WhatIfParts, call: Call, asked: Asked): Promise<Question> {
  const { caller, now: at } = call;
  const key = keyOf(asked.incident_id ?? '');
  const incident = key && (await findIncident(parts.sql, caller, key));
  if (!incident) throw notFound();
  const { teamIds } = caller;
  return {
    simulating: { at, arrives: null, teamIds, ...courseOf(asked) },
    past: () =>
      readLedger(parts, async ({ noticesOf }) => ({
        incidents: [incident],
        notices: await noticesOf([incident]),
      })),
  };
}

async function anEvent(parts: WhatIfParts, call: Call, asked: Asked): Promise<Question> {
  const { caller, now } = call;
  const { organizationId, teamIds } = caller;
  const { integration_id: integrationId = '', event: sample = {}, configuration = {} } = asked;
  const integration = await findIntegration(parts.sql, caller, integrationId);
  if (!integration) throw notFound();
  const at = asked.at === undefined ? now : instantAt('at', asked.at);
  const sent = { ...sample, integration_id: integrationId, at: at.toString() };
  const found = await foundOf(parts.sql, call, { event: sent });
  const place = { organization_id: organizationId, team_id: integration.team_id };
  const said = JSON.stringify(proposalsIn(configuration, integrationId));
  const arrives = { place, found, said };
  return {
    simulating: { at, arrives, teamIds, ...courseOf(asked) },
    past: (keys) =>
      readLedger(parts, async ({ incidentsOf, noticesOf }) => {
        const incidents = asked.at === undefined ? await incidentsOf(keys) : [];
        return { incidents, notices: await noticesOf(incidents) };
      }),
  };
}

function proposalsIn(
  configuration: NonNullable<Asked['configuration']>,
  integrationId: string,
): Said {
  const { rules, escalation_policy: policy } = configuration;
  return {
    ...(rules && { rules: { path: 'configuration.rules', bodies: rules } }),
    ...(policy !== undefined && {
      policy: { path: 'configuration.escalation_policy', integrationId, body: policy },
    }),
  };
}
