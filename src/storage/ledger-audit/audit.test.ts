import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seedLedger } from '../../../test/seeded-ledger.ts';
import { type Pager, withPager } from '../../../test/stories/story.ts';
import type { Claimed } from '../../engine/sending/claimed.ts';
import { createAuditor } from './audit.ts';
import { beginChains } from './began.ts';

test('a finding counts until the round after the one that finds it has ended', () =>
  withPager(async (pager) => {
    await seedLedger(pager);
    const { run } = createAuditor(pager, 1);
    /** One of the three timelines after another, then their end. */
    const round = async () => {
      const runs = [await run(), await run(), await run(), await run()];
      return runs.map(({ findings, total }) => `${findings.length} of ${total}`);
    };
    assert.deepEqual(new Set(await round()), new Set(['0 of 0']));
    await pager.sql`update timeline set text = text || '!' where sequence = 1`;
    assert.deepEqual(await round(), ['1 of 1', '1 of 2', '1 of 3', '0 of 3']);
    await pager.sql`update timeline set text = rtrim(text, '!') where sequence = 1`;
    assert.deepEqual(await round(), ['0 of 3', '0 of 3', '0 of 3', '0 of 0']);
  }));

test('however few rows a slice has, all attempts of a notice are in one', () =>
  withPager(async (pager) => {
    await seedLedger(pager);
    const { sql } = pager;
    await sql`
      insert into attempts (organization_id, key, number, claimed_at)
      select organization_id, key, 2, claimed_at from attempts`;
    const [{ count = 0 } = {}] = await sql<{ count: number }[]>`select count(*) from attempts`;
    await sql`delete from outbox`;
    const { run } = createAuditor(pager, 1);
    const all: unknown[] = [];
    for (let runs = 0; runs < count; runs += 1) {
      const { findings: some } = await run();
      all.push(...some.filter(({ check }) => check === 'attempts_have_their_notice'));
    }
    assert.equal(new Set(all.map((finding) => JSON.stringify(finding))).size, count);
  }));

test('entries from before chains began are passed over, and those after them are chained', () =>
  withPager(async (pager) => {
    const on = await pager.integration({ steps: [pager.step('ada', 5), pager.step('lin')] });
    await pager.trigger(on, { title: 'disk' });
    await pager.at('09:01');
    const { sql, secrets, clock } = pager;
    await unchain(pager);
    await sql`update attempts set entries_before = null`;
    await beginChains(sql, secrets, clock.now());
    await pager.at('09:06');
    await pager.does(1, { type: 'acknowledge' });
    const rows = await sql`select sequence from timeline order by sequence`;
    assert.deepEqual(
      rows.map(({ sequence }) => sequence),
      [-99, -98, -97, 1, 2, 3],
    );
    assert.deepEqual(await pager.findings(), []);
  }));

/** As the release before left it, which chained nothing. */
async function unchain({ sql }: Pager): Promise<void> {
  await sql`update timeline set sequence = sequence - 100, mac = null`;
  await sql`delete from timeline_heads`;
}

/** Of a ledger without chains: each incident has lost its head, each entry its place. */
const allOf = async ({ sql }: Pager) => {
  const [all] = await sql<{ count: number }[]>`
    select (select count(*) from timeline) + (select count(*) from incidents) as count`;
  return all?.count;
};

test('when chains began is not for everybody to say', () =>
  withPager(async (pager) => {
    await seedLedger(pager);
    await unchain(pager);
    const later = pager.clock.now().add({ hours: 1 });
    await pager.sql`
      update installation set value = ${`${later}`} || ' ' || split_part(value, ' ', 2)
      where key = 'chains_began_at'`;
    assert.equal((await pager.findings()).length, await allOf(pager));
  }));

test('no date makes an incident older than chains where there was none before them', () =>
  withPager(async (pager) => {
    await seedLedger(pager);
    await unchain(pager);
    const { sql } = pager;
    await sql`update incidents set created_at = created_at - interval '1 year'`;
    await sql`update timeline set at = at - interval '1 year'`;
    assert.equal((await pager.findings()).length, await allOf(pager));
  }));

test('chains do not begin anew when the note of their beginning is gone', () =>
  withPager(async (pager) => {
    await seedLedger(pager);
    const { sql, secrets, clock } = pager;
    await sql`delete from installation where key = 'chains_began_at'`;
    await beginChains(sql, secrets, clock.now());
    await sql`update timeline set sequence = 0, mac = null where sequence = 1`;
    const findings = await pager.findings();
    assert.equal(findings.filter(({ check }) => check === 'incidents_have_their_chain').length, 3);
  }));

test('a new entry in an old timeline is chained', () =>
  withPager(async (pager) => {
    const on = await pager.integration({ steps: [pager.step('ada')] });
    await pager.trigger(on, { title: 'disk' });
    await unchain(pager);
    const { sql, secrets, clock } = pager;
    await beginChains(sql, secrets, clock.now());
    await sql`
      insert into timeline (organization_id, incident_id, id, sequence, at, type, text)
      select organization_id, id, id, 0, created_at + interval '2 days', 'note', 'I was paged'
      from incidents`;
    assert.deepEqual(
      (await pager.findings()).map(({ check, row }) => [check, row['entry_id']]),
      [['incidents_have_their_chain', await pager.idOf(1)]],
    );
  }));

test('a confirmation may be recorded after somebody else tried again', () =>
  withPager(async (pager) => {
    const on = await pager.integration({ steps: [pager.step('ada')] });
    await pager.trigger(on, { title: 'disk' });
    const ledgers = [pager.servers[0], pager.serve()].map((server) => server?.ledger);
    const claims: Claimed[] = [];
    for (const ledger of ledgers) {
      const now = pager.clock.now();
      const leaseUntil = now.add({ minutes: 1 });
      const request = { now, leaseUntil, limit: 1, busy: [], perRecipient: 1 };
      claims.push(...((await ledger?.transact((tx) => tx.claim(request, () => null))) ?? []));
      pager.awayUntil('09:02');
    }
    assert.deepEqual(
      claims.map(({ attempt }) => attempt),
      [1, 2],
    );
    for (const [index, claimed] of claims.entries()) {
      const common = { reason: null, answer: null, status: null, wakeAt: null, entry: null };
      const finishedAt = Temporal.Instant.from('2026-03-02T09:00:01Z').add({ minutes: 2 * index });
      const attempted = { ...common, claimed, finishedAt, state: 'sent' as const };
      await ledgers[index]?.transact((tx) => tx.finish([attempted]));
    }
    assert.deepEqual(await pager.findings(), []);
  }));

test('whatever JSON is noted, the chain is whole when it is read again', () =>
  withPager(async (pager) => {
    const on = await pager.integration({ steps: [pager.step('ada')] });
    await pager.trigger(on, { title: 'disk' });
    const [server] = pager.servers;
    const incident_id = await pager.idOf(1);
    const awkward = [
      { b: 1, a: { 10: 'x', 9: 'y', ü: '\ud83d\ude00', __proto__: 1 } },
      [-0, 1e21, 1e-7, 0.1 + 0.2, 2 ** 53, Number.MAX_VALUE, Number.NaN],
      { at: pager.clock.now(), gone: undefined, null: null },
      '  "quoted" \u2028 \t ',
      ...[0, false, '', [], {}],
    ];
    const note = { incident_id, type: 'note', text: 'It’s "this"\n', actor: null };
    const { organizationId: organization_id } = pager.scope;
    const entries = awkward.map((details) => ({ ...note, organization_id, details }));
    const changes = { opened: [], changed: [], intents: [], allClear: [], entries };
    await server?.ledger.transact((tx) => tx.save(changes, pager.clock.now()));
    assert.deepEqual(await pager.findings(), []);
    await pager.sql`update timeline set details = details::jsonb`;
    assert.deepEqual(await pager.findings(), []);
  }));

test('servers that add to one timeline at once follow each other', () =>
  withPager(async (pager) => {
    const on = await pager.integration({ steps: [pager.step('ada')] });
    await pager.trigger(on, { title: 'disk' });
    const servers = [pager.servers[0], pager.serve()];
    const note = { incident_id: await pager.idOf(1), type: 'note', actor: null, details: null };
    const { organizationId: organization_id } = pager.scope;
    const add = (text: string, server: (typeof servers)[number]) => {
      const entries = [{ ...note, organization_id, text }];
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
