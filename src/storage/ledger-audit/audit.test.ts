import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Pager, withPager } from '../../../test/stories/story.ts';
import { createIds } from '../../engine/ids.ts';
import { lookDue } from '../../engine/watcher.ts';
import type { Sql } from '../database.ts';
import { createAuditor } from './audit.ts';
import { beginChains } from './began.ts';
import { checks } from './checks.ts';

/** INC-1 is acknowledged, INC-2 is over, INC-3 pages; the shift at 09:30 has ended. */
async function givenLedger(pager: Pager): Promise<void> {
  const { sql, secrets, clock, users } = pager;
  await beginChains(sql, secrets, clock.now());
  const on = await pager.integration({ steps: [pager.step('ada', 5), pager.step('lin')] });
  for (const title of ['disk', 'cpu']) await pager.fires(on, { title });
  await pager.at('09:06');
  await pager.does(1, { type: 'acknowledge' });
  await pager.does(2, { type: 'resolve' });
  const slow = await pager.integration({ steps: [pager.step('ada', 60), pager.step('lin')] });
  await pager.fires(slow, { title: 'net' });
  const schedule = await pager.schedule([users['ada'] ?? '']);
  await pager.standIn(schedule, 'lin', { from: '09:30', to: '09:31' });
  for (const hour of ['09:07', '09:30', '09:31']) {
    await pager.at(hour);
    await look(pager);
  }
}

async function look({ servers: [server], clock }: Pager): Promise<void> {
  assert.ok(server);
  await lookDue({ ledger: server.ledger, clock, ids: createIds(clock), failed: assert.fail });
}

type Names = Readonly<Record<string, unknown>>;
type Corruption = {
  readonly check: string;
  readonly says: string;
  readonly corrupt: (sql: Sql) => Promise<readonly Names[]>;
  /** What the finding has in common with the row that was corrupted. */
  readonly names: readonly string[];
  /** How many findings there are besides the one of each corrupted row. */
  readonly others?: number;
};

const inFirst = (sql: Sql) => sql`incident_id = (select id from incidents where number = 1)`;
const firstPage = (sql: Sql) => sql`${inFirst(sql)} and kind = 'page' and step = 0`;
const asEntry = (sql: Sql) => sql`returning incident_id, id as entry_id`;
const entry = ['incident_id', 'entry_id'];
const notice = ['organization_id', 'key'];

const corruptions: readonly Corruption[] = [
  {
    check: 'open_incidents_go_on',
    says: 'a timer nobody wakes for',
    corrupt: (sql) => sql`update incidents set wake_at = null where number = 3 returning number`,
    names: ['number'],
  },
  {
    check: 'open_incidents_go_on',
    says: 'steps left, and no timer',
    corrupt: (sql) => sql`
      update incidents set wake_at = null,
        escalation = (escalation::jsonb || '{"stepAt": null}')::json
      where number = 3 returning number`,
    names: ['number'],
  },
  {
    check: 'nothing_claimed_once_acknowledged',
    says: 'a page that was claimed after the acknowledgement',
    corrupt: (sql) => sql`
      update attempts set entries_before = 6
      where key = (select key from outbox where ${firstPage(sql)}) returning key, number`,
    names: ['key', 'number'],
  },
  {
    check: 'nothing_sent_after_its_confirmation',
    says: 'a page that was sent again',
    corrupt: (sql) => sql`
      with again as (update outbox set attempts = 2 where ${firstPage(sql)} returning *)
      insert into attempts (organization_id, key, number, claimed_at, entries_before)
      select organization_id, key, 2, finished_at + interval '1 minute', 2 from again
      returning key, number`,
    names: ['key', 'number'],
  },
  {
    check: 'notices_agree_with_their_attempts',
    says: 'a page that is sent without a confirmation',
    corrupt: (sql) => sql`
      update attempts set outcome = null
      where key = (select key from outbox where ${firstPage(sql)}) returning key`,
    names: ['key'],
  },
  {
    check: 'notices_agree_with_their_attempts',
    says: 'a page that waits for ever',
    corrupt: (sql) => sql`
      update outbox set state = 'pending', finished_at = null
      where ${firstPage(sql)} returning organization_id, key`,
    names: notice,
  },
  {
    check: 'notices_agree_with_their_attempts',
    says: 'an attempt that is gone',
    corrupt: (sql) => sql`
      delete from attempts where key = (select key from outbox where ${firstPage(sql)})
      returning organization_id, key`,
    names: notice,
  },
  {
    check: 'notices_agree_with_their_attempts',
    says: 'a notice that is cancelled without a reason',
    corrupt: (sql) => sql`
      update outbox set state = 'cancelled' where ${firstPage(sql)} returning organization_id, key`,
    names: notice,
  },
  {
    check: 'attempts_have_their_notice',
    says: 'a page that is gone',
    corrupt: (sql) =>
      sql`delete from outbox where ${firstPage(sql)} returning organization_id, key`,
    names: notice,
  },
  {
    check: 'shifts_have_their_edges',
    says: 'a shift that ended unseen',
    corrupt: (sql) => sql`delete from shift_events where type = 'end' returning shift_id`,
    names: ['shift_id'],
  },
  {
    check: 'shifts_have_their_edges',
    says: 'the shift that runs, ended',
    corrupt: (sql) => sql`
      insert into shift_events (organization_id, shift_id, type, oncall_schedule_id, id, at,
        recorded_at, announced)
      select organization_id, shift_id, 'end', oncall_schedule_id, shift_id, looked_at, looked_at,
        true
      from schedule_watches where shift_id is not null returning shift_id`,
    names: ['shift_id'],
  },
  {
    check: 'chains_are_whole',
    says: 'other words in the last entry',
    corrupt: (sql) => sql`
      update timeline set says = 'Lin acknowledged'
      where ${inFirst(sql)} and type = 'acknowledged' ${asEntry(sql)}`,
    names: entry,
  },
  {
    check: 'chains_are_whole',
    says: 'other details in an entry',
    corrupt: (sql) => sql`
      update timeline set details = '{"step": 7}'
      where ${inFirst(sql)} and place = 2 ${asEntry(sql)}`,
    names: entry,
  },
  {
    check: 'chains_are_whole',
    says: 'the end of a timeline that is gone',
    corrupt: (sql) => sql`
      delete from timeline where ${inFirst(sql)} and place > 4 returning incident_id`,
    names: ['incident_id'],
    others: -1,
  },
  {
    check: 'chains_are_whole',
    says: 'a head that was set back to an earlier end',
    corrupt: (sql) => sql`
      with gone as (delete from timeline where ${inFirst(sql)} and place = 6)
      update timeline_heads h set entries = 5, mac = t.mac
      from timeline t
      where t.incident_id = h.incident_id and t.place = 5 and h.${inFirst(sql)}
      returning h.incident_id`,
    names: ['incident_id'],
  },
  {
    check: 'chains_have_their_incident',
    says: 'an incident that is gone',
    corrupt: (sql) => sql`delete from incidents where number = 2 returning id as incident_id`,
    names: ['incident_id'],
  },
  {
    check: 'incidents_have_their_chain',
    says: 'an entry that nobody chained',
    corrupt: (sql) => sql`
      insert into timeline (organization_id, incident_id, id, at, type, says)
      select organization_id, id, id, created_at, 'note', 'I was paged' from incidents
      where number = 1 returning incident_id, id as entry_id`,
    names: entry,
  },
  {
    check: 'incidents_have_their_chain',
    says: 'a head that is gone',
    corrupt: (sql) => sql`delete from timeline_heads where ${inFirst(sql)} returning incident_id`,
    names: ['incident_id'],
  },
];

for (const { check, says, corrupt, names, others = 0 } of corruptions)
  test(`${check} finds ${says}, and nothing else does`, () =>
    withPager(async (pager) => {
      await givenLedger(pager);
      assert.deepEqual(await pager.findings(), []);
      const rows = await corrupt(pager.sql);
      assert.ok(rows.length > 0, 'something was corrupted');
      const findings = await pager.findings();
      const named = (row: Names) => names.map((name) => row[name]);
      assert.deepEqual(
        findings.map((finding) => [finding.check, ...named(finding.row)]),
        rows.slice(0, rows.length + others).map((row) => [check, ...named(row)]),
      );
    }));

test('each check has a corruption that it finds', () => {
  assert.deepEqual(
    new Set(corruptions.map(({ check }) => check)),
    new Set(checks.map(({ name }) => name)),
  );
});

test('a finding counts until the round after the one that finds it has ended', () =>
  withPager(async (pager) => {
    await givenLedger(pager);
    const { run } = createAuditor(pager, 1);
    /** One of the three timelines after another, then their end. */
    const round = async () => {
      const runs = [await run(), await run(), await run(), await run()];
      return runs.map(({ found, total }) => `${found.length} of ${total}`);
    };
    assert.deepEqual(new Set(await round()), new Set(['0 of 0']));
    await pager.sql`update timeline set says = says || '!' where place = 1`;
    assert.deepEqual(await round(), ['1 of 1', '1 of 2', '1 of 3', '0 of 3']);
    await pager.sql`update timeline set says = rtrim(says, '!') where place = 1`;
    assert.deepEqual(await round(), ['0 of 3', '0 of 3', '0 of 3', '0 of 0']);
  }));

test('entries from before chains began are passed over, and those after them are chained', () =>
  withPager(async (pager) => {
    const on = await pager.integration({ steps: [pager.step('ada', 5), pager.step('lin')] });
    await pager.fires(on, { title: 'disk' });
    await pager.at('09:01');
    const { sql, secrets, clock } = pager;
    await sql`update timeline set place = null, mac = null`;
    await sql`delete from timeline_heads`;
    await sql`update attempts set entries_before = null`;
    await beginChains(sql, secrets, clock.now());
    await pager.at('09:06');
    await pager.does(1, { type: 'acknowledge' });
    const rows = await sql`select place from timeline order by id`;
    assert.deepEqual(
      rows.map(({ place }) => place),
      [null, null, null, 1, 2, 3],
    );
    assert.deepEqual(await pager.findings(), []);
  }));

test('when chains began is not for everybody to say', () =>
  withPager(async (pager) => {
    await givenLedger(pager);
    await pager.sql`update timeline set place = null, mac = null`;
    await pager.sql`delete from timeline_heads`;
    const later = pager.clock.now().add({ hours: 1 });
    await pager.sql`
      update installation set value = ${`${later}`} || ' ' || split_part(value, ' ', 2)
      where key = 'chains_began_at'`;
    const [kept] = await pager.sql<{ count: number }[]>`select count(*) from timeline`;
    assert.equal((await pager.findings()).length, kept?.count);
  }));

test('whatever JSON is noted, the chain is whole when it is read again', () =>
  withPager(async (pager) => {
    const on = await pager.integration({ steps: [pager.step('ada')] });
    await pager.fires(on, { title: 'disk' });
    const [server] = pager.servers;
    const incident_id = await pager.idOf(1);
    const awkward = [
      { b: 1, a: { 10: 'x', 9: 'y', ü: '\ud83d\ude00', __proto__: 1 } },
      [-0, 1e21, 1e-7, 0.1 + 0.2, 2 ** 53, Number.MAX_VALUE, Number.NaN],
      { at: pager.clock.now(), gone: undefined, null: null },
      '  "quoted" \u2028 \t ',
      ...[0, false, '', [], {}],
    ];
    const said = { incident_id, type: 'note', says: 'It’s "this"\n', actor: null };
    const { organizationId: organization_id } = pager.place;
    const entries = awkward.map((details) => ({ ...said, organization_id, details }));
    const changes = { opened: [], changed: [], intents: [], allClear: [], entries };
    await server?.ledger.transact((tx) => tx.save(changes, pager.clock.now()));
    assert.deepEqual(await pager.findings(), []);
    await pager.sql`update timeline set details = details::jsonb`;
    assert.deepEqual(await pager.findings(), []);
  }));

test('servers that add to one timeline at once follow each other', () =>
  withPager(async (pager) => {
    const on = await pager.integration({ steps: [pager.step('ada')] });
    await pager.fires(on, { title: 'disk' });
    const servers = [pager.servers[0], pager.serve()];
    const note = { incident_id: await pager.idOf(1), type: 'note', actor: null, details: null };
    const { organizationId: organization_id } = pager.place;
    const add = (says: string, server: (typeof servers)[number]) => {
      const entries = [{ ...note, organization_id, says }];
      const changes = { opened: [], changed: [], intents: [], allClear: [], entries };
      return server?.ledger.transact((tx) => tx.save(changes, pager.clock.now()));
    };
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => add(`${index}`, servers[index % 2])),
    );
    assert.deepEqual(await pager.findings(), []);
    const [head] = await pager.sql`select entries from timeline_heads`;
    assert.equal(head?.['entries'], 22);
  }));
