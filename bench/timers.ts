// 100,000 incidents wait for their next step; a thousand of them are due within 20 s.
import type { Sql } from 'postgres';
import { event } from './events.ts';
import { load, quantile } from './load.ts';
import { type Report, times } from './report.ts';

const waiting = 100_000;
const due = 1_000;
const allRanMs = 40_000;

type TimerParams = { readonly port: number; readonly path: string; readonly sql: Sql };

export async function measureTimers(
  { port, path, sql }: TimerParams,
  report: Report,
): Promise<void> {
  const next = () => event(path, { title: 'To be copied' });
  await load({ port, connections: 1, seconds: 0.1, next });
  await sql`
    insert into incidents
    select r.* from (
        select to_jsonb(one) as was from incidents one where title = 'To be copied' limit 1) i,
      generate_series(1, ${waiting}::int) g,
      lateral (select to_char((now() + case when g <= ${due}::int
        then interval '15 s' + g * interval '20 ms' else interval '1 day' end) at time zone 'UTC',
        'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as t) at,
      lateral jsonb_populate_record(null::incidents, i.was || jsonb_build_object(
        'id', to_char(g, 'FM0000000000') || 'aaaaaaaaaaaaaa', 'number', 10000000 + g,
        'dedup_key', 'timer ' || g, 'title', 'Timer', 'details', at.t, 'status', 'triggered',
        'wake_at', at.t, 'merged_into_id', null, 'acknowledged_at', null, 'resolved_at', null,
        'escalation', (i.was->'escalation') || jsonb_build_object('nextStep', 0, 'stepAt', at.t)
      )) r`;
  await new Promise((resolve) => setTimeout(resolve, allRanMs));
  const ran = await sql`
    select extract(epoch from t.at - (i.details #>> '{}')::timestamptz)::float8 * 1000 as late
    from timeline t join incidents i on i.organization_id = t.organization_id
      and i.id = t.incident_id
    where i.title = 'Timer' and t.type = 'step_ran'`;
  const errors = ran.map((row) => Number(row['late'])).sort((a, b) => a - b);
  const figure = times({ p50: quantile(errors, 0.5), p99: quantile(errors, 0.99) });
  const what = 'timer error with 100,000 waiting escalations';
  report(what, figure, `${errors.length} of ${due} fired`);
}
