import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seedLedger } from '../../../test/seeded-ledger.ts';
import { withPager } from '../../../test/stories/story.ts';
import type { Sql } from '../database/database.ts';
import { checks } from './checks.ts';

type Names = Readonly<Record<string, unknown>>;
type Corruption = {
  readonly check: string;
  readonly description: string;
  readonly corrupt: (sql: Sql) => Promise<readonly Names[]>;
  /** What the finding has in common with the row that was corrupted. */
  readonly names: readonly string[];
  /** How many findings there are besides the one of each corrupted row. */
  readonly others?: number;
  /** Checks that find it too, each in its way. */
  readonly also?: readonly string[];
};

const inFirst = (sql: Sql) => sql`incident_id = (select id from incidents where number = 1)`;
const firstPage = (sql: Sql) => sql`${inFirst(sql)} and kind = 'page' and step = 0`;
const asEntry = (sql: Sql) => sql`returning incident_id, id as entry_id`;
const entry = ['incident_id', 'entry_id'];
const notice = ['organization_id', 'key'];

const allGone = (sql: Sql, number: number) => sql`
  with gone as (delete from incidents where number = ${number} returning id),
    heads as (delete from timeline_heads where incident_id in (select id from gone)),
    entries as (delete from timeline where incident_id in (select id from gone)),
    notices as (delete from outbox where incident_id in (select id from gone) returning key),
    tries as (delete from attempts where key in (select key from notices))`;

const corruptions: readonly Corruption[] = [
  {
    check: 'open_incidents_go_on',
    description: 'a timer nobody wakes for',
    corrupt: (sql) => sql`update incidents set wake_at = null where number = 3 returning number`,
    names: ['number'],
  },
  {
    check: 'open_incidents_go_on',
    description: 'steps left, and no timer',
    corrupt: (sql) => sql`
      update incidents set wake_at = null,
        escalation = (escalation::jsonb || '{"stepAt": null}')::json
      where number = 3 returning number`,
    names: ['number'],
  },
  {
    check: 'open_incidents_go_on',
    description: 'a step nobody wakes for, beside another timer',
    corrupt: (sql) => sql`
      update incidents set escalation = (escalation::jsonb
        || json_build_object('stepAt', null, 'resolveAt', wake_at)::jsonb)::json
      where number = 3 returning number`,
    names: ['number'],
  },
  {
    check: 'open_incidents_go_on',
    description: 'a timer that somebody wakes for too late',
    corrupt: (sql) => sql`
      update incidents set wake_at = wake_at + interval '1 day' where number = 3 returning number`,
    names: ['number'],
  },
  {
    check: 'open_incidents_go_on',
    description: 'a repeat nobody wakes for',
    corrupt: (sql) => sql`
      update incidents set wake_at = null, escalation = (escalation::jsonb
        || '{"stepAt": null, "nextStep": 2, "repeats": true, "repeatsLeft": 1}')::json
      where number = 3 returning number`,
    names: ['number'],
  },
  {
    check: 'open_incidents_go_on',
    description: 'a mute after which nothing goes on',
    corrupt: (sql) => sql`
      update incidents set muted_until = wake_at,
        escalation = (escalation::jsonb || '{"stepAt": null}')::json
      where number = 3 returning number`,
    names: ['number'],
  },
  {
    check: 'open_incidents_go_on',
    description: 'a timer that is no time, and steps that are no list',
    corrupt: (sql) => sql`
      update incidents set
        escalation = case number when 3 then jsonb_set(escalation::jsonb, '{stepAt}', '"soon"')::json
          else escalation end,
        steps = case number when 1 then '{"targets": 7}'::json else steps end
      where number in (1, 3) returning number`,
    names: ['number'],
  },
  {
    check: 'incidents_have_their_alerts',
    description: 'an alert that was lost when its incident was merged',
    corrupt: (sql) => sql`
      update incidents set alerts_total = 1, alerts_firing = 1 where number = 3 returning number`,
    names: ['number'],
  },
  {
    check: 'nothing_claimed_once_acknowledged',
    description: 'a page that was claimed after the acknowledgement',
    corrupt: (sql) => sql`
      update attempts set entries_before = 6
      where key = (select key from outbox where ${firstPage(sql)}) returning key, number`,
    names: ['key', 'number'],
  },
  {
    check: 'nothing_sent_after_its_confirmation',
    description: 'a page that was sent again',
    corrupt: (sql) => sql`
      with again as (
        update outbox set attempts = 2 where ${firstPage(sql)} returning organization_id, key
      )
      insert into attempts (organization_id, key, number, claimed_at, entries_before)
      select organization_id, key, 2, claimed_at, 2 from again natural join attempts
      returning key, number`,
    names: ['key', 'number'],
  },
  {
    check: 'notices_agree_with_their_attempts',
    description: 'a page that is sent without a confirmation',
    corrupt: (sql) => sql`
      update attempts set outcome = null
      where key = (select key from outbox where ${firstPage(sql)}) returning key`,
    names: ['key'],
  },
  {
    check: 'notices_agree_with_their_attempts',
    description: 'a page that waits for ever',
    corrupt: (sql) => sql`
      update outbox set state = 'pending', finished_at = null
      where ${firstPage(sql)} returning organization_id, key`,
    names: notice,
  },
  {
    check: 'notices_agree_with_their_attempts',
    description: 'an attempt that is gone',
    corrupt: (sql) => sql`
      delete from attempts where key = (select key from outbox where ${firstPage(sql)})
      returning organization_id, key`,
    names: notice,
  },
  {
    check: 'notices_agree_with_their_attempts',
    description: 'a notice that is cancelled without a reason',
    corrupt: (sql) => sql`
      update outbox set state = 'cancelled' where ${firstPage(sql)} returning organization_id, key`,
    names: notice,
  },
  {
    check: 'attempts_have_their_notice',
    description: 'a page that is gone',
    corrupt: (sql) =>
      sql`delete from outbox where ${firstPage(sql)} returning organization_id, key`,
    names: notice,
  },
  {
    check: 'shifts_have_their_edges',
    description: 'a shift that ended unseen',
    corrupt: (sql) => sql`delete from shift_events where type = 'end' returning shift_id`,
    names: ['shift_id'],
  },
  {
    check: 'shifts_have_their_edges',
    description: 'the shift that runs, ended',
    corrupt: (sql) => sql`
      insert into shift_events (organization_id, shift_id, type, oncall_schedule_id, id, at,
        recorded_at, announced)
      select organization_id, shift_id, 'end', oncall_schedule_id, shift_id, advanced_to, advanced_to,
        true
      from shift_cursors where shift_id is not null returning shift_id`,
    names: ['shift_id'],
  },
  {
    check: 'chains_are_whole',
    description: 'other words in the last entry',
    corrupt: (sql) => sql`
      update timeline set text = 'Lin acknowledged'
      where ${inFirst(sql)} and type = 'acknowledged' ${asEntry(sql)}`,
    names: entry,
  },
  {
    check: 'chains_are_whole',
    description: 'other details in an entry',
    corrupt: (sql) => sql`
      update timeline set details = '{"step": 7}'
      where ${inFirst(sql)} and sequence = 2 ${asEntry(sql)}`,
    names: entry,
  },
  {
    check: 'chains_are_whole',
    description: 'another time, type and actor in an entry each',
    corrupt: (sql) => sql`
      update timeline set
        at = case sequence when 1 then at + interval '1 millisecond' else at end,
        type = case sequence when 3 then 'note' else type end,
        actor = case sequence when 6 then '{"name": "Lin"}'::json else actor end
      where ${inFirst(sql)} and sequence in (1, 3, 6) ${asEntry(sql)}`,
    names: entry,
  },
  {
    check: 'chains_are_whole',
    description: 'two entries that changed places, and the one after them',
    corrupt: async (sql) => {
      const moves = [
        [3, 100],
        [4, 3],
        [100, 4],
      ] as const;
      for (const [from, to] of moves)
        await sql`update timeline set sequence = ${to} where ${inFirst(sql)} and sequence = ${from}`;
      return sql`
        select incident_id, id as entry_id from timeline
        where ${inFirst(sql)} and sequence in (3, 4, 5) order by sequence`;
    },
    names: entry,
  },
  {
    check: 'chains_are_whole',
    description: 'an entry that went to the end of another incident, and both ends',
    corrupt: (sql) => sql`
      with other as (
        select incident_id, max(sequence) + 1 as sequence from timeline
        where incident_id = (select id from incidents where number = 2) group by incident_id
      ), moved as (
        update timeline t set incident_id = other.incident_id, sequence = other.sequence from other
        where t.${inFirst(sql)} and t.sequence = 6 returning t.incident_id
      )
      select id as incident_id from incidents where number = 1
      union all select incident_id from moved union all select incident_id from moved`,
    names: ['incident_id'],
  },
  {
    check: 'chains_are_whole',
    description: 'the end of a timeline that is gone',
    corrupt: (sql) => sql`
      delete from timeline where ${inFirst(sql)} and sequence > 4 returning incident_id`,
    names: ['incident_id'],
    others: -1,
  },
  {
    check: 'chains_are_whole',
    description: 'a head that was set back to an earlier end',
    corrupt: (sql) => sql`
      with gone as (delete from timeline where ${inFirst(sql)} and sequence = 6)
      update timeline_heads h set entries = 5, mac = t.mac
      from timeline t
      where t.incident_id = h.incident_id and t.sequence = 5 and h.${inFirst(sql)}
      returning h.incident_id`,
    names: ['incident_id'],
  },
  {
    check: 'chains_have_their_incident',
    description: 'an incident that is gone',
    corrupt: (sql) => sql`delete from incidents where number = 2 returning id as incident_id`,
    names: ['incident_id'],
    also: ['incidents_are_all_there'],
  },
  {
    check: 'incidents_are_all_there',
    description: 'that all of an incident is gone, by the one after it',
    corrupt: (sql) => sql`
      ${allGone(sql, 2)} select id as incident_id from incidents where number = 3`,
    names: ['incident_id'],
  },
  {
    check: 'incidents_are_all_there',
    description: 'that all of the last incident is gone, by the one before it',
    corrupt: (sql) => sql`
      ${allGone(sql, 3)} select id as incident_id from incidents where number = 2`,
    names: ['incident_id'],
  },
  {
    check: 'incidents_have_their_chain',
    description: 'an entry that nobody chained',
    corrupt: (sql) => sql`
      insert into timeline (organization_id, incident_id, id, sequence, at, type, text)
      select organization_id, id, id, 0, created_at, 'note', 'I was paged' from incidents
      where number = 1 returning incident_id, id as entry_id`,
    names: entry,
  },
  {
    check: 'chains_are_whole',
    description: 'an entry after the last, and that the end is another',
    corrupt: (sql) => sql`
      with added as (
        insert into timeline (organization_id, incident_id, id, sequence, at, type, text)
        select organization_id, id, id, 7, created_at, 'note', 'I was paged' from incidents
        where number = 1 returning incident_id
      )
      select incident_id from added union all select incident_id from added`,
    names: ['incident_id'],
  },
  {
    check: 'incidents_have_their_chain',
    description: 'a timeline that is gone with its head',
    corrupt: (sql) => sql`
      with entries as (delete from timeline where ${inFirst(sql)})
      delete from timeline_heads where ${inFirst(sql)} returning incident_id`,
    names: ['incident_id'],
  },
  {
    check: 'incidents_have_their_chain',
    description: 'a head that is gone',
    corrupt: (sql) => sql`delete from timeline_heads where ${inFirst(sql)} returning incident_id`,
    names: ['incident_id'],
  },
];

for (const { check, description, corrupt, names, others = 0, also = [] } of corruptions)
  test(`${check} finds ${description}, and ${also.length > 0 ? also : 'nothing else'} does`, () =>
    withPager(async (pager) => {
      await seedLedger(pager);
      assert.deepEqual(await pager.findings(), []);
      const rows = await corrupt(pager.sql);
      assert.ok(rows.length > 0, 'something was corrupted');
      const findings = await pager.findings();
      // Rows are found in the order of their ids, and corrupted in that of the table.
      const namedIn = (some: readonly Names[]) =>
        some.map((row) => JSON.stringify(names.map((name) => row[name]))).sort();
      assert.deepEqual(
        namedIn(findings.filter((finding) => finding.check === check).map(({ row }) => row)),
        namedIn(rows.slice(0, rows.length + others)),
      );
      const checksOf = findings.map((finding) => finding.check);
      assert.deepEqual(new Set(checksOf), new Set([check, ...also]));
    }));

test('each check has a corruption that it finds', () => {
  assert.deepEqual(
    new Set(corruptions.map(({ check }) => check)),
    new Set(checks.map(({ name }) => name)),
  );
});
