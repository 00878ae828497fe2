// Reports about incidents and pages, as JSON, or one table of them as a CSV file.
import { choice, id, optional, weekdays } from '../../resources/declaration/field.ts';
import { personName } from '../../resources/person-name.ts';
import { type Verdict, verdicts } from '../../resources/verdicts.ts';
import type { Sql } from '../../storage/database/database.ts';
import { offsetsIn } from '../../storage/database/local-time.ts';
import { nightsIn } from '../../storage/incidents/nights.ts';
import { reportPages } from '../../storage/incidents/page-reports.ts';
import {
  type HourCount,
  type IncidentReport,
  reportIncidents,
} from '../../storage/incidents/reports.ts';
import { removedBefore } from '../../storage/retention/removals.ts';
import { pageReaderOf, seenPages } from '../incidents/page-reader.ts';
import { timeOrNull } from '../incidents/render.ts';
import { scopeOf } from '../incidents/request.ts';
import { inTeams, readQuery, teamsParameter } from '../records/list-query.ts';
import { type Call, ok, type Route } from '../route.ts';
import { type Period, periodIn, periodParameters, weeksOf } from './period.ts';
import { incidentReportShape, pageReportShape } from './shapes.ts';
import { incidentTables, pageTables, tableCsv } from './tables.ts';

const tag = 'reports';

const onlyOf = (name: string) => `Returns only figures of incidents with this ${name}.`;

/** By column. */
const values = {
  service_id: optional(id(onlyOf('service_id'))),
  integration_id: optional(id(onlyOf('integration_id'))),
};
const filters = { team_id: teamsParameter, ...values };

const format = optional(
  choice(['json', 'csv'], {
    doc: 'json (default), or csv for a CSV file of the table that table names.',
  }),
);

function tableOf<const Names extends readonly string[]>(names: Names) {
  return optional(
    choice(names, {
      doc: `With format=csv: the table in the file. Default: ${names[0]}.`,
    }),
  );
}

const incidentTable = tableOf([
  ...(['weeks', 'hours', 'keys'] as const),
  ...(['verdicts_by_integration', 'verdicts_by_rule', 'verdicts_by_key'] as const),
]);
const pageTable = tableOf(['people', 'channels']);

type Parts = { readonly sql: Sql };

export const reportRoutes = (parts: Parts): readonly Route[] => [
  {
    method: 'GET',
    path: '/reports/incidents',
    tag,
    doc: 'Reports on the incidents opened in a period: how many were opened in each week and at each hour of each weekday, the median and 90th percentile of the time to acknowledge and to resolve, the keys with the most incidents, and the verdicts by integration, routing rule and key. Tests are left out. Default: the last 28 days.',
    role: 'viewer',
    query: { ...periodParameters, ...filters, format, table: incidentTable },
    answers: { status: 200, schema: incidentReportShape, isAlsoCsv: true },
    handle: (call) => incidents(parts, call),
  },
  {
    method: 'GET',
    path: '/reports/pages',
    tag,
    doc: `Reports on the pages created in a period: how many each person got, how many of them at night, and how many were sent by each channel. Pages about tests are left out. ${seenPages} Default: the last 28 days.`,
    role: 'viewer',
    query: { ...periodParameters, ...filters, format, table: pageTable },
    answers: { status: 200, schema: pageReportShape, isAlsoCsv: true },
    handle: (call) => pages(parts, call),
  },
];

async function incidents({ sql }: Parts, call: Call) {
  const period = periodIn(call);
  const { format: wanted, table = 'weeks' } = readQuery({ format, table: incidentTable }, call);
  const scope = inTeams(scopeOf(call.caller), call);
  const weeks = weeksOf(period);
  const report = await reportIncidents(sql, scope, {
    ...period,
    offsets: offsetsIn(period.timezone, period),
    weeks: weeks.map(({ from }) => from),
    values: readQuery(values, call),
  });
  const removed = await removedBefore(sql, scope.organizationId, 'timelines');
  const answer = {
    ...head(period, report),
    timezone: period.timezone,
    ...(removed && { timelines_removed_before: timeOrNull(removed) }),
    total: figuresOf(report.weeks.find(({ week }) => week === null)),
    weeks: weeks.map(({ date, from, to }, index) => ({
      date,
      from: timeOrNull(from),
      to: timeOrNull(to),
      ...figuresOf(report.weeks.find(({ week }) => week === index)),
    })),
    hours: weekdays.flatMap((weekday, day) =>
      hours.map((hour) => ({ weekday, hour, opened: openedAt(report.hours, day + 1, hour) })),
    ),
    keys: report.keys.map(({ integration, number, title, ...key }) => ({
      ...key,
      ...(integration !== null && { integration }),
      incident_number: number,
      incident_title: title,
    })),
    verdicts: verdictsOf(report.verdicts),
  };
  return ok(
    wanted === 'csv' ? tableCsv('incidents', table, incidentTables[table](answer)) : answer,
  );
}

function verdictsOf({ total, integrations, rules, keys }: IncidentReport['verdicts']) {
  return {
    total: withAnswered(total),
    integrations: integrations.map(({ integration, ...one }) => ({
      ...withAnswered(one),
      ...(integration !== null && { integration }),
    })),
    rules: rules.map(({ rule, ...one }) => ({
      ...withAnswered(one),
      ...(rule !== null && { rule }),
    })),
    keys: keys.map(({ integration, number, title, ...one }) => ({
      ...withAnswered(one),
      ...(integration !== null && { integration }),
      incident_number: number,
      incident_title: title,
    })),
  };
}

const withAnswered = <Counts extends Readonly<Record<Verdict, number>>>(counts: Counts) => ({
  ...counts,
  answered: verdicts.reduce((sum, verdict) => sum + counts[verdict], 0),
});

const hours = Array.from({ length: 24 }, (_, hour) => hour);

const openedAt = (counts: readonly HourCount[], day: number, at: number): number =>
  counts.find(({ weekday, hour }) => weekday === day && hour === at)?.opened ?? 0;

const noFigures = {
  opened: 0,
  acknowledged: 0,
  acknowledge_seconds: null,
  resolved: 0,
  resolve_seconds: null,
};

function figuresOf(figures: IncidentReport['weeks'][number] | undefined) {
  const { opened, acknowledged, acknowledge_seconds, resolved, resolve_seconds } =
    figures ?? noFigures;
  return {
    opened,
    acknowledged,
    ...(acknowledge_seconds && { acknowledge_seconds: percentiles(acknowledge_seconds) }),
    resolved,
    ...(resolve_seconds && { resolve_seconds: percentiles(resolve_seconds) }),
  };
}

const percentiles = ([median, p90]: readonly [number, number]) => ({
  median: Math.round(median),
  p90: Math.round(p90),
});

async function pages({ sql }: Parts, call: Call) {
  const period = periodIn(call);
  const { format: wanted, table = 'people' } = readQuery({ format, table: pageTable }, call);
  const { organizationId } = call.caller;
  const { team_id: ofTeams } = readQuery({ team_id: teamsParameter }, call);
  const query = {
    organizationId,
    reader: await pageReaderOf(sql, call.caller),
    from: period.from,
    to: period.to,
    ofTeams,
    isTest: false,
    values: readQuery(values, call),
  };
  const report = await reportPages(sql, query, await nightsIn(sql, organizationId, period));
  const removed = await removedBefore(sql, organizationId, 'outbox');
  const answer = {
    ...head(period, report),
    ...(removed && { pages_removed_before: timeOrNull(removed) }),
    people: report.people.map(({ first_name, last_name, user_id, pages, night }) => ({
      user_id,
      name: personName({ first_name, last_name }),
      pages,
      night,
    })),
    channels: report.channels,
  };
  return ok(wanted === 'csv' ? tableCsv('pages', table, pageTables[table](answer)) : answer);
}

const head = ({ from, to }: Period, { since }: { readonly since: Temporal.Instant | null }) => ({
  from: timeOrNull(from),
  to: timeOrNull(to),
  complete: since === null,
  ...(since && { counted_from: timeOrNull(since) }),
});
