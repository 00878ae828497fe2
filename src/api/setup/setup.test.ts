import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testApi } from '../../../test/api.ts';
import { compute } from '../../../test/compute.ts';
import { callerOf } from '../../../test/incident-api.ts';
import { type Pager, withPager } from '../../../test/stories/story.ts';
import { createIds } from '../../engine/ids.ts';
import { readStoredEvent, typeOf } from '../stored-events.ts';
import { attentionRoute } from './attention.ts';
import { testEventRoute } from './test-event.ts';

async function setupOn(pager: Pager) {
  const { sql, clock } = pager;
  const { intake } = pager.serve({ typeOf, read: readStoredEvent });
  const ids = createIds(clock);
  const attention = attentionRoute({
    ...{ sql, compute, channels: new Map() },
    ...{ hasMailServer: true, publicUrl: 'https://pager.example.com' },
  });
  const routes = [attention, testEventRoute({ sql, ids, intake, typeOf })];
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

test('what is done is told step by step, within the teams of the caller', () =>
  withPager(async (pager) => {
    await using setup = await setupOn(pager);
    const { ada = '' } = pager.users;
    await pager.sql`update users set active = false where id <> ${ada}`;
    assert.deepEqual(await setup.done(), []);
    const first = (await setup.api.send(setup.manager, 'GET /attention')).body.setup;
    assert.deepEqual([first.integration, first.incident], [undefined, null]);
    const on = await pager.integration({ steps: [pager.step('ada')] });
    await setup.sends(on.id);
    assert.deepEqual(await setup.done(), ['test_event']);
    const second = (await setup.api.send(setup.manager, 'GET /attention')).body.setup;
    const integration = { id: on.id, slug: 'webhook', name: 'Checks' };
    assert.deepEqual([second.integration, second.incident], [integration, 1]);
    await pager.sql`update users set active = true`;
    assert.deepEqual(await setup.done(), ['test_event', 'colleague']);
    await pager.trigger(on, { title: 'disk full' });
    await pager.schedule([ada]);
    const contact = { organization_id: pager.scope.organizationId, user_id: ada, channel: 'sms' };
    const at = pager.clock.now();
    const proved = { id: '1'.repeat(24), address: '+491', verified_at: at, created_at: at };
    await pager.sql`insert into contacts ${pager.sql({ ...contact, ...proved })}`;
    const all = ['test_event', 'contact', 'tool', 'colleague', 'schedule'];
    assert.deepEqual(await setup.done(), all);
    const key = { ...setup.manager, kind: 'key' as const, role: 'viewer' as const };
    assert.deepEqual(
      await setup.done(key),
      all.filter((name) => name !== 'contact'),
    );
    const { teamId } = pager.placeOf('core');
    assert.deepEqual(await setup.done({ ...key, teamIds: [teamId] }), ['colleague']);
  }));
