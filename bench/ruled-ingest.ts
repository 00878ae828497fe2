// New incidents with a thousand routing rules in the team, beside none.
import { type Loaded, load, request } from './load.ts';
import type { Report } from './report.ts';
import { alertOf, conditionsOf } from './rules.ts';
import { type Bench, hookFor } from './world.ts';

const rules = 1_000;
const connections = 64;

/** Nobody is paged meanwhile: only what is accepted and decided is measured. */
export async function measureRuledIngest(bench: Bench, report: Report): Promise<void> {
  const path = await hookFor(bench, 'http://127.0.0.1:9/nobody', { delay_minutes: 1_440 });
  let n = 3_000_000;
  const next = () => {
    n += 1;
    const { title, details } = alertOf(n);
    return request(path, JSON.stringify({ title, body: details, dedup_key: `ruled ${n}` }));
  };
  const run = async (seconds: number): Promise<Loaded> => {
    const result = await load({ port: bench.port, connections, seconds, next });
    const { 202: accepted, ...others } = result.statuses;
    if (!accepted || Object.keys(others).length > 0)
      throw new Error(`answers other than 202: ${JSON.stringify(result.statuses)}`);
    return result;
  };
  await run(3);
  const without = await run(6);
  const made: string[] = [];
  for (let number = 0; number < rules; number += 1) {
    const actions = [{ type: 'severity', severity: 'sev1' }];
    const condition_groups = [{ conditions: conditionsOf(number, 'one pair') }];
    const rule = { name: `Rule ${number}`, condition_groups, actions };
    made.push(String((await bench.api('POST /alert-rules', rule))['id']));
  }
  await run(2);
  const ruled = await run(6);
  for (const id of made) await bench.api(`DELETE /alert-rules/${id}`);
  const rate = ({ perSecond }: Loaded) => `${Math.round(perSecond).toLocaleString('en')}/s`;
  report(
    `new incidents, ${rules} rules in the team`,
    rate(ruled),
    `${((ruled.perSecond / without.perSecond) * 100).toFixed(0)} % of ${rate(without)} without any`,
  );
}
