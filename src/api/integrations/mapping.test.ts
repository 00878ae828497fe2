import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testApi, testSecrets } from '../../../test/api.ts';
import { computed } from '../../../test/compute.ts';
import { eventReader } from '../../../test/event-reader.ts';
import { callerOf } from '../../../test/incident-api.ts';
import { type Pager, withPager } from '../../../test/stories/story.ts';
import { silentLog } from '../../engine/log.ts';
import { eventsLimits } from '../../limits/events.ts';
import { createIntegrationsByToken } from '../../storage/integrations/integrations-by-token.ts';
import { typeOf } from '../events/stored-events.ts';

const forms = [
  {
    when: ['probe.id'],
    name: ['probe.label'],
    message: ['cause'],
    key: [['probe.id']],
    state: [{ at: ['condition'], trigger: 'broken', resolve: 'working' }],
  },
];
const broken = { probe: { id: 7, label: 'Pump 7' }, condition: 'BROKEN', cause: 'no pressure' };
const working = { ...broken, condition: 'WORKING', cause: 'pressure is back' };

async function open(pager: Pager) {
  const { sql, clock } = pager;
  const { intake } = pager.serve({ typeOf, reader: eventReader });
  const api = await testApi({ sql, clock });
  const { id } = await pager.integration({ steps: [pager.step('lin')] });
  const manager = callerOf(pager, {
    kind: 'session',
    role: 'manager',
    id: pager.users['ada'] ?? '',
    name: 'Ada',
  });
  const [{ digest }] = await sql<[{ digest: Buffer }]>`
    update integrations set token_digest = ${testSecrets.digest('token')} where id = ${id}
    returning token_digest as digest`;
  assert.ok(digest);
  let nowMs = clock.now().epochMilliseconds;
  const recognise = createIntegrationsByToken({
    sql,
    secrets: testSecrets,
    log: silentLog,
    nowMs: () => nowMs,
  });
  return {
    id,
    manager,
    send: (route: string, body?: object, caller = manager) =>
      api.send(caller, `${route.replace(':id', id)}`, body === undefined ? {} : { body }),
    /** As a tool sends it; answers what became of its alerts. */
    async event(body: object) {
      // Servers remember an integration for some seconds.
      nowMs += 10_000;
      const recognised = await recognise('token');
      assert.ok(recognised);
      const accepted = await intake.receive({
        ...recognised,
        source: 'http',
        path: '/push-events',
        contentType: 'application/json',
        body: Buffer.from(JSON.stringify(body)),
      });
      assert.equal(accepted.type, 'accepted');
      assert.ok('alerts' in accepted);
      const [alert] = accepted.alerts;
      return { id: accepted.eventId, key: alert?.dedup_key, outcome: alert?.outcome };
    },
    revisions: async () => [
      ...(await sql`
        select revision, forms is null as is_removal, created_by from integration_mappings
        order by revision`),
    ],
    readBy: async () =>
      (
        await sql<{ by: number | null }[]>`select mapping_revision as by from events order by id`
      ).map(({ by }) => by),
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
  };
}

test('a mapping decides how events are read from then on, and each event names it', () =>
  withPager(async (pager) => {
    await using on = await open(pager);
    const before = await on.event(broken);
    assert.equal(before.outcome, 'opened');
    const put = await on.send('PUT /integrations/:id/mapping', { forms });
    assert.deepEqual([put.status, put.body], [200, { integration_id: on.id, revision: 1, forms }]);
    const [opened, again, ended] = [
      await on.event(broken),
      await on.event(broken),
      await on.event(working),
    ];
    assert.deepEqual(
      [opened, again, ended].map(({ key, outcome }) => [key, outcome]),
      [
        ['7', 'opened'],
        ['7', 'suppressed'],
        ['7', 'resolved'],
      ],
    );
    assert.equal((await on.send('PUT /integrations/:id/mapping', { forms })).body.revision, 1);
    assert.deepEqual((await on.send('DELETE /integrations/:id/mapping')).body, {
      integration_id: on.id,
      revision: 2,
      forms: [],
    });
    assert.notEqual((await on.event(broken)).key, '7');
    const { body: none } = await on.send('GET /integrations/:id/mapping');
    assert.equal((await on.send('PUT /integrations/:id/mapping', none)).body.revision, 2);
    assert.deepEqual(await on.readBy(), [null, 1, 1, 1, null]);
    const revisions = (await on.revisions()).map((row) => ({ ...row }));
    assert.deepEqual(revisions, [
      { revision: 1, is_removal: false, created_by: 'Ada' },
      { revision: 2, is_removal: true, created_by: 'Ada' },
    ]);
  }));

test('what is wrong with a mapping is named at its path, and nothing is stored', () =>
  withPager(async (pager) => {
    await using on = await open(pager);
    const pathsOf = async (form: object) => {
      const { status, body } = await on.send('PUT /integrations/:id/mapping', { forms: [form] });
      assert.equal(status, 422, JSON.stringify(body));
      return body.issues.map(({ path }: { path: string }) => path);
    };
    assert.deepEqual(await pathsOf({ key: [['a > sideways']] }), ['forms[0].key[0][0]']);
    assert.deepEqual(await pathsOf({ title: ['{a[b}'] }), ['forms[0].title[0]']);
    assert.deepEqual(await pathsOf({ state: [{ at: ['a'], resolve: '/(/' }] }), [
      'forms[0].state[0].resolve',
    ]);
    assert.deepEqual(await pathsOf({ title: ['a'], nonsense: 1 }), ['forms[0].nonsense']);
    assert.deepEqual(await pathsOf({ when: ['a'] }), ['forms[0]']);
    assert.deepEqual(
      await pathsOf({ title: ['a'], severity: { at: ['b'], sev1: '/a{1000}{9}/' } }),
      ['forms[0].severity.sev1'],
    );
    assert.deepEqual(await on.revisions(), []);
    const responder = { ...on.manager, role: 'responder' as const };
    assert.equal(
      (await on.send('PUT /integrations/:id/mapping', { forms }, responder)).status,
      403,
    );
    assert.equal(
      (await on.send('GET /integrations/:id/mapping', undefined, responder)).status,
      200,
    );
  }));

test('a mapping is tried on past events before it is saved: what would become of them is told', () =>
  withPager(async (pager) => {
    await using on = await open(pager);
    await on.event(broken);
    await on.event(working);
    const { status, body } = await on.send('POST /integrations/:id/mapping/try', { forms });
    assert.equal(status, 200, JSON.stringify(body));
    const [ended, began] = body.data;
    assert.deepEqual(ended.proposed.alerts, [
      { action: 'resolve', dedup_key: '7', title: 'Pump 7: pressure is back' },
    ]);
    assert.equal(began.proposed.alerts[0].dedup_key, '7');
    assert.deepEqual(began.places[0], {
      at: 'forms[0].name[0]',
      place: 'probe.label',
      value: 'Pump 7',
    });
    assert.equal(body.now.resolves, 0);
    assert.deepEqual([body.proposed.resolves, body.proposed.resolves_met], [1, 1]);
    assert.ok(body.open_incidents_rekeyed > 0);
    assert.deepEqual(await on.revisions(), []);
  }));

test('a mapping is tried on a body too, as JSON or text, of which nothing is stored', () =>
  withPager(async (pager) => {
    await using on = await open(pager);
    const send = (of: object) => on.send('POST /integrations/:id/mapping/try', { forms, ...of });
    for (const body of [working, JSON.stringify(working)]) {
      const { status, body: answer } = await send({ body });
      assert.equal(status, 200, JSON.stringify(answer));
      const [tried, ...others] = answer.data;
      assert.deepEqual([others, tried.event_id], [[], undefined]);
      assert.equal(tried.now.alerts[0].action, 'trigger');
      assert.deepEqual(tried.proposed.alerts, [
        { action: 'resolve', dedup_key: '7', title: 'Pump 7: pressure is back' },
      ]);
      assert.equal(tried.places[0].value, 'Pump 7');
    }
    const form = { content_type: 'application/x-www-form-urlencoded', body: 'title=Disk+full' };
    for (const sent of [form, { body: 'dedup_key=disk&title=Disk+full' }]) {
      const { body: ofForm } = await send(sent);
      assert.equal(ofForm.data[0].now.alerts[0].title, 'Disk full');
    }
    const large = 'a'.repeat(eventsLimits.mappingTriedBody + 1);
    for (const wrong of [{ body: large }, { body: working, last: 1 }]) {
      const { status, body } = await send(wrong);
      assert.deepEqual([status, body.issues[0].path], [422, 'body']);
    }
    assert.deepEqual(await on.readBy(), []);
  }));

test('a mapping by which two problems have one key is told, and the end of one is none', () =>
  withPager(async (pager) => {
    await using on = await open(pager);
    const sharing = async () => {
      const shared = [{ ...forms[0], key: [['probe.site']] }];
      const { body } = await on.send('POST /integrations/:id/mapping/try', { forms: shared });
      return body.proposed.has_one_key;
    };
    const at = (label: string, event: object) => ({ ...event, probe: { id: 1, label, site: 'a' } });
    await on.event(at('Pump 7', broken));
    await on.event(at('Pump 7', working));
    assert.equal(await sharing(), false);
    await on.event(at('Pump 8', broken));
    assert.equal(await sharing(), true);
  }));

test('a mapping is suggested from a firing and a recovered event', () =>
  withPager(async (pager) => {
    await using on = await open(pager);
    const [firing, recovered] = [await on.event(broken), await on.event(working)];
    const pair = { firing: firing.id, recovered: recovered.id };
    const { status, body } = await on.send('POST /integrations/:id/mapping/suggest', pair);
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(body.forms[0].key, [['probe.id']]);
    assert.deepEqual(body.forms[0].state, [
      { at: ['condition'], trigger: 'broken', resolve: 'working' },
    ]);
    assert.equal((await on.send('PUT /integrations/:id/mapping', body)).status, 200);
    assert.equal((await on.event(broken)).outcome, 'opened');
    assert.equal((await on.event(working)).outcome, 'resolved');
    const unknown = { firing: firing.id, recovered: '0'.repeat(24) };
    assert.equal((await on.send('POST /integrations/:id/mapping/suggest', unknown)).status, 422);
  }));

test('a mapping is bounded as a whole, and so is the number of its revisions', () =>
  withPager(async (pager) => {
    await using on = await open(pager);
    const put = (of: readonly object[]) => on.send('PUT /integrations/:id/mapping', { forms: of });
    const large = { title: Array.from({ length: 20 }, () => 'a'.repeat(500)) };
    const refused = await put([large, large]);
    assert.deepEqual([refused.status, refused.body.issues[0].path], [422, 'forms']);
    const named = await put([{ title: ['a'], links: { ['x'.repeat(101)]: ['a'] } }]);
    assert.deepEqual([named.status, named.body.issues[0].path], [422, 'forms[0].links']);
    const links = Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`l${n}`, ['a']]));
    assert.equal((await put([{ title: ['a'], links }])).status, 422);
    assert.equal((await put([{ title: ['first'] }])).body.revision, 1);
    await pager.sql`
      update integrations set mapping_revision = ${eventsLimits.mappingRevisions} where id = ${on.id}`;
    assert.equal((await put([{ title: ['next'] }])).status, 200);
    const stored = (await on.revisions()).map(({ revision }) => revision);
    assert.deepEqual(stored, [eventsLimits.mappingRevisions + 1]);
  }));

test('a stored mapping that this version cannot read loses no event', () =>
  withPager(async (pager) => {
    await using on = await open(pager);
    for (const [revision, stored] of [
      [{ key: [['a > sideways']] }],
      [null],
      ['what a later version writes'],
    ].entries()) {
      await pager.sql`
        update integrations
        set mapping = ${pager.sql.json(stored)}, mapping_revision = ${revision + 1}
        where id = ${on.id}`;
      const { outcome, key } = await on.event({
        title: `Disk ${revision}`,
        dedup_key: `${revision}`,
      });
      assert.deepEqual([outcome, key], ['opened', `${revision}`]);
    }
    assert.deepEqual(await on.readBy(), [1, 2, 3]);
  }));

test('a mapping that takes too long on the events is not tried on all of them', () =>
  withPager(async (pager) => {
    await using on = await open(pager);
    for (const id of [1, 2, 3]) await on.event({ id, text: 'a'.repeat(5_000) });
    const expression = 'text > take /(a?){90}a{90}b/';
    const slow = [{ key: [['id']], title: Array(8).fill(expression) }];
    const send = (last: number) =>
      on.send('POST /integrations/:id/mapping/try', { forms: slow, last });
    assert.equal((await send(1)).status, 200);
    const { status, body } = await send(3);
    assert.deepEqual(
      [status, body.issues],
      [422, [{ path: 'forms', message: 'need too much work for these events: try fewer events' }]],
    );
  }));

test('mappings are tried and suggested in worker threads, whatever the events hold', () =>
  withPager(async (pager) => {
    await using on = await open(pager);
    const hostile = '{"title":"'.padEnd(256 * 1024, '\\x');
    const [firing, recovered] = [await on.event(broken), await on.event(working)];
    await pager.sql`update events set body = ${hostile}`;
    const before = computed().length;
    const pair = { firing: firing.id, recovered: recovered.id };
    const tried = await on.send('POST /integrations/:id/mapping/try', { forms });
    assert.equal(tried.status, 200, JSON.stringify(tried.body));
    const refused = await on.send('POST /integrations/:id/mapping/suggest', pair);
    assert.deepEqual([refused.status, refused.body.issues[0].path], [422, 'firing']);
    assert.deepEqual(computed().slice(before), ['mappingTrial', 'mappingSuggestion']);
  }));

test('only managers try what is not saved; how events are read by what is saved is for all', () =>
  withPager(async (pager) => {
    await using on = await open(pager);
    const viewer = { ...on.manager, role: 'viewer' as const };
    const { id } = await on.event(broken);
    const statuses = async () => [
      (await on.send('POST /integrations/:id/mapping/try', { forms }, viewer)).status,
      (await on.send('POST /integrations/:id/mapping/try', { forms: [] }, viewer)).status,
    ];
    assert.deepEqual(await statuses(), [403, 200]);
    assert.equal((await on.send('PUT /integrations/:id/mapping', { forms })).status, 200);
    assert.deepEqual(await statuses(), [200, 403]);
    const pair = { firing: id, recovered: id };
    assert.equal(
      (await on.send('POST /integrations/:id/mapping/suggest', pair, viewer)).status,
      403,
    );
  }));
