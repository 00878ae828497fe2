// Figures about the incidents of a span: when they were opened, how soon they were acknowledged and
// resolved, and which keys opened most. Of more incidents than are searched, the newest are counted.
import { queryLimits } from '../../limits/queries.ts';
import { type Verdict, verdicts } from '../../resources/verdicts.ts';
import type { Queries } from '../database/database.ts';
import { localTime, type Offsets, type Span } from '../database/local-time.ts';
import { integrationName } from '../records/names.ts';
import { inScope, type Scope } from '../records/queries.ts';
import { appliedRules, isEnded } from './list.ts';

export type IncidentReportQuery = Span & {
  readonly offsets: Offsets;
  /** The beginning of each. */
  readonly weeks: readonly Temporal.Instant[];
  /** Only incidents with these values, by column. */
  readonly values: Readonly<Record<string, string>>;
};

/** In seconds; null: there are none. */
type Percentiles = readonly [median: number, p90: number] | null;

type Figures = {
  readonly opened: number;
  readonly acknowledged: number;
  readonly acknowledge_seconds: Percentiles;
  readonly resolved: number;
  readonly resolve_seconds: Percentiles;
};

/** Its place, counted from 0; null: all of them together. */
export type WeekFigures = Figures & { readonly week: number | null };

/** The weekday by its number, Monday is 1. */
export type HourCount = {
  readonly weekday: number;
  readonly hour: number;
  readonly opened: number;
};

export type NoisyKey = {
  readonly integration_id: string;
  readonly integration: string | null;
  readonly dedup_key: string;
  readonly opened: number;
  readonly unacknowledged: number;
  readonly suppressed: number;
  /** Of the last of its incidents. */
  readonly number: number;
  readonly title: string;
};

/** Of incidents that were resolved, and not merged. */
type VerdictCounts = { readonly ended: number } & Readonly<Record<Verdict, number>>;

export type VerdictReport = {
  readonly total: VerdictCounts;
  readonly integrations: readonly (VerdictCounts &
    Pick<NoisyKey, 'integration_id' | 'integration'>)[];
  readonly rules: readonly (VerdictCounts & {
    readonly rule_id: string;
    readonly rule: string | null;
  })[];
  readonly keys: readonly (VerdictCounts &
    Omit<NoisyKey, 'opened' | 'unacknowledged' | 'suppressed'>)[];
};

export type IncidentReport = {
  readonly weeks: readonly WeekFigures[];
  readonly hours: readonly HourCount[];
  readonly keys: readonly NoisyKey[];
  readonly verdicts: VerdictReport;
  /** Since when all are counted; null: all are. */
  readonly since: Temporal.Instant | null;
};

export async function reportIncidents(
  sql: Queries,
  scope: Scope,
  query: IncidentReportQuery,
): Promise<IncidentReport> {
  const { organizationId } = scope;
  const most = queryLimits.incidentsReported;
  const { from, to, offsets, weeks, values } = query;
  const counted = Object.entries(values).reduce(
    (all, [column, value]) => sql`${all} and ${sql(column)} = ${value}`,
    inScope(sql, scope),
  );
  const [report] = await sql<[IncidentReport]>`
    with searched as materialized (
      select organization_id, id, number, team_id, service_id, integration_id,
        source_integration_id, dedup_key, created_at, resolved_at, resolved_by_timer,
        merged_into_id, suppressed_count, is_test,
        ${endedVerdict(sql)} as verdict,
        case when ${isEnded(sql)} then ${appliedRules(sql)} end as rules
      from incidents
      where organization_id = ${organizationId} and created_at >= ${from} and created_at < ${to}
      order by created_at desc limit ${most}
    ), counted as materialized (
      select searched.*, ${localTime(sql, sql`created_at`, offsets)} as local,
        width_bucket(created_at, ${[...weeks]}::timestamptz[]) - 1 as week,
        case when first.at is not null
          then extract(epoch from greatest(first.at - created_at, interval '0'))::float8
        end as acknowledge_seconds,
        case when not resolved_by_timer and merged_into_id is null
          and resolved_at is not null
          then extract(epoch from greatest(resolved_at - created_at, interval '0'))::float8
        end as resolve_seconds
      from searched
      left join lateral (
        select at from timeline t
        where t.organization_id = searched.organization_id and t.incident_id = searched.id
          and t.type = 'acknowledged' and t.actor->>'type' = 'user'
        order by t.sequence limit 1
      ) as first on true
      where ${counted} and not is_test
    ), by_week as (
      select week, count(*) as opened, count(acknowledge_seconds) as acknowledged,
        count(resolve_seconds) as resolved,
        case when count(acknowledge_seconds) > 0 then array[
          percentile_cont(0.5) within group (order by acknowledge_seconds),
          percentile_disc(0.9) within group (order by acknowledge_seconds)
        ] end as acknowledge_seconds,
        case when count(resolve_seconds) > 0 then array[
          percentile_cont(0.5) within group (order by resolve_seconds),
          percentile_disc(0.9) within group (order by resolve_seconds)
        ] end as resolve_seconds
      from counted group by grouping sets ((week), ())
    ), by_hour as (
      select extract(isodow from local) as weekday, extract(hour from local) as hour,
        count(*) as opened
      from counted group by 1, 2
    ), by_key as (
      select source_integration_id, dedup_key, count(*) as opened,
        count(*) filter (where acknowledge_seconds is null) as unacknowledged,
        sum(suppressed_count) as suppressed, max(number) as number
      from counted where source_integration_id is not null
      group by source_integration_id, dedup_key
      order by opened desc, number desc limit ${queryLimits.keysReported}
    ), named as (
      select k.source_integration_id as integration_id, ${integrationName(sql, 'n')} as integration, k.dedup_key, opened,
        unacknowledged, suppressed, k.number, i.title
      from by_key k
      join incidents i on i.organization_id = ${organizationId} and i.number = k.number
      left join integrations n
        on n.organization_id = ${organizationId} and n.id = k.source_integration_id
      order by opened desc, k.number desc
    ), ended as materialized (
      select number, source_integration_id, dedup_key, rules, verdict from counted
      where verdict is not null
    ), verdicts_by_integration as (
      select * from (
        select source_integration_id as integration_id, ${verdictCounts(sql)}
        from ended where source_integration_id is not null group by source_integration_id
      ) as of_each order by ${noisiest(sql)}, integration_id limit ${queryLimits.keysReported}
    ), verdicts_by_rule as (
      select * from (
        select rule_id, ${verdictCounts(sql)}
        from ended cross join lateral jsonb_array_elements_text(
          case when jsonb_typeof(rules) = 'array' then rules else '[]' end) as applied (rule_id)
        group by rule_id
      ) as of_each order by ${noisiest(sql)}, rule_id limit ${queryLimits.keysReported}
    ), verdicts_by_key as (
      select * from (
        select source_integration_id as integration_id, dedup_key, max(number) as number,
          ${verdictCounts(sql)}
        from ended where source_integration_id is not null
        group by source_integration_id, dedup_key
      ) as of_each order by ${noisiest(sql)}, number desc limit ${queryLimits.keysReported}
    ), verdicts as (
      select
        (select row_to_json(total) from (select ${verdictCounts(sql)} from ended) as total) as total,
        coalesce((
          select json_agg(to_jsonb(v) || jsonb_build_object('integration', ${integrationName(sql, 'n')})
            order by ${noisiest(sql)}, v.integration_id)
          from verdicts_by_integration v
          left join integrations n
            on n.organization_id = ${organizationId} and n.id = v.integration_id
        ), '[]') as integrations,
        coalesce((
          select json_agg(to_jsonb(v) || jsonb_build_object('rule', r.name)
            order by ${noisiest(sql)}, v.rule_id)
          from verdicts_by_rule v
          left join alert_routing_rules r
            on r.organization_id = ${organizationId} and r.id = v.rule_id
        ), '[]') as rules,
        coalesce((
          select json_agg(to_jsonb(v) || jsonb_build_object(
            'integration', ${integrationName(sql, 'n')}, 'title', i.title)
            order by ${noisiest(sql)}, v.number desc)
          from verdicts_by_key v
          join incidents i on i.organization_id = ${organizationId} and i.number = v.number
          left join integrations n
            on n.organization_id = ${organizationId} and n.id = v.integration_id
        ), '[]') as keys
    )
    select
      coalesce((select json_agg(by_week) from by_week), '[]') as weeks,
      coalesce((select json_agg(by_hour) from by_hour), '[]') as hours,
      coalesce((select json_agg(named) from named), '[]') as keys,
      (select row_to_json(verdicts) from verdicts) as verdicts,
      (select case when count(*) = ${most} then min(created_at) end from searched) as since`;
  return report;
}

/** By the verdict, or none; null where no verdict is expected. */
const endedVerdict = (sql: Queries) =>
  sql`case when ${isEnded(sql)} then coalesce(verdict, 'none') end`;

const verdictCounts = (sql: Queries) =>
  verdicts.reduce(
    (counts, verdict) =>
      sql`${counts}, count(*) filter (where verdict = ${verdict}) as ${sql(verdict)}`,
    sql`count(*) as ended`,
  );

/** Those that wake people for nothing first. */
const noisiest = (sql: Queries) => sql`false_alarm + nothing_to_do desc, ended desc`;
