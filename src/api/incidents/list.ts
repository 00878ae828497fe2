import { setImmediate } from 'node:timers/promises';
import Type from 'typebox';
import { statuses } from '../../incidents/incident.ts';
import { pagingState, pagingStates } from '../../incidents/paging-state.ts';
import { incidentsLimits } from '../../limits/incidents.ts';
import { queryLimits } from '../../limits/queries.ts';
import { word } from '../../resources/declaration/answer.ts';
import {
  choice,
  id,
  listOf,
  objectOf,
  optional,
  text,
  weekday,
  weekdays,
  wholeNumber,
  zone,
} from '../../resources/declaration/field.ts';
import { priorities, severities } from '../../resources/priorities.ts';
import { verdicts } from '../../resources/verdicts.ts';
import type { Sql } from '../../storage/database/database.ts';
import { offsetsIn } from '../../storage/database/local-time.ts';
import { handledBy } from '../../storage/incidents/handled-by.ts';
import type { ListedIncident } from '../../storage/incidents/incidents.ts';
import {
  type IncidentList,
  type IncidentPosition,
  isOfOpen,
  listIncidents,
  wholeIncident,
} from '../../storage/incidents/list.ts';
import { namesIn } from '../../storage/incidents/names.ts';
import { roundPages } from '../../storage/incidents/paging.ts';
import { timeText } from '../../storage/records/rows.ts';
import { pageSchema } from '../answers.ts';
import { timeParam } from '../oncall/params.ts';
import {
  flagParameter,
  inTeams,
  paging,
  readPaging,
  readQuery,
  teamsParameter,
  wrongCursor,
  wrongQuery,
} from '../records/list-query.ts';
import { spanFor } from '../reports/period.ts';
import { type Call, ok, type Route } from '../route.ts';
import { countsIn, includedCounts } from './counts.ts';
import { includeInList as include, includedNames } from './include.ts';
import { type ConfigurationParts, knownAbout, nextOf, upcomingShape } from './next.ts';
import { attempted, renderIncident } from './render.ts';
import { scopeOf } from './request.ts';
import { handlerShape, incidentShape, reachedShape } from './shapes.ts';

const onlyWith = (name: string) => `Returns only incidents with this ${name}.`;

/** By column. */
const values = {
  severity: optional(choice(severities, { doc: onlyWith('severity') })),
  service_id: optional(id(onlyWith('service_id'))),
  integration_id: optional(id(onlyWith('integration_id'))),
  source_integration_id: optional(id(onlyWith('source_integration_id'))),
  escalation_policy_id: optional(id(onlyWith('escalation_policy_id'))),
  dedup_key: optional(word(onlyWith('dedup_key'))),
};

/** Of one of its alerts. */
const alertValues = {
  alert_integration_id: optional(
    id(
      'Returns only incidents with an alert that this integration received. With alert_dedup_key, one alert has both.',
    ),
  ),
  alert_dedup_key: optional(
    word('Returns only incidents with an alert that has this deduplication key.'),
  ),
};

const filters = {
  team_id: teamsParameter,
  status: optional(
    listOf(
      choice(['open', ...statuses], { doc: 'A status, or open for triggered or acknowledged.' }),
      {
        doc: 'Returns only incidents with one of these statuses, separated by commas. open means triggered or acknowledged.',
        max: 4,
      },
    ),
  ),
  priority: optional(
    listOf(choice(priorities, { doc: 'A priority.' }), {
      doc: 'Returns only incidents with one of these priorities, separated by commas.',
      max: priorities.length,
    }),
  ),
  verdict: optional(
    listOf(
      choice([...verdicts, 'none'], {
        doc: 'A verdict, or none for resolved incidents without a verdict.',
      }),
      {
        doc: 'Returns only resolved incidents with one of these verdicts, separated by commas. none means without a verdict. Merged incidents and tests are left out.',
        max: verdicts.length + 1,
      },
    ),
  ),
  verdict_expected_from: optional(
    id(
      'Returns only resolved incidents without a verdict for which this person is asked: the person who resolved it. If no person did, the last one who acknowledged it, and if nobody did, everyone who was paged.',
    ),
  ),
  acknowledged: flagParameter(
    'true returns only incidents that a person has acknowledged, false only the others.',
  ),
  test: flagParameter(
    'true returns only incidents that test events opened, false only the others. Reports count only the others.',
  ),
  ...values,
  ...alertValues,
  responder_id: optional(id('Returns only incidents that have this person as a responder.')),
  rule_id: optional(id('Returns only incidents that this routing rule acted on.')),
  involves: optional(
    id(
      'Returns only incidents that this person was paged for, has acknowledged, or has as a responder.',
    ),
  ),
  q: optional(
    text({
      doc: 'Returns only incidents whose title or dedup key, or that of one of their alerts, contains this text, ignoring case.',
      min: 1,
    }),
  ),
  from: optional(timeParam('Returns only incidents opened at or after this time.')),
  to: optional(timeParam('Returns only incidents opened before this time.')),
  resolved_from: optional(timeParam('Returns only incidents resolved at or after this time.')),
  resolved_to: optional(timeParam('Returns only incidents resolved before this time.')),
  weekday: optional(
    weekday(
      `Returns only incidents opened on this day of the week. Requires from and to, at most ${queryLimits.reportDays} days apart.`,
    ),
  ),
  hour: optional(
    wholeNumber({
      doc: `Returns only incidents opened at this hour of the day. Requires from and to, at most ${queryLimits.reportDays} days apart.`,
      min: 0,
      max: 23,
    }),
  ),
  timezone: optional(
    zone('The time zone of weekday and hour, such as Europe/Berlin. Default: Etc/UTC.'),
  ),
  sort: optional(
    choice(['newest', 'urgency'], {
      doc: 'newest (default) sorts newest first. urgency sorts open incidents: triggered first, then by priority, severity and age, newest first.',
    }),
  ),
};

const shape = objectOf({
  ...pageSchema(incidentShape).properties,
  names: includedNames,
  next: optional(
    Type.Record(Type.String(), upcomingShape, {
      description:
        'With include=next: what happens next to each incident if nobody acts, by incident id. Incidents to which nothing will happen are left out.',
    }),
  ),
  paging: optional(
    Type.Record(Type.String(), choice(pagingStates, { doc: 'The paging state of the incident.' }), {
      description: `With include=next: the paging state of each triggered incident that is not muted, by incident id. waiting: no step has run yet. sending: pages are being sent, and none has arrived. paged: a page reached someone. unanswered: a page reached someone more than ${incidentsLimits.answerAwaited} minutes ago, and nobody else will be paged. admins_only: nobody in the policy could be paged, so only the team’s admins were notified. nobody_reached: no page reached anyone.`,
    }),
  ),
  reached: optional(
    Type.Record(
      Type.String(),
      Type.Array(reachedShape, {
        description: `The recipients, at most ${queryLimits.reachedNamed}.`,
      }),
      {
        description:
          'With include=next: whom the current round of pages reached for each triggered incident that is not muted, by incident id.',
      },
    ),
  ),
  handled_by: optional(
    Type.Record(Type.String(), handlerShape, {
      description:
        'With include=handled_by: who acknowledged each acknowledged incident, and who resolved each resolved incident, by incident id. Incidents that were merged, and those whose timeline no longer shows it, are left out.',
    }),
  ),
  counts: includedCounts,
});

type ListParts = ConfigurationParts & { readonly publicUrl: string };

export function listRoute(parts: ListParts): Route {
  return {
    method: 'GET',
    path: '/incidents',
    tag: 'incidents',
    doc: 'Lists incidents, newest first or by urgency. A page may contain fewer entries than limit, or none, and still have a next_cursor: the list continues there.',
    role: 'viewer',
    query: { ...paging, ...filters, include },
    answers: { status: 200, schema: shape },
    async handle(call) {
      const { sql, publicUrl } = parts;
      const { include: added = [] } = readQuery({ include }, call);
      const scope = scopeOf(call.caller);
      const list = { ...readList(call), isWhole: added.includes('next') };
      const [{ incidents, next }, counts] = await Promise.all([
        listIncidents(sql, inTeams(scope, call), list),
        added.includes('counts') ? countsIn(sql, call) : undefined,
      ]);
      return ok({
        data: incidents.map((incident) => renderIncident(incident, publicUrl)),
        next_cursor: next && cursorOf(next),
        ...(added.includes('names') && { names: await namesIn(sql, scope, incidents) }),
        ...(added.includes('next') && (await comingIn(parts, call, incidents))),
        ...(added.includes('handled_by') && {
          handled_by: await handlersOf(sql, call, incidents),
        }),
        ...(counts && { counts }),
      });
    },
  };
}

/** What happens next to each, and how far its paging has come. */
async function comingIn(
  parts: ConfigurationParts,
  call: Call,
  incidents: readonly ListedIncident[],
) {
  // The engine reports what it cannot read or decide; here nothing is foreseen of it.
  const readable = incidents.flatMap((listed) => attempted(() => wholeIncident(listed)) ?? []);
  const [known, pages] = await Promise.all([
    knownAbout(parts, call, readable),
    roundPages(parts.sql, call.caller.organizationId, readable),
  ]);
  const paging = readable.flatMap((incident) => {
    const round = pages.get(incident.id) ?? noPages;
    const state = pagingState(incident, round, call.now);
    return state === null ? [] : [{ id: incident.id, state, reached: round.reached }];
  });
  const all: [string, unknown][] = [];
  for (const incident of readable) {
    const next = attempted(() => nextOf(incident, known));
    if (next) all.push([incident.id, next]);
    // Their steps may have a thousand targets each, and the engine runs in this thread too.
    await setImmediate();
  }
  return {
    next: Object.fromEntries(all),
    paging: Object.fromEntries(paging.map(({ id, state }) => [id, state])),
    reached: Object.fromEntries(paging.map(({ id, reached }) => [id, reached])),
  };
}

const noPages = { sentAt: null, isAdminNotified: false, isPending: false, reached: [] };

async function handlersOf(sql: Sql, { caller }: Call, incidents: readonly ListedIncident[]) {
  const handlers = await handledBy(sql, caller.organizationId, incidents);
  return Object.fromEntries(
    [...handlers].map(([id, { actor, at }]) => [id, { ...actor, at: timeText(at) }]),
  );
}

function readList(call: Call): IncidentList {
  const { limit, cursor } = readPaging(call.query);
  const { status, priority, verdict, verdict_expected_from, q, sort, ...others } = readQuery(
    filters,
    call,
  );
  const { responder_id, rule_id, involves, from, to, resolved_from, resolved_to, ...rest } = others;
  const { team_id: _, acknowledged, test, weekday, hour, timezone, ...named } = rest;
  const { alert_integration_id, alert_dedup_key, ...columns } = named;
  const order = sort === 'urgency' ? 'urgency' : 'number';
  const requested = status ?? (order === 'urgency' ? (['open'] as const) : undefined);
  const statuses = requested?.flatMap((one) =>
    one === 'open' ? (['triggered', 'acknowledged'] as const) : [one],
  );
  if (order === 'urgency' && !isOfOpen({ statuses }))
    throw wrongQuery('sort', 'urgency requires status to be open');
  const times = {
    from: instantIn(from),
    to: instantIn(to),
    resolvedFrom: instantIn(resolved_from),
    resolvedTo: instantIn(resolved_to),
  };
  return {
    limit,
    order,
    after: cursor === null ? null : positionIn(cursor, order),
    statuses,
    priorities: priority,
    verdicts: verdict,
    verdictExpectedFrom: verdict_expected_from,
    acknowledged,
    isTest: test,
    values: columns,
    alert: { integration_id: alert_integration_id, dedup_key: alert_dedup_key },
    text: q,
    responderId: responder_id,
    ruleId: rule_id,
    involves,
    ...times,
    localTime: localTimeIn(times, { weekday, hour, timezone }),
  };
}

const instantIn = (text: string | undefined) =>
  text === undefined ? undefined : Temporal.Instant.from(text);

type Times = Pick<IncidentList, 'from' | 'to'>;
type Clock = {
  readonly weekday?: (typeof weekdays)[number] | undefined;
  readonly hour?: number | undefined;
  readonly timezone?: string | undefined;
};

function localTimeIn(times: Times, { weekday, hour, timezone = 'Etc/UTC' }: Clock) {
  if (weekday === undefined && hour === undefined) return undefined;
  const span = spanFor(weekday === undefined ? 'hour' : 'weekday', times);
  return {
    offsets: offsetsIn(timezone, span),
    weekday: weekday && weekdays.indexOf(weekday) + 1,
    hour,
  };
}

const cursorOf = ({ urgency, number }: IncidentPosition): string =>
  urgency === null ? `${number}` : `${urgency}.${number}`;

function positionIn(cursor: string, order: IncidentList['order']): IncidentPosition {
  const [, urgency, number] = /^(?:([0-9]{1,3})\.)?([0-9]{1,9})$/.exec(cursor) ?? [];
  if (number === undefined || (urgency !== undefined) !== (order === 'urgency'))
    throw wrongCursor();
  return { urgency: urgency === undefined ? null : Number(urgency), number: Number(number) };
}
