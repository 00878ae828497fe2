import assert from 'node:assert/strict';
import { test } from 'node:test';
import ICAL from 'ical.js';
import { testApi, testSecrets } from '../../../test/api.ts';
import { compute } from '../../../test/compute.ts';
import { anyDatabase, testDatabase } from '../../../test/database.ts';
import { seedOrganization } from '../../../test/world.ts';
import { createIds } from '../../engine/ids.ts';
import type { Caller } from '../route.ts';
import { mountCalendars } from './calendar-link.ts';
import { calendarRoutes } from './calendars.ts';

const publicUrl = 'https://pager.example.com';
const begin = Temporal.Instant.from('2026-03-20T12:00:00Z');

/** An organization with Ada and Bob, a schedule of its team ops, and one of its team web. */
async function setting() {
  const stack = new AsyncDisposableStack();
  const { sql } = stack.use(await testDatabase({ server: await anyDatabase() }));
  let now = begin;
  const clock = { now: () => now };
  const routes = calendarRoutes({ sql, ids: createIds(clock), secrets: testSecrets, publicUrl });
  const api = stack.use(await testApi({ sql, clock, routes }));
  mountCalendars(api.app, { sql, secrets: testSecrets, clock, publicUrl, compute });
  const world = await seedOrganization(sql, {
    clock,
    teams: ['ops', 'web'],
    users: [{ name: 'Ada' }, { name: 'Bob' }],
  });
  const { Ada = '', Bob = '' } = world.users;
  const { ops = '', web = '' } = world.teams;
  const admin = world.caller({ role: 'admin', defaultTeamId: ops });
  const responder = (id: string) => world.caller({ kind: 'session', id, role: 'responder' });
  async function made(caller: Caller, path: string, body: object) {
    const answer = await api.send(caller, `POST ${path}`, { body });
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body;
  }
  const turns = { rotation: { unit: 'days', length: 1, handoff: '09:00' } };
  const schedule = (name: string, team_id: string, users: readonly string[]) =>
    made(admin, '/on-calls', {
      name,
      team_id,
      timezone: 'Europe/Berlin',
      layers: [{ users, ...turns }],
    });
  return {
    sql,
    api,
    world,
    admin,
    made,
    web,
    ada: responder(Ada),
    bob: responder(Bob),
    payments: await schedule('Payments', ops, [Ada, Bob]),
    website: await schedule('Website', web, [Bob]),
    feed: (caller: Caller, of: object) => made(caller, '/calendar-feeds', of),
    pass(hours: number) {
      now = now.add({ hours });
    },
    async fetch(url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') {
      assert.ok(url.startsWith(publicUrl));
      return api.app.inject({ method, url: url.slice(publicUrl.length), headers });
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

function summariesOf(file: string): readonly string[] {
  const events = new ICAL.Component(ICAL.parse(file)).getAllSubcomponents('vevent');
  return [...new Set(events.map((event) => String(event.getFirstPropertyValue('summary'))))].sort();
}

test('a schedule, a person, and a person in a schedule each have their calendar', async () => {
  await using at = await setting();
  const calendars = [
    { of: { oncall_schedule_id: at.payments.id }, name: 'On call: Payments' },
    { of: { user_id: at.bob.id }, name: 'Bob Example on call' },
    {
      of: { user_id: at.bob.id, oncall_schedule_id: at.payments.id },
      name: 'Bob Example on call: Payments',
    },
  ];
  const shown = [
    ['Ada Example on call: Payments', 'Bob Example on call: Payments'],
    ['On call: Payments', 'On call: Website'],
    ['On call: Payments'],
  ];
  for (const [index, { of, name }] of calendars.entries()) {
    const { url } = await at.feed(at.bob, of);
    const answer = await at.fetch(url);
    assert.equal(answer.statusCode, 200);
    assert.equal(answer.headers['content-type'], 'text/calendar; charset=utf-8');
    assert.ok(answer.body.includes(`\r\nX-WR-CALNAME:${name}\r\n`));
    assert.deepEqual(summariesOf(answer.body), shown[index]);
  }
});

test('an override and its comment are in the calendar, and the shifts around it make room', async () => {
  await using at = await setting();
  const { sql, world, payments } = at;
  const ids = createIds({ now: () => begin });
  await sql`insert into oncall_overrides ${sql({
    organization_id: world.organizationId,
    oncall_schedule_id: payments.id,
    id: ids.next(),
    number: 1,
    user_id: at.ada.id,
    comment: 'Bob dives',
    edit: 2,
    actor: sql.json({}),
    start_at: begin.add({ hours: 48 }),
    end_at: begin.add({ hours: 49 }),
    in_force_from: begin,
    created_at: begin,
  })}`;
  const { url } = await at.feed(at.ada, { user_id: at.ada.id });
  const { body } = await at.fetch(url);
  assert.match(body, /DTSTART:20260322T120000Z\r\nDTEND:20260322T130000Z\r\n/);
  assert.match(body, /DESCRIPTION:Override: Bob dives\r\n/);
});

test('a calendar that did not change is not sent again', async () => {
  await using at = await setting();
  const { url } = await at.feed(at.bob, { oncall_schedule_id: at.payments.id });
  const first = await at.fetch(url);
  const tag = String(first.headers['etag']);
  assert.equal(first.headers['cache-control'], 'private, max-age=300');
  at.pass(3);
  for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
    const again = await at.fetch(url, { 'if-none-match': known });
    assert.deepEqual([again.statusCode, again.body, again.headers['etag']], [304, '', tag]);
  }
  const head = await at.fetch(url, {}, 'HEAD');
  assert.deepEqual([head.statusCode, head.body, head.headers['etag']], [200, '', tag]);
  const body = { name: 'Purchases' };
  const renamed = await at.api.send(at.admin, `PATCH /on-calls/${at.payments.id}`, { body });
  assert.equal(renamed.status, 200);
  const after = await at.fetch(url, { 'if-none-match': tag });
  assert.equal(after.statusCode, 200);
  assert.deepEqual(summariesOf(after.body), [
    'Ada Example on call: Purchases',
    'Bob Example on call: Purchases',
  ]);
});

test('a new name of a person or of the schedule reaches the phones that know the events', async () => {
  await using at = await setting();
  const { url } = await at.feed(at.bob, { oncall_schedule_id: at.payments.id });
  const versionOf = async (summary: string) => {
    const { body } = await at.fetch(url);
    const [event] = new ICAL.Component(ICAL.parse(body))
      .getAllSubcomponents('vevent')
      .filter((one) => one.getFirstPropertyValue('summary') === summary);
    assert.ok(event, `${summary} in ${body.slice(0, 2_000)}`);
    const text = (name: string) => String(event.getFirstPropertyValue(name));
    return {
      uid: text('uid'),
      modified: text('last-modified'),
      sequence: Number(text('sequence')),
    };
  };
  const first = await versionOf('Ada Example on call: Payments');
  const bob = await versionOf('Bob Example on call: Payments');
  at.pass(2);
  await at.sql`update users set first_name = 'Adele', updated_at = ${begin.add({ hours: 2 })}
    where id = ${at.ada.id}`;
  const second = await versionOf('Adele Example on call: Payments');
  assert.equal(second.uid, first.uid);
  assert.ok(second.sequence > first.sequence);
  assert.ok(second.modified > first.modified);
  assert.deepEqual(await versionOf('Bob Example on call: Payments'), bob);
  at.pass(2);
  const body = { name: 'Purchases' };
  await at.api.send(at.admin, `PATCH /on-calls/${at.payments.id}`, { body });
  const third = await versionOf('Adele Example on call: Purchases');
  assert.equal(third.uid, first.uid);
  assert.ok(third.sequence > second.sequence);
  assert.ok(third.modified > second.modified);
});

test('an archived schedule and a person who left keep the calendar of their past', async () => {
  await using at = await setting();
  const { sql } = at;
  const links = [
    await at.feed(at.ada, { oncall_schedule_id: at.payments.id }),
    await at.feed(at.admin, { user_id: at.bob.id }),
  ];
  await sql`update users set active = false where id = ${at.bob.id}`;
  at.pass(48);
  for (const { id } of [at.payments, at.website]) {
    const gone = await at.api.send(at.admin, `DELETE /on-calls/${id}`);
    assert.equal(gone.status, 200);
  }
  at.pass(24);
  for (const { url } of links) {
    const answer = await at.fetch(url);
    assert.equal(answer.statusCode, 200);
    const ends = [...answer.body.matchAll(/DTEND:(\w+)/g)].map(([, end]) => end);
    assert.ok(ends.length > 0);
    assert.ok(ends.every((end) => String(end) <= '20260322T120000Z'));
  }
});

test('a revoked link is gone at once, and is listed no more', async () => {
  await using at = await setting();
  const feed = await at.feed(at.bob, { oncall_schedule_id: at.payments.id });
  assert.equal((await at.fetch(feed.url)).statusCode, 200);
  const line = `DELETE /calendar-feeds/${feed.id}`;
  assert.equal((await at.api.send(at.ada, line)).status, 404);
  assert.equal((await at.fetch(feed.url)).statusCode, 200);
  assert.equal((await at.api.send(at.bob, line)).status, 200);
  assert.equal((await at.fetch(feed.url)).statusCode, 404);
  assert.equal((await at.api.send(at.bob, line)).status, 404);
  assert.deepEqual((await at.api.send(at.bob, 'GET /calendar-feeds')).body.data, []);
});

test('the links of whoever leaves lead nowhere, as long as they are away', async () => {
  await using at = await setting();
  const feed = await at.feed(at.bob, { oncall_schedule_id: at.payments.id });
  const isThere = async () => (await at.fetch(feed.url)).statusCode === 200;
  assert.equal(await isThere(), true);
  await at.sql`update users set active = false where id = ${at.bob.id}`;
  assert.equal(await isThere(), false);
  await at.sql`update users set active = true where id = ${at.bob.id}`;
  assert.equal(await isThere(), true);
});

test('the links that a key made go with it, and with its person', async () => {
  await using at = await setting();
  const id = createIds({ now: () => begin }).next();
  const of = { organization_id: at.world.organizationId, id };
  await at.sql`insert into api_keys ${at.sql({
    ...of,
    name: 'Wall',
    role: 'manager',
    prefix: 'pgr_',
    digest: Buffer.from('wall'),
    created_at: begin,
    created_by: at.bob.id,
    user_id: at.bob.id,
  })}`;
  const key = at.world.caller({ id, role: 'manager' });
  const { url } = await at.feed(key, { oncall_schedule_id: at.payments.id });
  const changed = async (change: object) => {
    await at.sql`
      update api_keys set ${at.sql(change)} where organization_id = ${of.organization_id}`;
    return (await at.fetch(url)).statusCode;
  };
  assert.equal(await changed({ archived_at: null }), 200);
  assert.equal(await changed({ archived_at: begin }), 404);
  assert.equal(await changed({ archived_at: null, expires_at: begin }), 404);
  assert.equal(await changed({ expires_at: begin.add({ hours: 1 }) }), 200);
  await at.sql`update users set active = false where id = ${at.bob.id}`;
  assert.equal((await at.fetch(url)).statusCode, 404);
});

test('makers see their own feeds, with their links; admins see and revoke all', async () => {
  await using at = await setting();
  const ofBob = await at.feed(at.bob, { user_id: at.bob.id });
  const ofAda = await at.feed(at.ada, { oncall_schedule_id: at.payments.id });
  const list = async (caller: Caller, query = '') =>
    (await at.api.send(caller, `GET /calendar-feeds${query}`)).body.data;
  assert.deepEqual(await list(at.bob), [ofBob]);
  assert.deepEqual(await list(at.ada), [ofAda]);
  assert.deepEqual(await list(at.admin), [ofBob, ofAda]);
  assert.deepEqual(await list(at.admin, `?user_id=${at.bob.id}`), [ofBob]);
  assert.deepEqual(await list(at.admin, `?oncall_schedule_id=${at.payments.id}`), [ofAda]);
  assert.deepEqual(await list(at.admin, `?oncall_schedule_id=${at.website.id}`), []);
  assert.equal((await at.api.send(at.admin, 'GET /calendar-feeds?user_id=1')).status, 422);
  const gone = await at.api.send(at.admin, `DELETE /calendar-feeds/${ofBob.id}`);
  assert.equal(gone.status, 200);
  assert.equal((await at.fetch(ofBob.url)).statusCode, 404);
});

test('only admins make feeds of others; a key of a team, only of its schedules', async () => {
  await using at = await setting();
  const tried = async (caller: Caller, body: object) => {
    const { status, body: text } = await at.api.send(caller, 'POST /calendar-feeds', { body });
    return status === 201 ? 201 : [status, text.issues[0]?.path ?? text.error];
  };
  const ofAda = { user_id: at.ada.id };
  const ofPayments = { oncall_schedule_id: at.payments.id };
  assert.equal(await tried(at.ada, ofAda), 201);
  assert.deepEqual(await tried(at.bob, ofAda), [403, 'forbidden']);
  assert.deepEqual(await tried(at.bob, { ...ofAda, ...ofPayments }), [403, 'forbidden']);
  assert.equal(await tried(at.admin, ofAda), 201);
  assert.deepEqual(await tried(at.admin, {}), [422, 'oncall_schedule_id']);
  assert.deepEqual(await tried(at.admin, { user_id: 'f'.repeat(24) }), [422, 'user_id']);
  assert.deepEqual(await tried(at.admin, { url: 'x', ...ofAda }), [422, 'url']);

  const ofWeb = at.world.caller({ role: 'admin', teamIds: [at.web] });
  const website = await at.feed(ofWeb, { oncall_schedule_id: at.website.id, ...ofAda });
  assert.deepEqual(await tried(ofWeb, ofPayments), [422, 'oncall_schedule_id']);
  assert.deepEqual(await tried(ofWeb, ofAda), [403, 'forbidden']);
  const seen = await at.api.send(ofWeb, 'GET /calendar-feeds');
  assert.deepEqual(seen.body.data, [website]);
  const other = await at.feed(at.admin, ofPayments);
  const refused = await at.api.send(ofWeb, `DELETE /calendar-feeds/${other.id}`);
  assert.equal(refused.status, 404);
});

test('another organization neither sees nor makes nor revokes', async () => {
  await using at = await setting();
  const feed = await at.feed(at.admin, { oncall_schedule_id: at.payments.id });
  const strangers = await seedOrganization(at.sql);
  const stranger = strangers.caller({ role: 'owner' });
  assert.deepEqual((await at.api.send(stranger, 'GET /calendar-feeds')).body.data, []);
  const revoked = await at.api.send(stranger, `DELETE /calendar-feeds/${feed.id}`);
  assert.equal(revoked.status, 404);
  const body = { oncall_schedule_id: at.payments.id, user_id: at.ada.id };
  const made = await at.api.send(stranger, 'POST /calendar-feeds', { body });
  assert.equal(made.status, 422);
  assert.deepEqual(
    made.body.issues.map((issue: { path: string }) => issue.path),
    ['oncall_schedule_id', 'user_id'],
  );
});

test('nobody has more than a hundred feeds at a time', async () => {
  await using at = await setting();
  const body = { oncall_schedule_id: at.payments.id };
  const first = await at.feed(at.bob, body);
  for (let count = 2; count <= 100; count += 1) await at.feed(at.bob, body);
  assert.equal((await at.api.send(at.bob, 'POST /calendar-feeds', { body })).status, 409);
  await at.feed(at.ada, body);
  await at.api.send(at.bob, `DELETE /calendar-feeds/${first.id}`);
  await at.feed(at.bob, body);
});

test('a link is kept sealed, and stands in no entry of the audit log', async () => {
  await using at = await setting();
  const { url } = await at.feed(at.bob, { oncall_schedule_id: at.payments.id });
  const token = /calendars\/([0-9a-f]{64})\.ics$/.exec(url)?.[1];
  assert.ok(token);
  const [stored] = await at.sql<{ feeds: string; audits: string }[]>`
    select (select string_agg(f::text, '') from calendar_feeds f) as feeds,
      (select string_agg(a::text, '') from audit_log a) as audits`;
  assert.ok(stored);
  assert.ok(stored.feeds.includes('v2:') && !stored.feeds.includes(token));
  assert.ok(stored.audits.includes('calendar_feed') && !stored.audits.includes(token));
});

test('links that are guessed are told apart by nothing, and soon not answered', async () => {
  await using at = await setting();
  const { url } = await at.feed(at.bob, { oncall_schedule_id: at.payments.id });
  const token = url.slice(-68, -4);
  assert.equal((await at.fetch(url)).statusCode, 200);
  const guesses = [
    'f'.repeat(64),
    token.toUpperCase().replace(/^[0-9]/, 'F'),
    token.slice(1),
    `${token}0`,
    `${token.slice(1)}%00`,
    '%F0%9F%91%A9',
    "'%20or%20true--",
    'x'.repeat(4_000),
  ];
  for (const guess of guesses) {
    const answer = await at.fetch(`${publicUrl}/calendars/${guess}.ics`);
    assert.equal(answer.statusCode, 404, guess);
    assert.equal(answer.headers['set-cookie'], undefined);
    assert.ok(!answer.body.includes(guess));
  }
  for (let count = 1; count < 20; count += 1)
    await at.fetch(`${publicUrl}/calendars/${'0'.repeat(64)}.ics`);
  const limited = await at.fetch(`${publicUrl}/calendars/${'1'.repeat(64)}.ics`);
  assert.deepEqual([limited.statusCode, limited.headers['retry-after']], [429, '1']);
  assert.equal((await at.fetch(url)).statusCode, 200);
});

test('one calendar is worked out for a bounded number of readers at once', async () => {
  await using at = await setting();
  const { url } = await at.feed(at.bob, { oncall_schedule_id: at.payments.id });
  for (let count = 1; count <= 60; count += 1) assert.equal((await at.fetch(url)).statusCode, 200);
  assert.equal((await at.fetch(url)).statusCode, 429);
});

test('a calendar has the soonest five thousand events, however many there are', async () => {
  await using at = await setting();
  const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
  const hours = Array.from({ length: 14 }, (_, hour) => String(hour).padStart(2, '0'));
  /** Five minutes of each of these hours. */
  const windowsAt = (minute: number) =>
    weekdays.flatMap((day) =>
      hours.map((hour) => ({
        from_day: day,
        from_time: `${hour}:${minute}`,
        to_day: day,
        to_time: `${hour}:${minute + 5}`,
      })),
    );
  const layers = [10, 20, 30].map((minute) => ({
    users: [at.bob.id],
    rotation: { unit: 'weeks', length: 1 },
    restriction: { type: 'weekly', windows: windowsAt(minute) },
  }));
  const { id } = await at.made(at.admin, '/on-calls', { name: 'Busy', layers });
  const { url } = await at.feed(at.bob, { oncall_schedule_id: id });
  const { body } = await at.fetch(url);
  assert.equal(body.split('BEGIN:VEVENT').length - 1, 5_000);
  assert.match(body, /DTSTART:20260320T121000Z/);
});

test('calendars carry the headers of every page, and no cookie', async () => {
  await using at = await setting();
  const { url } = await at.feed(at.bob, { oncall_schedule_id: at.payments.id });
  const { headers } = await at.fetch(url);
  assert.equal(headers['x-content-type-options'], 'nosniff');
  assert.equal(headers['referrer-policy'], 'no-referrer');
  assert.equal(headers['set-cookie'], undefined);
});

test('a link that cannot be read keeps no other from its list', async () => {
  await using at = await setting();
  const [one, other] = [
    await at.feed(at.ada, { user_id: at.ada.id }),
    await at.feed(at.ada, { oncall_schedule_id: at.payments.id }),
  ];
  await at.sql`update calendar_feeds set token_encrypted = 'AAAA' where id = ${one.id}`;
  const { status, body } = await at.api.send(at.ada, 'GET /calendar-feeds');
  assert.deepEqual([status, body.data], [200, [other]]);
  assert.equal(body.unreadable[0].id, one.id);
});
