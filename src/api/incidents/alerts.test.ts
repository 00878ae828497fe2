import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callerOf, seedIncidents } from '../../../test/incident-api.ts';
import { withPager } from '../../../test/stories/story.ts';

test('the alerts of an incident are listed and counted, and some split off once', () =>
  withPager(async (pager) => {
    await using api = await seedIncidents(pager, []);
    const ada = callerOf(pager, { kind: 'session', id: pager.users['ada'] ?? '', name: 'Ada' });
    const on = await pager.integration({
      steps: [pager.step('ada')],
      grouping: { by: ['service'] },
    });
    const send = (request: string, options = {}) => api.send(ada, request, options);
    await pager.trigger(on, { title: 'disk', severity: 'warning', host: 'db-1' });
    const single = await send('GET /incidents/1/alerts');
    assert.partialDeepStrictEqual(single.body.data, [
      { dedup_key: 'disk', state: 'firing', times: 1, details: { host: 'db-1' } },
    ]);
    for (const title of ['load', 'memory', 'load']) await pager.trigger(on, { title });
    await pager.trigger(on, { title: 'memory', status: 'resolve' });
    const { body } = await send('GET /incidents/1/alerts');
    assert.deepEqual(
      body.data.map(({ title, state, times }: Record<string, unknown>) => [title, state, times]),
      [
        ['disk', 'firing', 1],
        ['load', 'firing', 2],
        ['memory', 'resolved', 1],
      ],
    );
    assert.equal(body.data[0].id, single.body.data[0].id, 'an id stays');
    const pages = [];
    for (let cursor = ''; ; ) {
      const page = await send(`GET /incidents/1/alerts?limit=2${cursor}`);
      pages.push(page.body.data.length);
      if (page.body.next_cursor === null) break;
      cursor = `&cursor=${page.body.next_cursor}`;
    }
    assert.deepEqual(pages, [2, 1]);
    const counts = async (number: number) => {
      const { body: one } = await send(`GET /incidents/${number}`);
      return [one.alerts_firing, one.alerts_total];
    };
    assert.deepEqual(await counts(1), [2, 3]);

    const [disk, load] = body.data;
    const path = 'POST /incidents/1/alerts/split';
    const unknown = await send(path, { body: { alert_ids: [load.id, 'f'.repeat(24)] } });
    assert.equal(unknown.status, 422);
    assert.deepEqual(unknown.body.issues[0].path, 'alert_ids[1]');
    const all = await send(path, { body: { alert_ids: [disk.id, load.id] } });
    assert.equal(all.status, 409);
    assert.match(all.body.message, /at least one active alert must stay/);
    const headers = { 'idempotency-key': 'once' };
    const split = await send(path, { body: { alert_ids: [load.id] }, headers });
    assert.equal(split.status, 201, JSON.stringify(split.body));
    assert.deepEqual([split.body.number, split.body.title], [2, 'load']);
    const again = await send(path, { body: { alert_ids: [load.id] }, headers });
    assert.deepEqual([again.status, again.body.number], [201, 2]);
    assert.deepEqual(
      [await counts(1), await counts(2)],
      [
        [1, 2],
        [1, 1],
      ],
    );
    const stranger = callerOf(pager, { role: 'viewer' });
    const refused = await api.send(stranger, path, { body: { alert_ids: [disk.id] } });
    assert.equal(refused.status, 403);
    assert.deepEqual(await pager.findings(), []);
  }));

test('incidents are found by each of their alerts, and name all integrations that received one', () =>
  withPager(async (pager) => {
    await using api = await seedIncidents(pager, []);
    const ada = callerOf(pager, { kind: 'session', id: pager.users['ada'] ?? '', name: 'Ada' });
    const listed = async (query: string) => {
      const { status, body } = await api.send(ada, `GET /incidents?${query}`);
      assert.equal(status, 200, JSON.stringify(body));
      return body.data.map(({ number }: { number: number }) => number);
    };
    const steps = [pager.step('ada')];
    const one = await pager.integration({ steps, grouping: { by: ['service'] } });
    const other = await pager.integration({ steps });
    await pager.trigger(one, { title: 'Disk is full', dedup_key: 'disk-1' });
    await pager.trigger(one, { title: 'Load is HIGH', dedup_key: 'load-1' });
    await pager.at('09:01');
    await pager.trigger(other, { title: 'Queue is long', dedup_key: 'queue-1' });
    await api.send(ada, 'POST /incidents', {
      body: { title: 'By hand', service_id: one.serviceId, escalation_policy_id: one.policyId },
    });
    assert.deepEqual(await listed('q=is+high'), [1]);
    assert.deepEqual(await listed('q=LOAD-1&status=open'), [1]);
    assert.deepEqual(await listed('q=load-2'), []);
    assert.deepEqual(await listed('alert_dedup_key=load-1'), [1]);
    assert.deepEqual(await listed('dedup_key=load-1'), []);
    assert.deepEqual(await listed(`alert_integration_id=${one.id}`), [1]);
    assert.deepEqual(await listed(`alert_integration_id=${other.id}`), [2]);
    const [, , third] = (await api.send(ada, 'GET /incidents')).body.data.toReversed();
    assert.deepEqual(await listed(`alert_dedup_key=${third.dedup_key}`), [], 'it has no alert');

    const read = async (number: number) =>
      (await api.send(ada, `GET /incidents/${number}?include=names`)).body;
    assert.equal((await read(1)).alert_integration_ids, undefined);
    await pager.does(2, { type: 'merge', intoId: await pager.idOf(1) });
    assert.deepEqual(await listed(`alert_integration_id=${other.id}&status=open`), [1]);
    assert.deepEqual(await listed('q=queue+is+long&status=open'), [1]);
    const pair = (id: string, key: string) => `alert_integration_id=${id}&alert_dedup_key=${key}`;
    assert.deepEqual(await listed(`${pair(other.id, 'queue-1')}&status=open`), [1]);
    assert.deepEqual(await listed(pair(other.id, 'load-1')), [], 'no alert has both');
    const { alert_integration_ids, names } = await read(1);
    assert.deepEqual(alert_integration_ids, [one.id, other.id]);
    assert.ok(names[one.id] && names[other.id], JSON.stringify(names));
  }));
