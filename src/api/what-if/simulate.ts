// Who would be paged? Asked of the engine itself, with nothing written and nothing sent.
import type { StoredEvent } from '../../engine/ledger.ts';
import type { Incident } from '../../incidents/incident.ts';
import { findIntegration } from '../../storage/incidents/events.ts';
import { findIncident } from '../../storage/incidents/incidents.ts';
import type { LedgerParts } from '../../storage/ledger/ledger.ts';
import { type Readings, readLedger } from '../../storage/ledger/readings.ts';
import { keyOf } from '../../storage/records/queries.ts';
import { asSaved, readConfiguration } from '../../what-if/configuration.ts';
import type { Past } from '../../what-if/rehearsal.ts';
import { type Question, simulate } from '../../what-if/simulate.ts';
import { notFound } from '../failures.ts';
import { instantAt } from '../oncall/asked.ts';
import { route } from '../people/writing.ts';
import { type Call, ok, type Route } from '../route.ts';
import { arrivedOf, type EventParts } from '../rules/event.ts';
import { type Asked, readAsked, simulateBody } from './asked.ts';
import { readProposed } from './proposed.ts';
import { storyShape } from './shapes.ts';
import { storyShown } from './shown.ts';

export type WhatIfParts = EventParts & LedgerParts;

export const simulateRoute = (parts: WhatIfParts): Route =>
  route('POST /simulate', 'manager', {
    tag: 'what_if',
    doc: 'Who would be paged, by an event or by an incident from now on: the whole story.',
    body: simulateBody,
    answers: { status: 200, schema: storyShape },
    async handle(call) {
      const asked = readAsked(call);
      const about = asked.incident_id === undefined ? anEvent : anIncident;
      const question = await about(parts, call, asked);
      const { teamIds } = call.caller;
      return ok(storyShown(await simulate(question), { question, teamIds }));
    },
  });

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
  return readLedger(parts, async (readings) => {
    const past = await pastOf(readings, [incident]);
    const given = await readConfiguration(readings, concerning(call, { at, ...past }), asSaved);
    return { given, past, at, arrives: null, ...courseOf(asked) };
  });
}

async function anEvent(parts: WhatIfParts, call: Call, asked: Asked): Promise<Question> {
  const { caller, now } = call;
  const { integration_id: integrationId = '', event: sample = {}, configuration = {} } = asked;
  const integration = await findIntegration(parts.sql, caller, integrationId);
  if (!integration) throw notFound();
  const at = asked.at === undefined ? now : instantAt('at', asked.at);
  const sent = { ...sample, integration_id: integrationId, at: at.toString() };
  const { alerts } = await arrivedOf(parts, call, { event: sent });
  const place = { organization_id: caller.organizationId, team_id: integration.team_id };
  const proposals = proposalsIn(configuration, integrationId);
  const proposed = await readProposed(proposals, place, parts.sql);
  const keys = alerts.map(({ dedup_key }) => ({
    ...{ organization_id: caller.organizationId, integration_id: integrationId, dedup_key },
  }));
  return readLedger(parts, async (readings) => {
    const there = asked.at === undefined ? await readings.incidentsOf(keys) : [];
    const past = await pastOf(readings, there);
    const concerned = {
      ...concerning(call, { at, ...past }),
      integrationIds: new Set([integrationId]),
    };
    const given = await readConfiguration(readings, concerned, proposed);
    const arrives = { event: arrivalAt(integrationId, at, call), alerts };
    return { given, past, at, arrives, ...courseOf(asked) };
  });
}

async function pastOf(readings: Readings, incidents: readonly Incident[]): Promise<Past> {
  return { incidents, notices: await readings.noticesOf(incidents) };
}

const concerning = (
  { caller }: Call,
  { at, incidents }: { readonly at: Temporal.Instant; readonly incidents: readonly Incident[] },
) => ({
  organization_id: caller.organizationId,
  integrationIds: new Set<string>(),
  incidents,
  from: at,
});

function proposalsIn(configuration: NonNullable<Asked['configuration']>, integrationId: string) {
  const { rules, escalation_policy: policy } = configuration;
  return {
    ...(rules && { rules: { path: 'configuration.rules', bodies: rules } }),
    ...(policy !== undefined && {
      policy: { path: 'configuration.escalation_policy', integrationId, body: policy },
    }),
  };
}

/** It was read already: what is left of it is when and where. */
const arrivalAt = (integrationId: string, at: Temporal.Instant, { caller }: Call): StoredEvent => ({
  organization_id: caller.organizationId,
  id: 'simulated',
  integration_id: integrationId,
  received_at: at,
  ...{ door: 'http', method: null, path: '', query: null, headers: null, content_type: '' },
  body: new Uint8Array(),
});
