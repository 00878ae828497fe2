import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callerOf, seedIncidents } from '../../../test/incident-api.ts';
import { type Pager, withPager } from '../../../test/stories/story.ts';

const asUser = (pager: Pager, name: string, role: 'viewer' | 'responder' = 'responder') =>
  callerOf(pager, { kind: 'session', id: pager.users[name] ?? name, name, role });

test('whoever may act on an incident says what it was once it is over, and says it anew', () =>
  withPager(async (pager) => {
    await using api = await seedIncidents(pager);
    const lin = asUser(pager, 'lin');
    const set = (verdict: unknown, caller = lin) =>
      api.send(caller, 'POST /incidents/1/verdict', { body: { verdict } });
    const open = await set('real');
    assert.equal(open.status, 409);
    assert.match(open.body.message, /INC-1 is not resolved yet/);
    await pager.does(1, { type: 'resolve' });
    const { teamId: core } = pager.placeOf('core');
    const refused: readonly (readonly [number, Awaited<ReturnType<typeof set>>])[] = [
      [403, await set('real', asUser(pager, 'eve', 'viewer'))],
      [404, await set('real', callerOf(pager, { role: 'responder', teamIds: [core] }))],
      [422, await set('noise')],
    ];
    for (const [status, answer] of refused) assert.equal(answer.status, status);
    assert.equal(refused[2]?.[1].body.issues[0].path, 'verdict');

    await pager.at('09:30');
    const done = await set('false_alarm');
    assert.equal(done.status, 200);
    const { verdict, verdict_by, verdict_at } = (await api.send(lin, 'GET /incidents/1')).body;
    assert.deepEqual([done.body.verdict, verdict], ['false_alarm', 'false_alarm']);
    assert.deepEqual([verdict_by.name, verdict_by.id], ['lin', pager.users['lin']]);
    assert.equal(verdict_at, '2026-03-02T09:30:00.000Z');
    await set('real', asUser(pager, 'ada'));
    const { body } = await api.send(lin, 'GET /incidents/1/timeline?order=desc&limit=2');
    assert.deepEqual(
      body.data.map(({ type, text }: Record<string, string>) => [type, text]),
      [
        ['verdict', 'ada set the verdict to real'],
        ['verdict', 'lin set the verdict to false alarm'],
      ],
    );
    const removed = (await set(null)).body;
    assert.deepEqual(
      [removed.verdict, removed.verdict_by, removed.verdict_at],
      [undefined, undefined, undefined],
    );
    const ids = [await pager.idOf(1), await pager.idOf(2)];
    const many = await api.send(lin, 'POST /incidents/verdict', {
      body: { ids, verdict: 'unclear' },
    });
    assert.deepEqual(
      many.body.results.map(({ result }: Record<string, string>) => result),
      ['done', 'refused'],
    );
  }));

test('a list is narrowed by verdicts; what is open or was merged is in none of them', () =>
  withPager(async (pager) => {
    await using api = await seedIncidents(pager);
    const on = await pager.integration({ steps: [pager.step('ada')] });
    for (const title of ['three', 'four', 'five']) await pager.trigger(on, { title });
    for (const number of [1, 2, 3]) await pager.does(number, { type: 'resolve' });
    await pager.does(4, { type: 'merge', intoId: await pager.idOf(5) });
    await pager.does(1, { type: 'set_verdict', to: 'false_alarm' });
    await pager.does(2, { type: 'set_verdict', to: 'real' });
    const listed = async (query: string) => {
      const { status, body } = await api.send(callerOf(pager), `GET /incidents?${query}`);
      assert.equal(status, 200, JSON.stringify(body));
      return body.data.map(({ number }: { number: number }) => number);
    };
    assert.deepEqual(await listed('verdict=false_alarm'), [1]);
    assert.deepEqual(await listed('verdict=false_alarm,none'), [3, 1]);
    assert.deepEqual(await listed('verdict=none&status=open'), []);
    assert.deepEqual(await listed('verdict=real,unclear,nothing_to_do'), [2]);
    await pager.does(1, { type: 'reopen' });
    assert.deepEqual(await listed('verdict=false_alarm'), []);
    const wrong = await api.send(callerOf(pager), 'GET /incidents?verdict=noise');
    assert.deepEqual([wrong.status, wrong.body.issues[0].path], [422, 'verdict']);
  }));

test('who resolved an incident is asked; if no person did, who acknowledged it; else who was paged', () =>
  withPager(async (pager) => {
    await using api = await seedIncidents(pager, []);
    const { ada = '', lin = '' } = pager.users;
    const on = await pager.integration({ steps: [pager.step('ada')] });
    const does = async (name: string, number: number, action: string) => {
      const answer = await api.send(asUser(pager, name), `POST /incidents/${number}/${action}`, {});
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
    };
    const ends = (key: string) => pager.trigger(on, { dedup_key: key, status: 'resolved' });
    const expectedFrom = async (id: string) => {
      const path = `GET /incidents?verdict_expected_from=${id}`;
      const { status, body } = await api.send(asUser(pager, 'eve'), path);
      assert.equal(status, 200, JSON.stringify(body));
      return body.data.map(({ number }: { number: number }) => number);
    };
    for (const key of ['1', '2', '3', '4']) await pager.trigger(on, { dedup_key: key, title: key });
    await pager.work();
    // Nobody acted: Ada was paged.
    await ends('1');
    // Lin acknowledged it before the tool ended it.
    await does('lin', 2, 'acknowledge');
    await ends('2');
    // Ada acknowledged it, and Lin ended it.
    await does('ada', 3, 'acknowledge');
    await does('lin', 3, 'resolve');
    // It goes on.
    await does('ada', 4, 'acknowledge');
    await pager.work();
    assert.deepEqual([await expectedFrom(ada), await expectedFrom(lin)], [[1], [3, 2]]);
    // The tool ends what Lin had ended before: who acknowledged it is asked.
    await does('lin', 3, 'reopen');
    await ends('3');
    await pager.work();
    assert.deepEqual([await expectedFrom(ada), await expectedFrom(lin)], [[3, 1], [2]]);
    // Anybody's answer is enough.
    await pager.does(1, { type: 'set_verdict', to: 'unclear' });
    assert.deepEqual(await expectedFrom(ada), [3]);
  }));

test('a list is narrowed to the incidents that a routing rule acted on', () =>
  withPager(async (pager) => {
    await using api = await seedIncidents(pager, []);
    const on = await pager.integration({ steps: [pager.step('ada')] });
    await pager.trigger(on, { title: 'before the rule' });
    const actions = [{ type: 'priority', priority: 'p4' }] as const;
    const rule = await pager.rule({ integration_ids: [on.id], actions });
    await pager.trigger(on, { title: 'after the rule' });
    const { body } = await api.send(callerOf(pager), `GET /incidents?rule_id=${rule}`);
    assert.deepEqual(
      body.data.map(({ title }: { title: string }) => title),
      ['after the rule'],
    );
  }));
