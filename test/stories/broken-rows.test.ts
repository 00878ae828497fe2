// Rows broken by hand, as a fault of an earlier version, or of whoever mends a database, leaves
// them: each fails alone, is told of, and all others go on.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createIds } from '../../src/engine/ids.ts';
import { silentLog } from '../../src/engine/log.ts';
import { advanceDueCursors } from '../../src/engine/shift-cursors.ts';
import { type Pager, withPager } from './story.ts';

const later = '09:20';

async function twoIntegrations(pager: Pager) {
  const broken = await pager.integration({ steps: [pager.step('ada', 5), pager.step('eve')] });
  const sound = await pager.integration({ steps: [pager.step('lin', 5), pager.step('eve')] });
  return { broken, sound };
}

async function twoIncidents(pager: Pager) {
  const two = await twoIntegrations(pager);
  await pager.trigger(two.broken, { title: 'broken' });
  await pager.trigger(two.sound, { title: 'sound' });
  return two;
}

/** Three sound ones before it. */
async function brokenAmongSound(pager: Pager) {
  const { broken, sound } = await twoIntegrations(pager);
  for (const title of ['one', 'two', 'three']) await pager.trigger(sound, { title });
  await pager.trigger(broken, { title: 'broken' });
}

const idOf = async ({ sql }: Pager, title: string): Promise<string> =>
  (await sql<{ id: string }[]>`select id from incidents where title = ${title}`)[0]?.id ?? '';

const notices: Readonly<Record<string, object>> = {
  'an address that is sealed by nobody': { address: { sealed: 'v2:AAAA' } },
  'a story without a schedule': { address: 'ada@x.test', story: { shift: 7, changes: 'none' } },
  'a usage that is none': { address: { sealed: 'AAAA' }, usage: 3 },
};
for (const [title, notice] of Object.entries(notices))
  test(`a page with ${title} waits alone, and admins are paged`, () =>
    withPager(async (pager) => {
      await twoIncidents(pager);
      const id = await idOf(pager, 'broken');
      const [was] = await pager.sql<{ notice: object }[]>`
        select notice from outbox where incident_id = ${id}`;
      await pager.sql`update outbox set notice = ${pager.sql.json(notice as never)}
        where incident_id = ${id}`;
      await pager.at('09:01');
      const heard = ['09:00 boss: not_all_paged broken', '09:00 lin: page sound'];
      assert.deepEqual(pager.heard().sort(), heard);
      assert.deepEqual(pager.failed, ['notice']);
      assert.ok((await pager.timeline(1)).includes('undecided'));
      await pager.sql`update outbox set notice = ${pager.sql.json(was?.notice as never)}
        where incident_id = ${id} and kind = 'page' and step = 0`;
      await pager.at('09:04');
      // Nobody was paged within three minutes: before others are, it is looked at once more.
      assert.deepEqual(pager.heard(), ['09:03 ada: page broken']);
      await pager.at('09:10');
      assert.deepEqual(pager.heard(), ['09:05 eve: page sound', '09:08 eve: page broken']);
    }));

const incidents: Readonly<Record<string, string>> = {
  'an escalation without a cycle': `escalation = '{}'`,
  'an escalation whose times are none': `escalation = jsonb_set(escalation::jsonb, '{stepAt}', '"soon"')`,
  'steps that are no list': `steps = '{"targets": 7}'`,
};
for (const [title, change] of Object.entries(incidents))
  test(`an incident with ${title} fails alone, and its next alert pages anew`, () =>
    withPager(async (pager) => {
      const { broken } = await twoIncidents(pager);
      await pager.at('09:01');
      pager.heard();
      const id = await idOf(pager, 'broken');
      await pager.sql`update incidents set ${pager.sql.unsafe(change)} where id = ${id}`;
      await pager.at('09:06');
      const undecided = '09:05 boss: undecided INC-1 broken';
      assert.deepEqual(pager.heard(), [undecided, '09:05 eve: page sound']);
      assert.ok(pager.failed.includes('incident'));
      await pager.trigger(broken, { title: 'broken' });
      await pager.at('09:07');
      assert.deepEqual(pager.heard(), ['09:06 ada: page broken']);
      await pager.at(later);
      assert.equal(pager.heard().includes('09:15 boss: undecided INC-1 broken'), false);
      assert.equal((await pager.timeline(1)).filter((type) => type === 'undecided').length, 2);
    }));

test('by a policy that cannot be read incidents open, and admins are paged', () =>
  withPager(async (pager) => {
    const { broken, sound } = await twoIntegrations(pager);
    await pager.sql`
      update escalation_policies set steps = '{"v": 2}' where id = ${broken.policyId}`;
    await pager.trigger(broken, { title: 'broken' });
    await pager.trigger(sound, { title: 'sound' });
    await pager.at('09:01');
    const heard = ['09:00 boss: nobody_paged broken', '09:00 lin: page sound'];
    assert.deepEqual(pager.heard().sort(), heard);
    assert.deepEqual([...new Set(pager.failed)], ['record']);
  }));

test('a rule whose actions cannot be read keeps no other from running, and nobody from paging', () =>
  withPager(async (pager) => {
    const { broken } = await twoIntegrations(pager);
    await pager.rule({ actions: [{ type: 'severity', severity: 'sev1' }] });
    await pager.sql`update alert_routing_rules set actions = '{"v": 2}'`;
    await pager.rule({ actions: [{ type: 'priority', priority: 'p1' }] });
    await pager.trigger(broken, { title: 'broken' });
    await pager.at('09:01');
    assert.deepEqual(pager.heard(), ['09:00 ada: page broken']);
    const [stored] = await pager.sql`select priority, severity from incidents`;
    assert.deepEqual({ ...stored }, { priority: 'p1', severity: null });
    assert.deepEqual([...new Set(pager.failed)], ['record']);
  }));

test('a schedule that cannot be read keeps nobody else of its step from being paged', () =>
  withPager(async (pager) => {
    const rota = await pager.schedule([pager.users['lin'] ?? '']);
    const targets = [{ via: 'email' as const, oncall_schedule_id: rota }];
    const [ada] = pager.step('ada').targets;
    const steps = [{ targets: ada ? [...targets, ada] : targets }];
    const on = await pager.integration({ steps });
    await pager.sql`update schedule_revisions set layers = '{"v": 2}'`;
    await pager.sql`update oncall_schedules set layers = '{"v": 2}'`;
    await pager.trigger(on, { title: 'broken' });
    await pager.at('09:01');
    assert.deepEqual(pager.heard(), ['09:00 ada: page broken', '09:00 boss: not_all_paged broken']);
    assert.deepEqual(await pager.timeline(1), [
      'opened',
      'step_ran',
      'not_all_paged',
      'notice_sent',
      'notice_sent',
    ]);
    assert.deepEqual(pager.failed, ['record']);
  }));

test('of an incident that cannot be read while its page waits, admins are told at once', () =>
  withPager(async (pager) => {
    const { broken } = await twoIntegrations(pager);
    await pager.trigger(broken, { title: 'broken' });
    await pager.sql`update incidents set escalation = '{}'`;
    await pager.at('09:01');
    assert.deepEqual(pager.heard(), ['09:00 boss: undecided INC-1 broken']);
  }));

test('of an incident whose team nobody knows, all owners are told', () =>
  withPager(async (pager) => {
    const { broken } = await twoIntegrations(pager);
    await pager.trigger(broken, { title: 'broken' });
    await pager.at('09:01');
    pager.heard();
    await pager.sql`update users set role = 'owner' where first_name = 'lin'`;
    await pager.sql`update incidents set escalation = '{}', team_id = repeat('f', 24)`;
    await pager.at('09:06');
    assert.deepEqual(pager.heard(), ['09:05 lin: undecided INC-1 broken']);
  }));

test('what cannot be decided waits although nobody can be told of it', () =>
  withPager(async (pager) => {
    await twoIncidents(pager);
    await pager.at('09:01');
    pager.heard();
    await refuse(pager, 'outbox', `new.kind = 'undecided'`);
    await pager.sql`update incidents set escalation = '{}' where title = 'broken'`;
    await pager.at('09:06');
    assert.deepEqual(pager.heard(), ['09:05 eve: page sound']);
    assert.deepEqual(pager.failed, ['incident', 'notice']);
  }));

/** The database refuses to write rows like this, whoever asks. */
const refuse = ({ sql }: Pager, table: string, condition: string, how = 'insert') =>
  sql.unsafe(`
    create function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'not this one'; end $$;
    create trigger refuse before ${how} on ${table} for each row when (${condition})
      execute function refuse()`);

test('a step that the database refuses to write keeps no other from firing', () =>
  withPager(async (pager) => {
    await brokenAmongSound(pager);
    await pager.at('09:01');
    pager.heard();
    const id = await idOf(pager, 'broken');
    await refuse(pager, 'outbox', `new.incident_id = '${id}' and new.step = 1`);
    await pager.at('09:06');
    const all = ['one', 'three', 'two'].map((title) => `09:05 eve: page ${title}`);
    assert.deepEqual(pager.heard(), ['09:05 boss: undecided INC-4 broken', ...all]);
    assert.deepEqual(pager.failed, ['incident']);
  }));

test('a page that the database refuses to lease keeps no other from being sent', () =>
  withPager(async (pager) => {
    await brokenAmongSound(pager);
    const id = await idOf(pager, 'broken');
    await refuse(pager, 'attempts', `new.key like '${id}/0/%'`);
    await pager.at('09:01');
    const all = ['one', 'three', 'two'].map((title) => `09:00 lin: page ${title}`);
    assert.deepEqual(pager.heard().sort(), ['09:00 boss: not_all_paged broken', ...all]);
    assert.deepEqual(pager.failed, ['notice']);
  }));

test('a page whose result the database refuses keeps no other from being recorded', () =>
  withPager(async (pager) => {
    await brokenAmongSound(pager);
    const id = await idOf(pager, 'broken');
    const result = `new.key like '${id}/0/0/%' and new.finished_at is not null`;
    await refuse(pager, 'attempts', result, 'update');
    await pager.at('09:04');
    const all = ['one', 'three', 'two'].map((title) => `09:00 lin: page ${title}`);
    const first = ['09:00 ada: page broken', '09:00 boss: not_all_paged broken', ...all];
    // Nothing shows that Ada was paged, so her step counts as failed.
    assert.deepEqual(pager.heard().sort(), [...first, '09:03 eve: page broken']);
    assert.deepEqual(pager.failed, ['notice']);
    assert.ok((await pager.timeline(4)).includes('undecided'));
    await pager.sql`drop trigger refuse on attempts`;
    await pager.does(4, { type: 'acknowledge' });
    await pager.at(later);
    assert.deepEqual(
      pager.heard(),
      ['one', 'three', 'two'].map((title) => `09:05 eve: page ${title}`),
    );
  }));

test('an alert that the database refuses to open keeps no other from opening', () =>
  withPager(async (pager) => {
    const { sound } = await twoIntegrations(pager);
    await refuse(pager, 'incidents', `new.title = 'broken'`);
    const titles = ['one', 'broken', 'two', 'three'];
    const answers = await Promise.all(titles.map((title) => pager.trigger(sound, { title })));
    assert.deepEqual(
      answers.map(({ type }) => type),
      titles.map(() => 'accepted'),
    );
    for (let round = 0; round < 5; round += 1)
      for (const server of pager.servers) await pager.workOn(server);
    await pager.at('09:01');
    const all = ['one', 'three', 'two'].map((title) => `09:00 lin: page ${title}`);
    assert.deepEqual(pager.heard(), ['09:00 boss: undecided Checks', ...all]);
    assert.deepEqual(pager.failed, ['event']);
    const [stored] = await pager.sql<{ outcome: string; reason: string }[]>`
      select outcome, reason from events where body like '%broken%'`;
    assert.equal(stored?.outcome, 'unreadable');
    assert.match(stored?.reason ?? '', /could not be processed: .*not this one/);
  }));

test('an event that cannot be decided is found in its turn, however many others wait', () =>
  withPager(async (pager) => {
    const { broken, sound } = await twoIntegrations(pager);
    await refuse(pager, 'incidents', `new.title = 'broken'`);
    const titles = ['one', 'broken', 'two', 'three'];
    const undecided = async () =>
      (
        await pager.sql`select from events where integration_id = ${broken.id}
        and decided_at is null`
      ).length;
    await Promise.all(titles.map((title) => pager.trigger(broken, { title })));
    assert.equal(await undecided(), titles.length);
    // The good half, the bad one, the rest: each of the three turns that it has.
    for (let turn = 0; turn < 6; turn += 1) {
      await pager.trigger(sound, { title: `sound ${turn}` });
      await pager.sql`update events set decided_at = null where integration_id = ${sound.id}`;
      for (const server of pager.servers) await pager.workOn(server);
    }
    assert.equal(await undecided(), 0);
    assert.deepEqual(pager.failed, ['event']);
  }));

/** All that is due of schedules is looked at. */
async function advanceShifts(pager: Pager): Promise<void> {
  const { clock, servers } = pager;
  const options = { clock, ids: createIds(clock), log: silentLog, recorded() {}, failed() {} };
  const [server] = servers;
  if (!server) throw new Error('no server is running');
  while ((await advanceDueCursors({ ...options, ledger: server.ledger })) > 0);
}

const startsOf = async ({ sql }: Pager, id: string) =>
  (await sql`select from shift_events where oncall_schedule_id = ${id} and type = 'start'`).length;

const schedules: Readonly<Record<string, (pager: Pager, id: string) => Promise<unknown>>> = {
  'cannot be read': ({ sql }, id) => sql`
    update shift_cursors set shift_id = repeat('f', 24) where oncall_schedule_id = ${id}`,
  'the database refuses to record': (pager, id) =>
    refuse(pager, 'shifts', `new.oncall_schedule_id = '${id}'`),
};
for (const [title, corrupt] of Object.entries(schedules))
  test(`a schedule that ${title} waits alone, and admins are told once`, () =>
    withPager(async (pager) => {
      const schedule = (name: string) => pager.schedule([pager.users[name] ?? '']);
      const broken = await schedule('ada');
      const sound = [await schedule('lin'), await schedule('eve')];
      await corrupt(pager, broken);
      pager.awayUntil('09:05');
      await advanceShifts(pager);
      for (const id of sound) assert.equal(await startsOf(pager, id), 1);
      assert.deepEqual(pager.failed, ['schedule']);
      await pager.at('09:06');
      const isUndecided = (text: string) => text.includes('undecided');
      assert.deepEqual(pager.heard().filter(isUndecided), ['09:05 boss: undecided Rota']);
      for (const time of ['09:14', '09:15', '09:25']) {
        await pager.at(time);
        await advanceShifts(pager);
      }
      await pager.at('09:26');
      assert.deepEqual(pager.heard().filter(isUndecided), []);
      assert.deepEqual(pager.failed, ['schedule', 'schedule', 'schedule']);
    }));

test('of events that cannot be read, admins are told once an hour of each integration', () =>
  withPager(async (pager) => {
    const on = await pager.integration({ steps: [pager.step('ada')] });
    const other = await pager.integration({ steps: [pager.step('ada')] });
    const broken = (to: typeof on) => pager.trigger(to, {});
    for (const to of [on, on, other]) assert.equal((await broken(to)).type, 'unreadable');
    await pager.work();
    assert.deepEqual(pager.heard(), [
      '09:00 boss: undecided Checks',
      '09:00 boss: undecided Checks',
    ]);
    await pager.at('09:59');
    await broken(on);
    await pager.work();
    assert.deepEqual(pager.heard(), []);
    await pager.at('10:01');
    await broken(on);
    await pager.work();
    assert.deepEqual(pager.heard(), ['10:01 boss: undecided Checks']);
    await pager.sql`update integrations set enabled = false where id = ${on.id}`;
    await pager.at('11:01');
    await broken(on);
    await pager.work();
    assert.deepEqual(pager.heard(), []);
  }));
