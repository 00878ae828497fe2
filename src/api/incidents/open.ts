// POST /incidents: a person opens an incident, without an alert.
import type { Json } from '../../alerts/alert.ts';
import { clean } from '../../alerts/body/json.ts';
import { oneLine } from '../../alerts/text.ts';
import { type OpeningContext, openByHand } from '../../engine/open-by-hand.ts';
import { eventsLimits } from '../../limits/events.ts';
import { priority, severity } from '../../resources/condition.ts';
import { id, objectOf, optional, text, textOrObject } from '../../resources/declaration/field.ts';
import type { Problem } from '../../resources/declaration/resource.ts';
import { readObject } from '../../resources/declaration/validate.ts';
import { incidentRole } from '../../resources/roles.ts';
import type { Sql } from '../../storage/database/database.ts';
import { findIncident } from '../../storage/incidents/incidents.ts';
import { type Lookup, lookupIn } from '../../storage/records/uses.ts';
import { invalid, notFound, Refusal } from '../failures.ts';
import { checkReferences } from '../records/references.ts';
import { type Call, type Caller, maySee, ok, type Route } from '../route.ts';
import { renderIncident } from './render.ts';
import { actorOf } from './request.ts';
import { incidentShape } from './shapes.ts';

const body = objectOf({
  title: text({
    doc: 'The title of the incident, on one line.',
    min: 1,
    max: eventsLimits.titleLength,
    pattern: '[^\\s\\x00-\\x1f\\x7f]',
  }),
  service_id: id('The affected service. Its team owns the incident.', {
    to: 'service',
    within: 'organization',
  }),
  escalation_policy_id: optional(
    id(
      'The escalation policy that decides who is paged. If absent, the policy of the service’s integrations, if they all use the same one.',
      { to: 'escalation_policy', within: 'team' },
    ),
  ),
  details: optional(
    textOrObject('More details, as text or as a JSON object. Routing rules can read them.'),
  ),
  priority: optional(priority()),
  severity: optional(severity()),
});

export type OpenRouteOptions = OpeningContext & {
  readonly sql: Sql;
  readonly publicUrl: string;
};

export const openRoute = (options: OpenRouteOptions): Route => ({
  method: 'POST',
  path: '/incidents',
  tag: 'incidents',
  doc: 'Opens an incident without an alert. Its escalation policy pages people.',
  role: incidentRole,
  body,
  answers: { status: 201, schema: incidentShape },
  async handle(call) {
    const { organizationId } = call.caller;
    const report = await readReport(call, lookupIn(options.sql, organizationId));
    const repeatable = call.repeatable ?? null;
    const opened = await openByHand(options, { organizationId, report, repeatable });
    switch (opened.result) {
      case 'opened':
        return ok(renderIncident(opened.incident, options.publicUrl), 201);
      case 'policy_needed':
        throw invalid([{ path: 'escalation_policy_id', message: opened.reason }]);
      case 'refused':
        throw new Refusal('invalid_state', {
          message: `The incident was not opened: ${opened.reason}.`,
        });
    }
  },
  again: openedBefore(options),
});

/** Answers a repeated request with the incident that the first one opened. */
export const openedBefore =
  ({ sql, publicUrl }: Pick<OpenRouteOptions, 'sql' | 'publicUrl'>): NonNullable<Route['again']> =>
  async ({ caller }, incidentId) => {
    // The caller opened it, but a rule may have moved it to a team that the caller is not of.
    const scope = { organizationId: caller.organizationId, teamIds: null };
    const incident = await findIncident(sql, scope, { id: incidentId });
    if (!incident) throw notFound();
    return ok(renderIncident(incident, publicUrl), 201);
  };

async function readReport({ body: sent, caller }: Call, lookup: Lookup) {
  const read = readObject(body, sent ?? {});
  const fields = read.ok ? read.value : read.readable;
  const { service_id: serviceId } = fields;
  const services =
    typeof serviceId === 'string' ? await lookup('service', [serviceId]) : new Map<string, never>();
  const service = services.get(String(serviceId));
  const teamId = service && maySee(caller, service.teamId) ? service.teamId : null;
  const referring = { schema: body, before: undefined, after: fields, teamId };
  const problems: readonly Problem[] = [
    ...(read.ok ? [] : read.problems),
    ...ownProblems(fields),
    ...(await checkReferences(referring, ownOnly(lookup, caller))).problems,
  ];
  if (problems.length > 0 || teamId === null) throw invalid(problems);
  return {
    by: actorOf(caller),
    team_id: teamId,
    service_id: String(serviceId),
    escalation_policy_id: textOrNull(fields['escalation_policy_id']),
    title: oneLine(String(fields['title'])),
    details: clean((fields['details'] ?? null) as Json),
    priority: textOrNull(fields['priority']),
    severity: textOrNull(fields['severity']),
  };
}

/** A service of another team is as one that does not exist. */
const ownOnly =
  (lookup: Lookup, caller: Caller): Lookup =>
  async (kind, ids) => {
    const all = await lookup(kind, ids);
    if (kind !== 'service') return all;
    return new Map([...all].filter(([, { teamId }]) => maySee(caller, teamId)));
  };

function ownProblems({ title }: Readonly<Record<string, unknown>>): readonly Problem[] {
  const isBlank = typeof title === 'string' && oneLine(title) === '';
  return isBlank ? [{ path: 'title', message: 'must contain a visible character' }] : [];
}

const textOrNull = (value: unknown) => (typeof value === 'string' ? value : null);
