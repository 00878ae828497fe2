import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testApi } from '../../../test/api.ts';
import { compute } from '../../../test/compute.ts';
import { eventReader } from '../../../test/event-reader.ts';
import { callerOf } from '../../../test/incident-api.ts';
import { type Pager, withPager } from '../../../test/stories/story.ts';
import { canaryChannel } from '../../engine/canary.ts';
import { createIds } from '../../engine/ids.ts';
import { typeOf } from '../stored-events.ts';
import { attentionRoute } from './attention.ts';
import { testEventRoute } from './test-event.ts';
import { wasAnAlertRoute } from './was-an-alert.ts';

const builtIn = ['email', 'push-notification'].map((name) => [name, canaryChannel] as const);

async function setupOn(pager: Pager, hasMailServer = true) {
  const { sql, clock } = pager;
  const { intake } = pager.serve({ typeOf, reader: eventReader });
  const ids = createIds(clock);
  const attention = attentionRoute({
    ...{ sql, compute, channels: new Map(builtIn) },
    ...{ hasMailServer, publicUrl: 'https://pager.example.com' },
  });
  const routes = [
    ...[attention, testEventRoute({ sql, ids, intake, typeOf }), wasAnAlertRoute({ sql, intake })],
  ];
  const api = await testApi({ sql, clock, routes });
  const manager = callerOf(pager, {
    ...{ kind: 'session', role: 'manager', id: pager.users['ada'] ?? '', name: 'Ada' },
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
      const [{ details }] = await pager.sql<[{ details: unknown }]>`
        select details from incidents where number = ${index + 1}`;
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
    assert.deepEqual(await setup.done(), ['reachable'], 'its page is not sent yet');
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
    assert.match(shown.e_mail, /^E-mail is not set up: .* Set PAGER_SMTP_URL\.$/);
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
    ...{ id, name: id, email: `${id}@users.invalid`, email_verified: true, ...dates },
  })}`;
  await sql`insert into auth_accounts ${sql({
    ...{ id, user_id: id, account_id: id, provider_id: 'credential', password: 'x', ...dates },
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
      ...{ kind: 'session', role: 'responder', id: pager.users['lin'] ?? '', name: 'Lin' },
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
