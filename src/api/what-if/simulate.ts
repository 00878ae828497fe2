// POST /simulate: who would be paged. Nothing is written and nothing is sent.
import type { Key, RawKey } from '../../engine/ports/keys.ts';
import { isObject } from '../../resources/declaration/is-object.ts';
import { findIntegration } from '../../storage/incidents/events.ts';
import { findIncident } from '../../storage/incidents/incidents.ts';
import type { LedgerParts } from '../../storage/ledger/context.ts';
import { readLedger } from '../../storage/ledger/readings.ts';
import { keyOf } from '../../storage/records/queries.ts';
import type { Past } from '../../what-if/rehearsal.ts';
import { RpcServer } from '../../workers/rpc.ts';
import { type Compute, JsonText, taskRequester } from '../computing/computer.ts';
import { notFound } from '../failures.ts';
import { actOf, route } from '../people/writing.ts';
import { teamOf, type WriteParts } from '../records/write.ts';
import { type Call, ok, type Route } from '../route.ts';
import { configurationMethods, hiding } from './configuration-methods.ts';
import type { ProposalBodies } from './proposal.ts';
import { proposalMethods } from './proposal-methods.ts';
import {
  isPolicyAlone,
  readSimulateRequest,
  type SimulateRequest,
  simulateBody,
} from './simulate-request.ts';
import { simulationShape } from './simulation-shape.ts';
import type { SimulationInput, SimulationMethods } from './simulation-task.ts';
import { findTrialEvent } from './trial-event.ts';

export type WhatIfParts = LedgerParts & Pick<WriteParts, 'teams'> & { readonly compute: Compute };

export const simulateRoute = (parts: WhatIfParts): Route =>
  route('POST /simulate', 'manager', {
    tag: 'what_if',
    doc: 'Simulates an event, or an open incident from now on: who is paged, when and why.',
    writesNothing: true,
    computes: 'simulation',
    body: simulateBody,
    answers: { status: 200, schema: simulationShape },
    async handle(call) {
      const request = readSimulateRequest(call);
      const start = await startOf(request)(parts, call, request);
      using server = new RpcServer(methodsFor(parts, call, start));
      const input = server.withPort(start.input);
      const computed = parts.compute(taskRequester(call), 'simulation', input);
      const { text, faults } = await server.during(computed);
      for (const fault of faults) parts.faults(fault);
      return ok(new JsonText(text));
    },
  });

const startOf = (request: SimulateRequest) =>
  isPolicyAlone(request)
    ? policyStart
    : request.incident_id === undefined
      ? eventStart
      : incidentStart;

type SimulationStart = {
  readonly input: Omit<SimulationInput, 'port'>;
  readonly past: (keys: readonly (Key | RawKey)[]) => Promise<Past>;
};

function methodsFor(parts: WhatIfParts, call: Call, start: SimulationStart): SimulationMethods {
  const { past, input } = start;
  const { at, arrival } = input;
  const { organizationId } = call.caller;
  // For an incident that exists nothing can be proposed.
  const team = arrival?.team ?? { organization_id: organizationId, team_id: '' };
  const hide = hiding(parts.secrets, organizationId);
  return {
    past: async (keys) => hide(await past(keys)),
    ...proposalMethods(parts, team),
    ...configurationMethods(parts, { organizationId, from: at, now: call.now }),
  };
}

/** What applies to events and incidents alike. */
function courseOf({ acknowledge_after_minutes: after, until }: SimulateRequest) {
  const usual = after === undefined ? 'exhausted' : 'acknowledged';
  return { acknowledgeAfterMinutes: after ?? null, until: until ?? usual } as const;
}

async function incidentStart(
  parts: WhatIfParts,
  call: Call,
  request: SimulateRequest,
): Promise<SimulationStart> {
  const { caller, now: at } = call;
  const key = keyOf(request.incident_id ?? '');
  const incident = key && (await findIncident(parts.sql, caller, key));
  if (!incident) throw notFound();
  const { teamIds } = caller;
  return {
    input: { at, arrival: null, teamIds, ...courseOf(request) },
    past: () =>
      readLedger(parts, async ({ noticesOf }) => ({
        incidents: [incident],
        notices: await noticesOf([incident]),
      })),
  };
}

async function eventStart(
  parts: WhatIfParts,
  call: Call,
  request: SimulateRequest,
): Promise<SimulationStart> {
  const { caller, now } = call;
  const { organizationId, teamIds } = caller;
  const { integration_id: integrationId = '', event: sample = {}, configuration = {} } = request;
  const integration = await findIntegration(parts.sql, caller, integrationId);
  if (!integration) throw notFound();
  const at = request.at === undefined ? now : Temporal.Instant.from(request.at);
  const sent = { ...sample, integration_id: integrationId, at: at.toString() };
  const trial = await findTrialEvent(parts.sql, call, { event: sent });
  const team = { organization_id: organizationId, team_id: integration.team_id };
  const proposal = JSON.stringify(proposalsIn(configuration, integrationId));
  const arrival = { team, trial, proposal };
  return {
    input: { at, arrival, teamIds, ...courseOf(request) },
    past: (keys) =>
      readLedger(parts, async ({ incidentsOf, noticesOf }) => {
        const incidents = request.at === undefined ? await incidentsOf(keys) : [];
        return { incidents, notices: await noticesOf(incidents) };
      }),
  };
}

/** The policy is of the team that it names, as in a save. */
async function policyStart(
  parts: WhatIfParts,
  call: Call,
  request: SimulateRequest,
): Promise<SimulationStart> {
  const { caller, now } = call;
  const body = request.configuration?.escalation_policy;
  const named = isObject(body) ? body['team_id'] : undefined;
  const written = { teamId: typeof named === 'string' ? named : null, problems: [] };
  const team = {
    organization_id: caller.organizationId,
    team_id: teamOf(call, written, await parts.teams(actOf(call))),
  };
  const proposal = JSON.stringify(proposalsIn(request.configuration ?? {}, null));
  const at = request.at === undefined ? now : Temporal.Instant.from(request.at);
  return {
    input: {
      at,
      arrival: { team, trial: null, proposal },
      teamIds: caller.teamIds,
      ...courseOf(request),
    },
    past: async () => ({ incidents: [], notices: [] }),
  };
}

function proposalsIn(
  configuration: NonNullable<SimulateRequest['configuration']>,
  integrationId: string | null,
): ProposalBodies {
  const { rules, escalation_policy: policy } = configuration;
  return {
    ...(rules && { rules: { path: 'configuration.rules', bodies: rules } }),
    ...(policy !== undefined && {
      policy: { path: 'configuration.escalation_policy', integrationId, body: policy },
    }),
  };
}
