// Who would be paged? Asked of the engine itself, with nothing written and nothing sent.
import type { StoredEvent } from '../../engine/ledger.ts';
import { readConfiguration } from '../../storage/configuration/past.ts';
import { findIntegration } from '../../storage/incidents/events.ts';
import { findIncident } from '../../storage/incidents/incidents.ts';
import type { LedgerParts } from '../../storage/ledger/ledger.ts';
import { readLedger } from '../../storage/ledger/readings.ts';
import { keyOf } from '../../storage/records/queries.ts';
import { withProposed } from '../../what-if/proposals.ts';
import type { Past } from '../../what-if/rehearsal.ts';
import { type Question, simulate } from '../../what-if/simulate.ts';
import { notFound } from '../failures.ts';
import { instantAt } from '../oncall/asked.ts';
import { route } from '../people/writing.ts';
import { type Call, ok, type Route } from '../route.ts';
import { arrivedOf, type EventParts } from '../rules/event.ts';
import { type Asked, readAsked, simulateBody } from './asked.ts';
import { givenIn } from './given.ts';
import { readProposed } from './proposed.ts';
import { storyShape } from './shapes.ts';
import { storyShown } from './shown.ts';

export type WhatIfParts = EventParts & LedgerParts;

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
  const past = await readLedger(parts, async ({ noticesOf }) => ({
    incidents: [incident],
    notices: await noticesOf([incident]),
  }));
  const { organizationId } = caller;
  // After the incident, so that it knows all that the incident names.
  const saved = await readConfiguration(parts, { organizationId, from: at, now: at });
  return { given: givenIn(parts, saved), past, at, arrives: null, ...courseOf(asked) };
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
  const past = await readLedger(parts, async ({ incidentsOf, noticesOf }): Promise<Past> => {
    const incidents = asked.at === undefined ? await incidentsOf(keys) : [];
    return { incidents, notices: await noticesOf(incidents) };
  });
  const { organizationId } = caller;
  const saved = await readConfiguration(parts, { organizationId, from: at, now });
  const given = givenIn(parts, withProposed(saved, proposed));
  const arrives = { event: arrivalAt(integrationId, at, call), alerts };
  return { given, past, at, arrives, ...courseOf(asked) };
}

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
  mail: null,
});
