// Ten thousand handoffs in one instant: how long until all are recorded, and until the webhook of
// the organization was called for the last of them.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Sql } from 'postgres';
import type { Report } from './report.ts';
import type { Bench } from './world.ts';

const schedules = 10_000;
/** Long enough to write the overrides and to have them looked at. */
const aheadSeconds = 20;

export async function measureShifts(bench: Bench, sql: Sql, report: Report): Promise<void> {
  await using hook = await startCounter();
  const { schedule, standIn } = await seedSchedule(bench);
  await copySchedule(sql, schedule);
  const made = performance.now();
  await until(async () => (await eventsAt(sql, null)) >= schedules + 1);
  report(`${rounded(schedules)} new schedules looked at`, seconds(performance.now() - made));

  await callAtEachEvent(bench, hook.url);
  const handoff = new Date(Math.ceil(Date.now() / 1_000 + aheadSeconds) * 1_000);
  await overrideAll(sql, { standIn, handoff });
  const edited = performance.now();
  await until(async () => (await unseenEdits(sql)) === 0);
  const compared = seconds(performance.now() - edited);
  report(`${rounded(schedules)} edits, their moves compared`, compared);

  await until(() => Date.now() >= handoff.getTime());
  const since = () => seconds(Date.now() - handoff.getTime());
  await until(async () => (await eventsAt(sql, handoff)) >= 2 * schedules);
  const recorded = since();
  await until(() => hook.count() >= 2 * schedules);
  const calls = `last of ${rounded(2 * schedules)} calls of one webhook after ${since()}`;
  report(`${rounded(schedules)} handoffs in one instant, recorded`, recorded, calls);
}

const rounded = (count: number) => count.toLocaleString('en');
const seconds = (milliseconds: number) => `${(milliseconds / 1_000).toFixed(2)} s`;

/** One person on call, another who will stand in; neither is notified. */
async function seedSchedule(bench: Bench) {
  const nothing = { shift_start: [], shift_end: [], shift_change: [] };
  const people = await Promise.all(
    ['one', 'two'].map(async (name) => {
      const email = `${name}@example.test`;
      const user = { first_name: name, last_name: 'Bench', email, role: 'responder' };
      const { id } = await bench.api('POST /users', user);
      await bench.api(`PUT /users/${id}/notifications`, nothing);
      return String(id);
    }),
  );
  const [first = '', standIn = ''] = people;
  const rotation = { length: 8, unit: 'weeks' };
  const layers = [{ users: [first], rotation }];
  const schedule = await bench.api('POST /on-calls', { name: 'Bench', layers });
  return { schedule: String(schedule['id']), standIn };
}

async function callAtEachEvent(bench: Bench, url: string): Promise<void> {
  const { id } = await bench.api('POST /outbound-webhooks', { name: 'Bench', url, method: 'POST' });
  const shift_notifications = { outbound_webhook_ids: [id] };
  await bench.api('PATCH /organization', { shift_notifications });
}

/** As many of it as there are to be, due at once. */
async function copySchedule(sql: Sql, id: string): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`
      insert into oncall_schedules
      select r.* from (select to_jsonb(one) as was from oncall_schedules one where id = ${id}) i,
        generate_series(1, ${schedules}::int) g,
        lateral jsonb_populate_record(null::oncall_schedules, i.was || jsonb_build_object(
          'id', to_char(g, 'FM0000000000') || 'bbbbbbbbbbbbbb', 'counter', 10000000 + g)) r`;
    for (const table of ['schedule_revisions', 'shift_cursors'])
      await tx`
        insert into ${tx(table)}
        select r.* from (select to_jsonb(one) as was from ${tx(table)} one
            where oncall_schedule_id = ${id}) i,
          oncall_schedules s,
          lateral jsonb_populate_record(null::${tx(table)}, i.was || jsonb_build_object(
            'oncall_schedule_id', s.id, 'shift_id', null, 'wake_at', i.was->'edited_at')) r
        where s.id like '%bbbbbbbbbbbbbb'`;
  });
  // As tables are that did not come to be within a second.
  await sql`analyze`;
}

type Overriding = { readonly standIn: string; readonly handoff: Date };

/** In every copy somebody stands in from the same instant on. */
async function overrideAll(sql: Sql, { standIn, handoff }: Overriding): Promise<void> {
  const now = new Date();
  await sql.begin(async (tx) => {
    await tx`
      insert into oncall_overrides (organization_id, oncall_schedule_id, id, number, user_id,
        start_at, end_at, edit, in_force_from, created_at, actor)
      select organization_id, oncall_schedule_id, oncall_schedule_id, 1, ${standIn},
        ${handoff}, ${handoff}::timestamptz + interval '1 day', 2, ${now}, ${now}, '{}'
      from shift_cursors where oncall_schedule_id like '%bbbbbbbbbbbbbb'`;
    await tx`
      analyze oncall_overrides`;
    await tx`
      update shift_cursors set edits = 2, edited_at = ${now}, wake_at = ${now}
      where oncall_schedule_id like '%bbbbbbbbbbbbbb'`;
  });
}

async function eventsAt(sql: Sql, at: Date | null): Promise<number> {
  const [row] = await sql`
    select count(*)::int as n from shift_events where ${at === null ? sql`true` : sql`at = ${at}`}`;
  return Number(row?.['n']);
}

async function unseenEdits(sql: Sql): Promise<number> {
  const [row] = await sql`
    select count(*)::int as n from shift_cursors where seen_edits < edits`;
  return Number(row?.['n']);
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + 180_000;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error('it took more than three minutes');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** A webhook on this machine that counts its calls. */
async function startCounter() {
  let calls = 0;
  const server = createServer((request, response) => {
    calls += 1;
    request.resume();
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    count: () => calls,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
