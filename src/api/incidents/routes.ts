import Type from 'typebox';
import { leftOf } from '../../alerts/storage-budget.ts';
import { type ActionResult, act } from '../../engine/actions.ts';
import type { Ledger } from '../../engine/ledger.ts';
import type { SpentBytes } from '../../engine/ports/stored-bytes.ts';
import { queryLimits } from '../../limits/queries.ts';
import { choice, id, listOf, objectOf, optional } from '../../resources/declaration/field.ts';
import { readObject } from '../../resources/declaration/validate.ts';
import { incidentRole, mayAct } from '../../resources/roles.ts';
import type { ConfigurationCache } from '../../storage/configuration/cache.ts';
import { pageBy, pageOf } from '../../storage/database/page.ts';
import { integrationsOf } from '../../storage/incidents/alerts.ts';
import {
  type EventRow,
  incidentsNamed,
  integrationIdOf,
  listEvents,
  listNotices,
  nameOfUser,
  type StoredAlert,
} from '../../storage/incidents/incidents.ts';
import { namesIn } from '../../storage/incidents/names.ts';
import { listTimeline } from '../../storage/incidents/timeline.ts';
import { spentBytes } from '../../storage/ledger/stored-bytes.ts';
import { keyOf } from '../../storage/records/queries.ts';
import { removalsOf } from '../../storage/retention/removals.ts';
import { removedIn } from '../answers.ts';
import type { Compute } from '../computing/computer.ts';
import { withoutSecretValues } from '../events/secret-query.ts';
import { invalid, notFound, Refusal } from '../failures.ts';
import { readPage } from '../people/listing.ts';
import { paging, readNumberedPaging, readQuery } from '../records/list-query.ts';
import { type Answer, type Call, ok, type Route } from '../route.ts';
import { type ActionRoute, actionRoutes } from './actions.ts';
import { alertsRoute } from './alerts.ts';
import { changesRoute } from './changes.ts';
import { countsRoute } from './counts.ts';
import { include, includedNames } from './include.ts';
import { listRoute } from './list.ts';
import { knownAbout, nextOf, nextRoute, upcomingShape } from './next.ts';
import { renderNotice } from './notices.ts';
import { type OpenRouteOptions, openRoute } from './open.ts';
import { pageRoutes } from './pages.ts';
import { possibleActionsRoute } from './possible-actions.ts';
import { renderIncident, timeOrNull, withoutNulls } from './render.ts';
import { actorOf, incidentInPath, scopeOf } from './request.ts';
import { eventsShape, incidentShape, noticesShape, resultsShape, timelineShape } from './shapes.ts';
import { splitRoute } from './split.ts';
import { whyRoute } from './why.ts';

export type IncidentRoutesOptions = OpenRouteOptions & {
  readonly ledger: Ledger;
  readonly configurations: ConfigurationCache;
  readonly compute: Compute;
  /** What an organization may store of events in a day; null: no limit. */
  readonly eventStorageBytes?: number | null;
};

const tag = 'incidents';
export function incidentRoutes(options: IncidentRoutesOptions): readonly Route[] {
  return [
    listRoute(options),
    countsRoute(options),
    openRoute(options),
    readRoute(options),
    nextRoute(options),
    possibleActionsRoute(options),
    alertsRoute(options),
    splitRoute(options),
    timelineRoute(options),
    noticesRoute(options),
    changesRoute(options),
    whyRoute(options),
    eventsRoute(options),
    ...pageRoutes(options),
    ...actionRoutes.flatMap((action) => [oneRoute(options, action), manyRoute(options, action)]),
  ];
}

async function readAnew({ sql, publicUrl }: IncidentRoutesOptions, call: Call): Promise<Answer> {
  return ok(renderIncident(await incidentInPath(sql, call), publicUrl));
}

const readShape = objectOf({
  ...incidentShape.properties,
  alert_integration_ids: optional(
    Type.Array(id('The id of an integration.'), {
      description:
        'The integrations that received its alerts, in the order of their first alerts. Absent unless there are several.',
    }),
  ),
  names: includedNames,
  next: optional(upcomingShape),
});

function readRoute(options: IncidentRoutesOptions): Route {
  return {
    method: 'GET',
    path: '/incidents/:id',
    tag,
    doc: 'Returns an incident by id or number.',
    role: 'viewer',
    query: { include },
    answers: { status: 200, schema: readShape },
    async handle(call) {
      const { include: added = [] } = readQuery({ include }, call);
      const { sql, publicUrl } = options;
      const incident = await incidentInPath(sql, call);
      const received = await integrationsOf(sql, incident);
      const names =
        added.includes('names') && (await namesIn(sql, scopeOf(call.caller), [incident], received));
      const next =
        added.includes('next') && nextOf(incident, await knownAbout(options, call, [incident]));
      return ok({
        ...renderIncident(incident, publicUrl),
        ...(received.length > 1 && { alert_integration_ids: received }),
        ...(names && { names }),
        ...(next && { next }),
      });
    },
  };
}

const order = optional(
  choice(['asc', 'desc'], { doc: 'asc (default): oldest first. desc: newest first.' }),
);

function timelineRoute({ sql }: IncidentRoutesOptions): Route {
  return {
    method: 'GET',
    path: '/incidents/:id/timeline',
    tag,
    doc: 'Lists what happened to an incident and who did it, oldest first. To get new entries, send the cursor of the last entry.',
    role: 'viewer',
    query: { ...paging, order },
    answers: { status: 200, schema: timelineShape },
    async handle(call) {
      const incident = await incidentInPath(sql, call);
      const { limit, cursor: after } = readNumberedPaging(call.query);
      const slice = { limit: limit + 1, after, ...readQuery({ order }, call) };
      const on = { organizationId: call.caller.organizationId, incidentId: incident.id };
      const rows = await listTimeline(sql, on, slice);
      const { data, next_cursor } = pageBy(rows, limit, (row) => row.cursor);
      // Read after the entries, so that none is missed without a word.
      const { timeline: removed } = await removalsOf(sql, on);
      return ok({
        data: data.map((row) =>
          withoutNulls({ ...row, cursor: String(row.cursor), at: timeOrNull(row.at) }),
        ),
        next_cursor,
        ...(removed && { removed: { ...removed, at: timeOrNull(removed.at) } }),
      });
    },
  };
}

function noticesRoute({ sql }: IncidentRoutesOptions): Route {
  return {
    method: 'GET',
    path: '/incidents/:id/notices',
    tag,
    doc: 'Lists every page and message about an incident, with each attempt, its connection, the response and the receipt.',
    role: 'viewer',
    answers: { status: 200, schema: noticesShape },
    async handle(call) {
      const incident = await incidentInPath(sql, call);
      const on = { organizationId: call.caller.organizationId, incidentId: incident.id };
      const data = (await listNotices(sql, on)).map((one) => renderNotice(one, incident));
      const { noticesAt } = await removalsOf(sql, on);
      return ok({ data, ...(noticesAt && { removed_at: timeOrNull(noticesAt) }) });
    },
  };
}

function eventsRoute({ sql, eventStorageBytes: budget = null }: IncidentRoutesOptions): Route {
  return {
    method: 'GET',
    path: '/integrations/:id/events',
    tag: 'integrations',
    doc: 'Lists the requests and e-mails that an integration received, with their outcomes, newest first.',
    role: 'viewer',
    query: paging,
    answers: { status: 200, schema: eventsShape },
    async handle(call) {
      const key = keyOf(call.params['id'] ?? '');
      const scope = scopeOf(call.caller);
      const integrationId = key && (await integrationIdOf(sql, scope, key));
      if (!integrationId) throw notFound();
      const { organizationId, after, limit } = readPage(call);
      const slice = { limit: limit + 1, before: after === '' ? null : after };
      const on = { organizationId, integrationId };
      const [rows, [spent]] = await Promise.all([
        listEvents(sql, on, slice),
        spentBytes(sql, [{ ...ledgerKeyOf(on), dedup_key: '' }], call.now),
      ]);
      const { data, next_cursor } = pageOf(rows, limit);
      const incidents = await incidentsNamed(sql, scope, data.flatMap(incidentsToName));
      const maySeeSecrets = mayAct(call.caller, 'manager');
      return ok({
        data: data.map(({ times, cut_from, ...row }) =>
          withoutNulls({
            ...row,
            ...(!maySeeSecrets && withoutQuerySecrets(row)),
            body_cut_from: cut_from,
            received_at: timeOrNull(row.received_at),
            alerts: row.alerts?.map((alert) => named(alert, incidents)) ?? null,
            outcome: row.outcome ?? 'accepted',
            requests: times,
          }),
        ),
        next_cursor,
        ...(spent && { storage: storageOf(spent, budget) }),
        ...(await removedIn(sql, organizationId, 'events')),
      });
    },
  };
}

const incidentsToName = ({ alerts }: EventRow): readonly string[] =>
  (alerts ?? []).slice(0, queryLimits.eventAlertsNamed).flatMap(({ incident_id: id }) => id ?? []);

/** With number and title of its incident. */
function named(alert: StoredAlert, incidents: Awaited<ReturnType<typeof incidentsNamed>>) {
  const incident = incidents.get(alert.incident_id ?? '');
  if (incident === undefined) return alert;
  return { ...alert, incident_number: incident.number, incident_title: incident.title };
}

const ledgerKeyOf = (on: { readonly organizationId: string; readonly integrationId: string }) => ({
  organization_id: on.organizationId,
  integration_id: on.integrationId,
});

const storageOf = (spent: SpentBytes, budget: number | null) => ({
  stored_bytes: spent.integration,
  ...(budget !== null && { left_bytes: leftOf(budget, spent) }),
  cut_events: spent.cutEvents,
});

async function perform(
  options: IncidentRoutesOptions,
  action: ActionRoute,
  request: { readonly call: Call; readonly id: string; readonly body: Record<string, unknown> },
): Promise<ActionResult> {
  const { caller } = request.call;
  const { organizationId } = caller;
  const names = { nameOfUser: (user: string) => nameOfUser(options.sql, organizationId, user) };
  return act(
    options,
    { organizationId, id: request.id },
    {
      action: await action.actionOf(request.body, actorOf(caller), names),
      mayTouch: (incident) => caller.teamIds?.includes(incident.team_id) ?? true,
    },
  );
}

function oneRoute(options: IncidentRoutesOptions, action: ActionRoute): Route {
  const body = objectOf(action.fields);
  return {
    method: 'POST',
    path: `/incidents/:id/${action.name}`,
    tag,
    doc: action.doc,
    role: incidentRole,
    body,
    ...(body.required === undefined && { bodyMayBeAbsent: true }),
    answers: { status: 200, schema: incidentShape },
    async handle(call) {
      const read = readObject(body, call.body);
      if (!read.ok) throw invalid(read.problems);
      const incident = await incidentInPath(options.sql, call);
      const acted = await perform(options, action, { call, id: incident.id, body: read.value });
      if (acted.result === 'not_found') throw notFound();
      if (acted.result === 'refused')
        throw new Refusal('invalid_state', { message: `The action was refused: ${acted.reason}.` });
      return ok(renderIncident(acted.incident, options.publicUrl));
    },
    again: (call) => readAnew(options, call),
  };
}

/** The action on many incidents; one that is refused does not affect the others. */
function manyRoute(options: IncidentRoutesOptions, action: ActionRoute): Route {
  const ids = listOf(id('The id of an incident.', { to: 'incident', within: 'organization' }), {
    doc: 'The incidents to act on.',
    max: queryLimits.incidentsAtOnce,
  });
  const body = objectOf({ ids, ...action.fields });
  return {
    method: 'POST',
    path: `/incidents/${action.name}`,
    tag,
    doc: `${action.doc} Applies to many incidents at once, each independently.`,
    role: incidentRole,
    body,
    answers: { status: 200, schema: resultsShape },
    async handle(call) {
      const read = readObject(body, call.body);
      if (!read.ok) throw invalid(read.problems);
      const { ids: listed, ...fields } = read.value;
      const results = [];
      for (const one of new Set(listed as string[])) {
        const acted = await perform(options, action, { call, id: one, body: fields });
        const reason = acted.result === 'refused' ? acted.reason : null;
        // What is so already is as it was to be.
        const result = acted.result === 'unchanged' ? 'done' : acted.result;
        results.push(withoutNulls({ id: one, result, reason }));
      }
      return ok({ results });
    },
  };
}

type Sent = { readonly query: string | null; readonly body: string };

/** A request without a body has its query in its place. */
function withoutQuerySecrets({ query, body }: Sent): Partial<Sent> {
  if (query === null) return {};
  const masked = withoutSecretValues(query);
  return { query: masked, ...(body === query && { body: masked }) };
}
