import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testApi } from '../../../test/api.ts';
import { compute, openComputer } from '../../../test/compute.ts';
import { callerOf } from '../../../test/incident-api.ts';
import { pagesRead } from '../../../test/pages-read.ts';
import { restlessLayers } from '../../../test/restless-layers.ts';
import { type Pager, withPager } from '../../../test/stories/story.ts';
import { seedOrganization } from '../../../test/world.ts';
import { firstIdAt } from '../../engine/ids.ts';
import {
  afterSend,
  type ChannelService,
  type VendorAnswer,
} from '../../engine/sending/connection-health.ts';
import type { Sql, Transaction } from '../../storage/database/database.ts';
import { noteChannelHealth } from '../../storage/health/channel-health.ts';
import { listScheduleIds } from '../../storage/oncall/schedules.ts';
import { readActivity } from '../../storage/organizations/attention.ts';
import { readSetup } from '../../storage/organizations/setup.ts';
import type { Caller } from '../route.ts';
import { attentionRoute } from './attention.ts';

type Answered = { readonly type: string; readonly reason?: string } & Readonly<
  Record<string, Named>
>;
type Named = { readonly name: string };

const publicUrl = 'https://pager.example.com';
const parts = { hasMailServer: true, compute };

async function attentionOn(pager: Pager, { hasMailServer, compute } = parts) {
  const { sql, clock } = pager;
  const channels = new Map([['email', { send: () => Promise.reject(new Error('not here')) }]]);
  const api = await testApi({
    sql,
    clock,
    routes: [attentionRoute({ sql, compute, channels, hasMailServer, publicUrl })],
  });
  const as = (name: string, role: Caller['role']): Caller =>
    callerOf(pager, { kind: 'session', role, id: pager.users[name] ?? '', name });
  const factsFor = async (caller: Caller, query = '') => {
    const { status, body } = await api.send(caller, `GET /attention${query}`);
    assert.equal(status, 200, JSON.stringify(body));
    return (body.data as Answered[]).map(({ type, ...fact }) => {
      const { schedule, user, webhook, integration, connection } = fact;
      const names = [user, schedule, webhook, integration, connection].flatMap(
        (one) => one?.name ?? [],
      );
      return [type, ...names].join(' ');
    });
  };
  return { api, as, factsFor, [Symbol.asyncDispose]: () => api[Symbol.asyncDispose]() };
}

async function eventOf(sql: Sql, { on, at }: { on: string; at: Temporal.Instant }) {
  await sql`
    insert into events (organization_id, id, integration_id, received_at, source, path,
      content_type, body, body_encoding, outcome, decided_at)
    select organization_id, ${`${firstIdAt(at).slice(0, 8)}${on.slice(8)}`}, id, ${at}, 'http', '',
      'application/json', '{}', 'utf-8', 'opened', ${at}
    from integrations where id = ${on}`;
}

test('everybody is told of their own shift, managers of what else is wrong with the teams', () =>
  withPager(async (pager) => {
    await using at = await attentionOn(pager);
    const { sql } = pager;
    const { ada = '', lin = '' } = pager.users;
    const { organizationId, now } = pager.scope;
    await pager.schedule([ada]);
    await pager.schedule([lin]);
    await pager.schedule([null]);
    await sql`
      update oncall_schedules s set name = 'S' ||
        (select count(*) from oncall_schedules o where o.counter <= s.counter)`;
    await sql`delete from contacts where user_id in (${ada}, ${lin})`;
    const hook = await pager.webhook('http://127.0.0.1:1/');
    await sql`insert into failing_webhooks ${sql({
      organization_id: organizationId,
      outbound_webhook_id: hook,
      failing_since: now.subtract({ hours: 2 }),
    })}`;
    const on = await pager.integration({ steps: [pager.step('lin')] });
    for (const days of [31, 23, 16, 9, 8])
      await eventOf(sql, { on: on.id, at: now.subtract({ hours: days * 24 }) });
    const [name] = await sql<Named[]>`select name from outbound_webhooks`;

    const own = ['you_unreachable', 'your_shift S1'];
    assert.deepEqual(await at.factsFor(at.as('ada', 'responder')), own);
    const all = [
      ...['you_unreachable', 'your_shift S1', 'person_unreachable lin Example S2', 'gap S3'],
      ...[`webhook_failing ${name?.name}`, 'integration_silent Checks'],
    ];
    assert.deepEqual(await at.factsFor(at.as('ada', 'manager')), all.slice(0, 5));
    const others = ['person_unreachable ada Example S1', ...all.slice(2)];
    assert.deepEqual(await at.factsFor(at.as('boss', 'manager')), others);
    // Of another team they are told nothing but their own shift.
    const { teamId: core } = pager.placeOf('core');
    assert.deepEqual(await at.factsFor(at.as('ada', 'manager'), `?team_id=${core}`), own);
    const key = callerOf(pager, { role: 'manager', teamIds: [core] });
    assert.deepEqual(await at.factsFor(key), []);
    assert.deepEqual(await at.factsFor({ ...key, role: 'viewer', teamIds: null }), []);
  }));

test('admins are told that no mail leaves, and of whom mail would not reach either', () =>
  withPager(async (pager) => {
    await using at = await attentionOn(pager, { ...parts, hasMailServer: false });
    await pager.schedule([pager.users['lin'] ?? '']);
    await pager.sql`update organizations set monthly_alert_limit = 0`;
    assert.deepEqual(await at.factsFor(at.as('boss', 'admin')), ['mail', 'quota']);
    const [type] = await at.factsFor(at.as('boss', 'manager'));
    assert.equal(type, 'you_unreachable');
    const { boss = '', lin = '' } = pager.users;
    await pager.sql`delete from contacts where user_id in (${boss}, ${lin})`;
    const rota = 'person_unreachable lin Example Rota';
    const own = ['you_unreachable', 'mail', 'quota'];
    assert.deepEqual(await at.factsFor(at.as('boss', 'admin')), [...own, rota]);
  }));

test('managers of the whole organization are told of a connection that fails while it is in use', () =>
  withPager(async (pager) => {
    await using at = await attentionOn(pager);
    const { sql } = pager;
    const { organizationId, now } = pager.scope;
    const names = ['Fails', 'Degraded', 'Off', 'Archived'];
    for (const [index, name] of names.entries()) {
      const id = String(index).padStart(24, 'c');
      await sql`insert into channel_connections ${sql({
        organization_id: organizationId,
        id,
        version: 1,
        name,
        vendor: 'telegram',
        account_id: id,
        position: 1,
        enabled: name !== 'Off',
        secrets: sql.json({}),
        created_at: now,
        updated_at: now,
        archived_at: name === 'Archived' ? now : null,
      })}`;
      await sql`insert into connection_health ${sql({
        organization_id: organizationId,
        connection_id: id,
        checked_at: now,
        ...(name === 'Degraded'
          ? { state: 'degraded', reason: 'Telegram: timed out' }
          : { state: 'failing', reason: 'Telegram: set bot_token', failing_since: now }),
      })}`;
    }
    const fact = 'connection_failing Fails';
    assert.deepEqual(await at.factsFor(at.as('boss', 'manager')), [fact]);
    const { teamId: core } = pager.placeOf('core');
    assert.deepEqual(await at.factsFor(at.as('boss', 'manager'), `?team_id=${core}`), [fact]);
    assert.deepEqual(await at.factsFor(at.as('boss', 'responder')), []);
    const key = callerOf(pager, { role: 'manager', teamIds: [core] });
    assert.deepEqual(await at.factsFor(key), []);
    const { body } = await at.api.send(at.as('boss', 'manager'), 'GET /attention');
    const { reason, since } = body.data[0];
    assert.deepEqual(
      [reason, since],
      ['Telegram: set bot_token', now.toString({ smallestUnit: 'millisecond' })],
    );
  }));

test('every manager is told of a channel that fails, and of no other organization’s', () =>
  withPager(async (pager) => {
    await using at = await attentionOn(pager);
    const { sql } = pager;
    const { organizationId, now } = pager.scope;
    const other = await seedOrganization(sql);
    const note = (of: ChannelService, answer: VendorAnswer) =>
      noteChannelHealth(sql, { of, now, change: (health) => afterSend(health, answer, now) });
    const reason = 'push.example refuses pushes from this server (403)';
    const push = { channel: 'push-notification', service: 'push.example' };
    await note({ organizationId: other.organizationId, ...push }, { kind: 'refusal', reason });
    assert.deepEqual(await at.factsFor(at.as('boss', 'manager')), []);
    await note({ organizationId, ...push }, { kind: 'refusal', reason });
    await note({ organizationId: null, channel: 'email', service: '' }, { kind: 'ok' });
    const { teamId: core } = pager.placeOf('core');
    const key = callerOf(pager, { role: 'manager', teamIds: [core] });
    for (const caller of [at.as('boss', 'manager'), key]) {
      const { body } = await at.api.send(caller, 'GET /attention');
      const since = now.toString({ smallestUnit: 'millisecond' });
      assert.deepEqual(body.data, [
        { type: 'channel_failing', channel: 'push-notification', reason, since },
      ]);
    }
    assert.deepEqual(await at.factsFor(at.as('boss', 'responder')), []);
  }));

test('managers are shown for a day which integrations have events that were cut', () =>
  withPager(async (pager) => {
    await using at = await attentionOn(pager);
    const { sql } = pager;
    const { organizationId, now } = pager.scope;
    for (const [name, hours] of [
      ['Cut', 23],
      ['Was cut', 25],
      ['Whole', null],
    ] as const) {
      const { id } = await pager.integration({ steps: [pager.step('lin')] });
      await sql`update integrations set name = ${name} where id = ${id}`;
      await sql`insert into stored_bytes ${sql({
        organization_id: organizationId,
        integration_id: id,
        day: '2026-03-01',
        bytes: 1,
        cut_events: 0,
        cut_at: hours === null ? null : now.subtract({ hours }),
        rows: sql.json({}),
      })}`;
    }
    assert.deepEqual(await at.factsFor(at.as('boss', 'manager')), ['integration_cut Cut']);
    assert.deepEqual(await at.factsFor(at.as('boss', 'responder')), []);
  }));

test('a tool that rarely sends is not silent; one that was never used may lose its events', () =>
  withPager(async (pager) => {
    await using at = await attentionOn(pager);
    const { sql, scope } = pager;
    const daysAgo = (days: number) => scope.now.subtract({ hours: days * 24 });
    const names = ['Regular', 'Rare', 'Running', 'New', 'Lost'];
    const on = new Map<string, string>();
    for (const name of names) {
      const { id } = await pager.integration({ steps: [pager.step('lin')] });
      await sql`update integrations set name = ${name} where id = ${id}`;
      on.set(name, id);
    }
    const sent = {
      Regular: [53, 46, 37, 30, 29],
      Rare: [53, 37, 30, 29],
      Running: [15, 8, 6],
      New: [9],
    };
    for (const [name, days] of Object.entries(sent))
      for (const each of days) await eventOf(sql, { on: on.get(name) ?? '', at: daysAgo(each) });
    await sql`
      update services set archived_at = ${scope.now} where id in (
        select service_id from integrations where name = 'Lost')`;
    const facts = await at.factsFor(at.as('boss', 'manager'));
    assert.deepEqual(facts, ['integration_dropping Lost', 'integration_silent Regular']);
  }));

test('gaps that may not be computed now are told to be unknown, and all else is told', () =>
  withPager(async (pager) => {
    await using busy = openComputer({ perCallerMax: 0 });
    await using at = await attentionOn(pager, { ...parts, compute: busy.compute });
    const { teamId: team_id } = pager.scope;
    const [admin, lin = ''] = [at.as('boss', 'admin'), pager.users['lin']];
    const body = { team_id, name: 'Restless', layers: restlessLayers(lin).slice(0, 2) };
    const before = await at.api.send(admin, 'GET /attention');
    assert.equal(before.body.gaps_unknown, false);
    const { status, body: made } = await at.api.send(admin, 'POST /on-calls', { body });
    assert.equal(status, 201, JSON.stringify(made));
    await pager.schedule([null]);
    await pager.sql`update organizations set monthly_alert_limit = 0`;
    const after = await at.api.send(admin, 'GET /attention');
    assert.deepEqual([after.status, after.body.gaps_unknown], [200, true]);
    assert.deepEqual(await at.factsFor(admin), ['quota']);
  }));

test('one’s own schedules are found without reading what was in force before', () =>
  withPager(async (pager) => {
    const { sql, users, scope } = pager;
    const { ada = '', lin = '' } = users;
    const id = await pager.schedule([lin]);
    await pager.schedule([ada]);
    await sql`
      insert into schedule_revisions
      select (jsonb_populate_record(r, jsonb_build_object('number', n + 1, 'edit', n + 1,
        'in_force_from', r.in_force_from - (2001 - n) * interval '1 minute'))).*
      from schedule_revisions r, generate_series(1, 2000) n where r.oncall_schedule_id = ${id}`;
    await sql`analyze schedule_revisions`;
    const query = {
      scope: { organizationId: scope.organizationId, teamIds: null },
      naming: ada,
      after: 0,
      limit: 200,
      namingSince: scope.now,
    };
    await sql.begin(async (tx) => {
      const before = await pagesRead(tx, 'schedule_revisions');
      assert.equal((await listScheduleIds(tx, query)).length, 1);
      const pages = (await pagesRead(tx, 'schedule_revisions')) - before;
      assert.ok(pages <= 20, `${pages} pages`);
    });
  }));

test('the last event of an integration is found without reading the others', () =>
  withPager(async (pager) => {
    const { sql, scope } = pager;
    const { organizationId, now } = scope;
    const ids = [];
    for (let count = 0; count < 20; count += 1)
      ids.push((await pager.integration({ steps: [pager.step('lin')] })).id);
    // Test events of Pager are not of the tool.
    await sql`
      insert into events (organization_id, id, integration_id, received_at, source, path,
        content_type, body, body_encoding, outcome)
      select ${organizationId}, lpad(to_hex(n), 24, '0'), (${ids}::text[])[1 + n % 20],
        ${now}::timestamptz - n * interval '1 minute', 'http',
        case when n > 19980 then '/test-event' else '' end, 'application/json', '{}', 'utf-8', 'opened'
      from generate_series(1, 20000) n`;
    await sql`analyze events, integrations`;
    const everything = { organizationId, teamIds: null };
    const reading = <Rows>(read: (tx: Transaction) => Promise<Rows>) =>
      sql.begin(async (tx) => {
        const before = await pagesRead(tx, 'events');
        const rows = await read(tx);
        return { rows, pages: (await pagesRead(tx, 'events')) - before };
      });
    const { rows: activity, pages } = await reading((tx) => readActivity(tx, everything, now));
    const setup = await reading((tx) =>
      readSetup(tx, everything, { userId: null, hasMailServer: true }),
    );
    assert.ok(setup.pages <= 60, `${setup.pages} pages of how far it is set up`);
    assert.equal(activity.length, 20);
    assert.ok(
      activity.every(
        ({ received_at }) => received_at && received_at.until(now).total('minutes') <= 19_980,
      ),
    );
    assert.ok(pages <= 20 * 16, `${pages} pages`);
  }));
