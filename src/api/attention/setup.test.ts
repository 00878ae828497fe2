import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testApi } from '../../../test/api.ts';
import { compute } from '../../../test/compute.ts';
import { eventReader } from '../../../test/event-reader.ts';
import { callerOf } from '../../../test/incident-api.ts';
import { type Pager, withPager } from '../../../test/stories/story.ts';
import { canaryChannel } from '../../engine/canary.ts';
import { createIds } from '../../engine/ids.ts';
import { typeOf } from '../events/stored-events.ts';
import { testEventRoute } from '../integrations/test-event.ts';
import { wasAnAlertRoute } from '../integrations/was-an-alert.ts';
import { attentionRoute } from './attention.ts';

const builtIn = ['email', 'push-notification'].map((name) => [name, canaryChannel] as const);

async function setupOn(pager: Pager, hasMailServer = true) {
  const { sql, clock } = pager;
  const { intake } = pager.serve({ typeOf, reader: eventReader });
  const ids = createIds(clock);
  const attention = attentionRoute({
    sql,
    compute,
    channels: new Map(builtIn),
    hasMailServer,
    publicUrl: 'https://pager.example.com',
  });
  const routes = [
    ...[attention, testEventRoute({ sql, ids, intake, typeOf }), wasAnAlertRoute({ sql, intake })],
  ];
  const api = await testApi({ sql, clock, routes });
  const manager = callerOf(pager, {
    kind: 'session',
    role: 'manager',
    id: pager.users['ada'] ?? '',
    name: 'Ada',
  });
  const done = async (caller = manager) => {
    const { body } = await api.send(caller, 'GET /attention');
    assert.ok(body.setup, JSON.stringify(body));
    const { steps }: { steps: { name: string; done: boolean }[] } = body.setup;
    return steps.filter((step) => step.done).map(({ name }) => name);
  };
  const sends = (id: string, caller = manager) =>
    api.send(caller, `POST /integrations/${id}/test-event`);
  return { api, manager, done, sends, [Symbol.asyncDispose]: () => api[Symbol.asyncDispose]() };
}

async function alertmanagerIn(pager: Pager) {
  const on = await pager.integration({ steps: [pager.step('lin')] });
  const slug = 'alertmanager';
  await pager.sql`update integrations set slug = ${slug}, name = 'Clusters' where id = ${on.id}`;
  return { ...on, slug };
}

test('a test event takes the way of a real one, whatever the type, and says what it is', () =>
  withPager(async (pager) => {
    await using setup = await setupOn(pager);
    const on = await pager.integration({ steps: [pager.step('lin')] });
    for (const [index, slug] of ['webhook', 'prometheus', 'email'].entries()) {
      await pager.sql`update integrations set slug = ${slug} where id = ${on.id}`;
      const { status, body } = await setup.sends(on.id);
      assert.equal(status, 202, JSON.stringify(body));
      assert.deepEqual([body.alerts[0].outcome, body.alerts[0].incident], ['opened', index + 1]);
      await pager.work();
      assert.match(pager.heard().join(), /^09:00 lin: page Test event \w{6}: nothing is wrong$/);
      const [{ details, is_test }] = await pager.sql<[{ details: unknown; is_test: boolean }]>`
        select details, is_test from incidents where number = ${index + 1}`;
      assert.equal(is_test, true);
      assert.match(JSON.stringify(details), /Ada sent this from Pager to test/);
    }
    const events = await pager.sql<{ source: string }[]>`select source from events order by id`;
    assert.deepEqual(
      events.map(({ source }) => source),
      ['http', 'http', 'mail'],
    );
    assert.equal((await setup.sends('99')).status, 404);
    const { teamId } = pager.placeOf('core');
    assert.equal((await setup.sends(on.id, { ...setup.manager, teamIds: [teamId] })).status, 404);
    assert.equal((await setup.sends(on.id, { ...setup.manager, role: 'responder' })).status, 403);
    await pager.sql`update integrations set archived_at = now() where id = ${on.id}`;
    assert.equal((await setup.sends(on.id)).status, 409);
    assert.deepEqual(await pager.findings(), []);
  }));

test('a test event that is sent again after a crash opens and pages nothing anew', () =>
  withPager(async (pager) => {
    await using setup = await setupOn(pager);
    const on = await pager.integration({ steps: [pager.step('lin')] });
    for (const [index, slug] of ['webhook', 'prometheus', 'email'].entries()) {
      await pager.sql`update integrations set slug = ${slug} where id = ${on.id}`;
      const headers = { 'idempotency-key': slug };
      const request = `POST /integrations/${on.id}/test-event`;
      const send = () => setup.api.send(setup.manager, request, { headers });
      assert.equal((await send()).status, 202);
      // As a server leaves it that died before it answered.
      await pager.sql`update idempotent_answers set status = null, answer_encrypted = null,
        started_at = started_at - interval '1 hour'`;
      const { status, body } = await send();
      assert.deepEqual([status, body.alerts[0].incident], [202, index + 1]);
      await pager.work();
      assert.equal(pager.heard().length, 1);
    }
  }));

test('each step is done by its effect, within the teams of the caller', () =>
  withPager(async (pager) => {
    await using setup = await setupOn(pager);
    const { ada = '' } = pager.users;
    const { organizationId } = pager.scope;
    assert.deepEqual(await setup.done(), ['reachable']);
    const first = (await setup.api.send(setup.manager, 'GET /attention')).body.setup;
    assert.deepEqual([first.integration, first.incident], [undefined, null]);
    const on = await pager.integration({ steps: [pager.step('ada')] });
    await setup.sends(on.id);
    assert.deepEqual(await setup.done(), ['reachable'], 'its page has not been sent yet');
    await pager.work();
    assert.deepEqual(await setup.done(), ['reachable', 'test_event']);
    const second = (await setup.api.send(setup.manager, 'GET /attention')).body.setup;
    const integration = { id: on.id, slug: 'webhook', name: 'Checks' };
    assert.deepEqual([second.integration, second.incident], [integration, 1]);
    await pager.sql`update organizations set timezone_chosen = true`;
    assert.deepEqual(await setup.done(), ['reachable', 'test_event', 'time_zone']);
    await pager.trigger(on, { title: 'disk full' });
    // One who was only added cannot sign in yet.
    for (const id of [ada, pager.users['lin'] ?? '']) await canSignIn(pager, id);
    const rota = await pager.schedule([ada, pager.users['lin'] ?? '']);
    const contact = { organization_id: organizationId, user_id: ada, channel: 'push-notification' };
    const at = pager.clock.now();
    const proved = { id: '1'.repeat(24), address: 'browser', verified_at: at, created_at: at };
    await pager.sql`insert into contacts ${pager.sql({ ...contact, ...proved })}`;
    const all = ['reachable', 'test_event', 'time_zone', 'contact', 'tool', 'colleague'];
    assert.deepEqual(await setup.done(), all, 'no policy names the schedule');
    const pages = (schedule: string) =>
      pager.integration({
        steps: [{ targets: [{ via: 'email' as const, oncall_schedule_id: schedule }] }],
      });
    await pages(await pager.schedule([ada]));
    assert.deepEqual(await setup.done(), all, 'one person alone takes no turns');
    await pages(rota);
    assert.deepEqual(await setup.done(), [...all, 'schedule']);
    const key = { ...setup.manager, kind: 'key' as const, role: 'viewer' as const };
    const ofKey = ['test_event', 'time_zone', 'tool', 'colleague', 'schedule'];
    assert.deepEqual(await setup.done(key), ofKey);
    const { teamId } = pager.placeOf('core');
    const ofTeam = ['test_event', 'time_zone', 'colleague'];
    assert.deepEqual(await setup.done({ ...key, teamIds: [teamId] }), ofTeam);
  }));

test('a page by mail pages nobody while mails are only files, and a test page that is answered counts', () =>
  withPager(async (pager) => {
    await using setup = await setupOn(pager, false);
    const { ada = '' } = pager.users;
    const { organizationId } = pager.scope;
    const on = await pager.integration({ steps: [pager.step('ada')] });
    await setup.sends(on.id);
    await pager.work();
    assert.deepEqual(await setup.done(), []);
    const { setup: shown } = (await setup.api.send(setup.manager, 'GET /attention')).body;
    assert.match(shown.e_mail, /^E-mail is not set up: .* or set PAGER_SMTP_URL\.$/);
    const at = pager.clock.now();
    const id = '1'.repeat(24);
    const push = {
      organization_id: organizationId,
      id,
      user_id: ada,
      channel: 'push-notification',
    };
    const proved = { address: 'browser', verified_at: at, created_at: at };
    await pager.sql`insert into contacts ${pager.sql({ ...push, ...proved })}`;
    const proof = { organization_id: organizationId, contact_id: id };
    await pager.sql`insert into contact_proofs ${pager.sql({ ...proof, proved_at: at })}`;
    assert.deepEqual(await setup.done(), ['reachable'], 'a verified contact was not paged');
    await pager.sql`update contact_proofs set proved_at = ${at.add({ seconds: 1 })}`;
    assert.deepEqual(await setup.done(), ['reachable', 'test_event']);
  }));

/** As an invitation that was accepted leaves it. */
async function canSignIn({ sql, clock }: Pager, id: string): Promise<void> {
  const at = clock.now();
  const dates = { created_at: at, updated_at: at };
  await sql`insert into auth_users ${sql({
    id,
    name: id,
    email: `${id}@users.invalid`,
    email_verified: true,
    ...dates,
  })}`;
  await sql`insert into auth_accounts ${sql({
    id,
    user_id: id,
    account_id: id,
    provider_id: 'credential',
    password: 'x',
    ...dates,
  })}`;
}

test('what was read as the end of something of which nothing was open is opened after all', () =>
  withPager(async (pager) => {
    await using setup = await setupOn(pager);
    const on = await pager.integration({ steps: [pager.step('lin')] });
    await pager.trigger(on, { title: '[OK] button is broken' });
    await pager.work();
    const [event] = await pager.sql<
      [{ id: string; outcome: string }]
    >`select id, outcome from events`;
    assert.equal(event.outcome, 'ignored');
    const path = `POST /integrations/${on.id}/events/${event.id}/was-an-alert`;
    const responder = callerOf(pager, {
      kind: 'session',
      role: 'responder',
      id: pager.users['lin'] ?? '',
      name: 'Lin',
    });
    const { status, body } = await setup.api.send(responder, path);
    assert.equal(status, 202, JSON.stringify(body));
    assert.deepEqual(body.alerts, [
      { dedup_key: 'button is broken', outcome: 'opened', incident: 1 },
    ]);
    await pager.work();
    assert.deepEqual(pager.heard(), ['09:00 lin: page button is broken']);
    // Its end ends it, and pressed again nothing opens twice.
    assert.equal((await setup.api.send(responder, path)).body.alerts[0].outcome, 'suppressed');
    await pager.trigger(on, { title: '[OK] button is broken' });
    assert.deepEqual(await pager.incidents(), ['1 resolved']);
    const opened = `POST /integrations/${on.id}/events/${body.event_id}/was-an-alert`;
    assert.equal((await setup.api.send(responder, opened)).status, 409);
    assert.equal((await setup.api.send(responder, path.replace(event.id, 'x'))).status, 404);
  }));

test('an end that ended nothing is shown until somebody opens it, or its key opens by itself', () =>
  withPager(async (pager) => {
    await using setup = await setupOn(pager);
    const on = await pager.integration({ steps: [pager.step('lin')] });
    type Shown = Readonly<Record<'type' | 'reason' | 'event_id', string>>;
    const shown = async (caller = setup.manager): Promise<readonly Shown[]> => {
      const { body } = await setup.api.send(caller, 'GET /attention');
      return body.data.filter(({ type }: Shown) => type === 'integration_unmatched_end');
    };
    await pager.trigger(on, { title: '[OK] button is broken' });
    const [first] = await shown();
    assert.ok(first);
    assert.equal(
      first.reason,
      '"[OK] button is broken" was read as an end but ended nothing: no open incident to resolve, and no earlier alert with its key.',
    );
    const responder = callerOf(pager, {
      kind: 'session',
      role: 'responder',
      id: pager.users['lin'] ?? '',
      name: 'Lin',
    });
    assert.deepEqual(await shown(responder), []);
    const path = `POST /integrations/${on.id}/events/${first.event_id}/was-an-alert`;
    assert.equal((await setup.api.send(setup.manager, path)).status, 202);
    assert.deepEqual(await shown(), []);
    // What ends what was open, or was over already, is nothing to show.
    await pager.trigger(on, { title: '[OK] button is broken' });
    await pager.trigger(on, { title: '[OK] button is broken' });
    await pager.trigger(on, { title: 'A build', status: 'resolved' });
    assert.deepEqual(await shown(), []);
    // Of a key that tells no problems apart, nothing is guessed.
    for (const host of ['a', 'b'])
      await pager.trigger(on, { title: `Disk of ${host} is full`, dedup_key: 'undefined' });
    await pager.trigger(on, { dedup_key: 'undefined', status: 'resolved' });
    const [raw] = await shown();
    assert.match(raw?.reason ?? '', /several open incidents came with the key "undefined"/);
    const logged = await pager.sql`
      select from events where outcome = 'ignored'
        and reason like 'several open incidents came with the key "undefined"%'`;
    assert.equal(logged.length, 1);
    // One that opens by itself mends it too.
    await pager.trigger(on, { title: 'OK: disk' });
    assert.equal((await shown()).length, 1);
    await pager.trigger(on, { title: 'PROBLEM: disk' });
    assert.deepEqual(await shown(), []);
    await pager.trigger(on, { title: 'OK: another disk' });
    pager.awayUntil('09:30');
    assert.equal((await shown()).length, 1);
    await pager.sql`update integration_findings set at = at - interval '24 hours'`;
    assert.deepEqual(await shown(), []);
  }));

test('two Alertmanagers that disagree are shown, with the integration to add', () =>
  withPager(async (pager) => {
    await using setup = await setupOn(pager);
    const on = await alertmanagerIn(pager);
    const send = (externalURL: string, status: string, startsAt: string) => {
      const labels = { alertname: 'Disk' };
      const endsAt = status === 'resolved' ? '2026-03-02T08:59:00Z' : '0001-01-01T00:00:00Z';
      const alert = { status, fingerprint: 'aa11', labels, startsAt, endsAt };
      const group = { version: '4', status, externalURL, alerts: [alert] };
      // The one that reads every type.
      return pager.trigger(on, group, pager.servers.at(-1));
    };
    await send('http://a', 'firing', '2026-03-02T08:50:00Z');
    await send('http://b', 'firing', '2026-03-02T08:51:00Z');
    await send('http://a', 'resolved', '2026-03-02T08:50:00Z');
    const shown = async () => {
      const { body } = await setup.api.send(setup.manager, 'GET /attention');
      return body.data.filter(({ type }: { type: string }) => type === 'integration_two_senders');
    };
    assert.deepEqual(await shown(), []);
    await send('http://b', 'firing', '2026-03-02T08:51:00Z');
    const [{ reason, second_integration }] = await shown();
    assert.match(reason, /^http:\/\/b still reports "Disk" after http:\/\/a reported its end\./);
    assert.deepEqual([second_integration.name, second_integration.slug], ['Clusters 2', on.slug]);
    // Its own end soon after shows that they are a pair.
    await send('http://b', 'resolved', '2026-03-02T08:51:00Z');
    assert.deepEqual(await shown(), []);
  }));

test('alerts that Alertmanager omitted are shown until the next complete message of the group', () =>
  withPager(async (pager) => {
    await using setup = await setupOn(pager);
    const on = await alertmanagerIn(pager);
    const send = (alertname: string, truncatedAlerts: number) => {
      const labels = { alertname };
      const alert = { status: 'firing', fingerprint: alertname, labels };
      const groupKey = `{}:{alertname="${alertname}"}`;
      const group = { version: '4', status: 'firing', groupKey, truncatedAlerts, alerts: [alert] };
      return pager.trigger(on, group, pager.servers.at(-1));
    };
    const shown = async (caller = setup.manager) => {
      const { body } = await setup.api.send(caller, 'GET /attention');
      return body.data.filter(
        ({ type }: { type: string }) => type === 'integration_omitted_alerts',
      );
    };
    await send('Disk', 0);
    assert.deepEqual(await shown(), []);
    await send('Disk', 7);
    const [{ integration, reason, event_id }] = await shown();
    assert.deepEqual([integration.id, integration.name], [on.id, 'Clusters']);
    assert.match(reason, /omitted 7 alerts of the group \{\}:\{alertname="Disk"\}\..* max_alerts /);
    const [last] = await pager.sql`select id from events order by id desc limit 1`;
    assert.equal(event_id, last?.['id']);
    const responder = callerOf(pager, { kind: 'session', role: 'responder', id: '', name: 'Lin' });
    assert.deepEqual(await shown(responder), []);
    // Another group says nothing of this one.
    await send('Load', 0);
    assert.equal((await shown()).length, 1);
    await send('Disk', 0);
    assert.deepEqual(await shown(), []);
    await send('Disk', 1);
    await pager.sql`update integration_findings set at = at - interval '25 hours'`;
    assert.deepEqual(await shown(), []);
  }));
