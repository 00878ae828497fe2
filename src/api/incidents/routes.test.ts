import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callerOf, seedIncidents } from '../../../test/incident-api.ts';
import { withPager } from '../../../test/stories/story.ts';
import type { Role } from '../../resources/roles.ts';

test('a notice tells when each attempt began and ended, in UTC with milliseconds', () =>
  withPager(async (pager) => {
    await using api = await seedIncidents(pager);
    pager.answers.set('ada', { outcome: 'failed', reason: 'no such mailbox' });
    await pager.work();
    const answer = await api.send(callerOf(pager), 'GET /incidents/1/notices');
    const [{ attempts, ...notice }] = answer.body.data;
    const at = '2026-03-02T09:00:00.000Z';
    assert.deepEqual([notice.state, notice.finished_at], ['failed', at]);
    assert.deepEqual(attempts, [
      {
        number: 1,
        claimed_at: at,
        finished_at: at,
        outcome: 'failed',
        blame: null,
        reason: 'no such mailbox',
        answer: null,
        contact: null,
        connection: null,
        receipt: null,
      },
    ]);
  }));

test('incidents are listed by what they are, and no unknown status is taken for one', () =>
  withPager(async (pager) => {
    await using api = await seedIncidents(pager);
    await pager.does(2, { type: 'acknowledge' });
    const list = (query: string) => api.send(callerOf(pager), `GET /incidents?${query}`);
    const listed = async (query: string) => {
      const { body } = await list(query);
      return body.data.map(({ number }: { number: number }) => number);
    };
    assert.deepEqual(await listed('status=triggered&dedup_key=one'), [1]);
    const open = await listed('status=open');
    assert.deepEqual([open.includes(1), open.includes(2)], [true, true]);
    await pager.does(2, { type: 'resolve' });
    assert.deepEqual(
      await listed('status=open'),
      open.filter((number: number) => number !== 2),
    );
    const wrong = await list('status=closed&team_id=ops');
    assert.deepEqual(
      wrong.body.issues.map(({ path }: { path: string }) => path),
      ['status', 'team_id'],
    );
  }));

test('a list is narrowed by several statuses and priorities, by text, people and times', () =>
  withPager(async (pager) => {
    await using api = await seedIncidents(pager);
    const { ada = '', lin = '' } = pager.users;
    await pager.does(1, { type: 'set_priority', to: 'p2' });
    await pager.does(2, { type: 'add_responder', user: { id: ada, name: 'Ada' } });
    await pager.at('10:00');
    const on = await pager.integration({ steps: [pager.step('lin')] });
    await pager.trigger(on, { title: 'Disk 100% full', dedup_key: 'db-12' });
    await pager.does(3, { type: 'acknowledge' });
    await pager.does(3, { type: 'set_priority', to: 'p1' });
    await pager.does(2, { type: 'resolve' });
    const listed = async (query: string, caller = callerOf(pager)) => {
      const { status, body } = await api.send(caller, `GET /incidents?${query}`);
      assert.equal(status, 200, JSON.stringify(body));
      return body.data.map(({ number }: { number: number }) => number);
    };
    assert.deepEqual(await listed('status=triggered,acknowledged'), [3, 1]);
    assert.deepEqual(await listed('status=resolved,triggered'), [2, 1]);
    assert.deepEqual(await listed('priority=p1,p2'), [3, 1]);
    assert.deepEqual(await listed('priority=p1,p2&status=open,resolved&q=DISK'), [3]);
    assert.deepEqual(await listed('q=100%25+f'), [3]);
    assert.deepEqual(await listed('q=DB-1'), [3]);
    assert.deepEqual(await listed('q=100_'), []);
    assert.deepEqual(await listed(`responder_id=${ada}`), [2]);
    assert.deepEqual(await listed(`responder_id=${lin}`), []);
    assert.deepEqual(await listed('from=2026-03-02T10:00:00Z'), [3]);
    assert.deepEqual(await listed('to=2026-03-02T10:00:00Z'), [2, 1]);
    assert.deepEqual(await listed('from=2026-03-02T09:30:00Z&to=2026-03-02T10:00:00Z'), []);
    assert.deepEqual(await listed('resolved_from=2026-03-02T09:30:00Z'), [2]);
    assert.deepEqual(await listed('sort=urgency'), [1, 3]);
    const { teamId } = pager.placeOf('core');
    assert.deepEqual(await listed('sort=urgency', callerOf(pager, { teamIds: [teamId] })), []);
  }));

test('the pages of each order follow one another, and a cursor is of its order', () =>
  withPager(async (pager) => {
    await using api = await seedIncidents(pager);
    await pager.does(2, { type: 'acknowledge' });
    const page = async (query: string) =>
      (await api.send(callerOf(pager), `GET /incidents?limit=1&${query}`)).body;
    for (const [sort, numbers] of [
      ['newest', [2, 1]],
      ['urgency', [1, 2]],
    ] as const) {
      const first = await page(`sort=${sort}`);
      const second = await page(`sort=${sort}&cursor=${first.next_cursor}`);
      assert.deepEqual([first.data[0].number, second.data[0].number], numbers);
      assert.equal(second.next_cursor, null);
      const other = sort === 'newest' ? 'urgency' : 'newest';
      const wrong = await page(`sort=${other}&cursor=${first.next_cursor}`);
      assert.deepEqual(
        wrong.issues?.map(({ path }: { path: string }) => path),
        ['cursor'],
      );
    }
  }));

test('a list has the names of what its incidents refer to, within the teams of the caller', () =>
  withPager(async (pager) => {
    await using api = await seedIncidents(pager);
    const { ada = '' } = pager.users;
    await pager.does(1, { type: 'add_responder', user: { id: ada, name: 'Ada' } });
    const namesFor = async (teamIds: readonly string[] | null) => {
      const caller = callerOf(pager, { role: 'viewer', teamIds });
      const { body } = await api.send(caller, 'GET /incidents?include=names');
      return Object.values(body.names).sort();
    };
    const { teamId: ops } = pager.placeOf('ops');
    const { teamId: core } = pager.placeOf('core');
    const all = await namesFor(null);
    assert.deepEqual([all.includes('Shop'), all.includes('Checks'), all.length], [true, true, 5]);
    assert.deepEqual(await namesFor([ops]), all);
    assert.deepEqual(await namesFor([core]), []);
    await pager.sql`update integrations set name = null`;
    assert.match((await namesFor([ops])).join(), /webhook integration \d/);
    await pager.sql`update services set team_id = ${core}`;
    assert.equal((await namesFor([ops])).includes('Shop'), false);
    assert.equal((await api.send(callerOf(pager), 'GET /incidents')).body.names, undefined);
  }));

test('what cannot be read of an incident hides nothing but what happens next to it', () =>
  withPager(async (pager) => {
    await using api = await seedIncidents(pager);
    await pager.sql`update incidents set escalation = '{}' where number = 1`;
    const on = await pager.integration({ steps: [pager.step('ada', 5), pager.step('lin')] });
    await pager.trigger(on, { title: 'disk' });
    const { status, body } = await api.send(callerOf(pager), 'GET /incidents?include=next');
    assert.deepEqual([status, body.data.length], [200, 3]);
    assert.deepEqual(Object.keys(body.next), [await pager.idOf(3)]);
    const [next] = Object.values(body.next) as { at: string; type: string }[];
    assert.deepEqual([next?.at, next?.type], ['2026-03-02T09:05:00.000Z', 'step']);
  }));

test('what is mine: I was paged, acknowledged it, or am a responder', () =>
  withPager(async (pager) => {
    await using api = await seedIncidents(pager);
    const { ada = '', lin = '' } = pager.users;
    await pager.work();
    const on = await pager.integration({ steps: [pager.step('lin')] });
    await pager.trigger(on, { title: 'three' });
    const involving = async (id: string, more = '') => {
      const { body } = await api.send(callerOf(pager), `GET /incidents?involves=${id}${more}`);
      return body.data.map(({ number }: { number: number }) => number);
    };
    assert.deepEqual(await involving(ada), [2, 1]);
    assert.deepEqual(await involving(lin), [3]);
    await pager.does(3, { type: 'add_responder', user: { id: ada, name: 'Ada' } });
    assert.deepEqual(await involving(ada, '&sort=urgency'), [3, 2, 1]);
    const asLin = callerOf(pager, { kind: 'session', id: lin, name: 'Lin' });
    assert.equal((await api.send(asLin, 'POST /incidents/1/acknowledge', {})).status, 200);
    assert.deepEqual(await involving(lin), [3, 1]);
    await api.send(asLin, 'POST /incidents/1/unacknowledge', {});
    assert.deepEqual(await involving(lin), [3]);
  }));

test('a list says how far paging has come, whom it reached, and who has each incident', () =>
  withPager(async (pager) => {
    await using api = await seedIncidents(pager);
    const { ada = '' } = pager.users;
    await pager.work();
    const nobody = await pager.integration({ steps: [{ targets: [] }] });
    await pager.trigger(nobody, { title: 'three' });
    await pager.work();
    await pager.does(2, { type: 'acknowledge' });
    await pager.at('09:10');
    const { body } = await api.send(callerOf(pager), 'GET /incidents?include=next,handled_by');
    const [one, two, three] = [await pager.idOf(1), await pager.idOf(2), await pager.idOf(3)];
    assert.deepEqual(body.paging, { [one]: 'unanswered', [three]: 'admins_only' });
    assert.deepEqual(body.reached[one], [{ user_id: ada, name: 'ada Example' }]);
    assert.equal(body.reached[three].length, 1);
    assert.deepEqual(Object.keys(body.handled_by), [two]);
    const { name, type, at } = body.handled_by[two];
    assert.deepEqual([name, type, at], ['Eve', 'user', '2026-03-02T09:00:00.000Z']);
    await pager.does(1, { type: 'resolve' });
    const after = await api.send(callerOf(pager), 'GET /incidents?include=handled_by');
    assert.equal(after.body.handled_by[one].at, '2026-03-02T09:10:00.000Z');
  }));

test('a list by urgency is of open incidents, and unknown values are named', () =>
  withPager(async (pager) => {
    await using api = await seedIncidents(pager);
    for (const [query, path] of [
      ['sort=urgency&status=open,resolved', 'sort'],
      ['status=open,closed', 'status'],
      ['priority=p1,', 'priority'],
      ['q=', 'q'],
      ['from=yesterday', 'from'],
    ] as const) {
      const { status, body } = await api.send(callerOf(pager), `GET /incidents?${query}`);
      assert.deepEqual([status, body.issues?.[0]?.path], [422, path], query);
    }
  }));

test('an incident that the engine cannot read is listed with the others', () =>
  withPager(async (pager) => {
    await using api = await seedIncidents(pager);
    await pager.sql`update incidents set escalation = '{}', steps = '{}' where number = 1`;
    const { status, body } = await api.send(callerOf(pager), 'GET /incidents');
    const numbers = body.data.map(({ number }: { number: number }) => number);
    assert.deepEqual([status, numbers.includes(1)], [200, true]);
  }));

test('of an incident that cannot be read it is said what is wrong', () =>
  withPager(async (pager) => {
    await using api = await seedIncidents(pager);
    await pager.sql`update incidents set steps = '{}' where number = 1`;
    const { status, body } = await api.send(callerOf(pager), 'GET /incidents/1');
    assert.equal(status, 500);
    assert.match(body.message, /^INC-1 is stored in a form that cannot be read: \S/);
    const [one, other] = [await pager.idOf(1), await pager.idOf(2)];
    const many = async (teamIds: readonly string[] | null) => {
      const caller = { ...callerOf(pager), teamIds };
      const answer = await api.send(caller, 'POST /incidents/acknowledge', {
        body: { ids: [one, other] },
      });
      return answer.body.results.map((each: { result: string; reason?: string }) => [
        each.result,
        each.reason?.replace(/: .*/, ''),
      ]);
    };
    assert.deepEqual(await many([pager.placeOf('core').teamId]), [
      ['not_found', undefined],
      ['not_found', undefined],
    ]);
    assert.deepEqual(await many(null), [
      ['refused', 'INC-1 is stored in a form that cannot be read'],
      ['done', undefined],
    ]);
  }));

test('incidents are named by their number where an id is taken', () =>
  withPager(async (pager) => {
    await using api = await seedIncidents(pager);
    const [one, other] = [await pager.idOf(1), await pager.idOf(2)];
    const send = (request: string, body: object) => api.send(callerOf(pager), request, { body });
    const many = await send('POST /incidents/acknowledge', { ids: [1, '2', 99] });
    assert.equal(many.status, 422, 'the number of none');
    const done = await send('POST /incidents/acknowledge', { ids: [1, '2'] });
    assert.deepEqual(
      done.body.results.map(({ id }: { id: string }) => id),
      [one, other],
    );
    const merged = await send('POST /incidents/2/merge', { into_id: 1 });
    assert.equal(merged.body.merged_into_id, one, JSON.stringify(merged.body));
  }));

test('a timeline is followed by the cursor of the last entry, repeats included', () =>
  withPager(async (pager) => {
    await using api = await seedIncidents(pager);
    const viewer = callerOf(pager, { role: 'viewer' });
    const read = async (after?: string) => {
      const query = after === undefined ? '' : `?cursor=${after}`;
      const { body } = await api.send(viewer, `GET /incidents/3/timeline${query}`);
      const entries: readonly { type: string; cursor: string }[] = body.data;
      return { types: entries.map(({ type }) => type), last: entries.at(-1)?.cursor };
    };
    const on = await pager.integration({ steps: [pager.step('ada')] });
    await pager.trigger(on, { title: 'disk' });
    await pager.work();
    const before = await read();
    assert.deepEqual(before.types, ['opened', 'step_ran', 'notice_sent']);
    assert.deepEqual((await read(before.last)).types, []);
    await pager.at('09:01');
    await pager.trigger(on, { title: 'disk' });
    const repeated = await read(before.last);
    assert.deepEqual(repeated.types, ['suppressed']);
    await pager.at('09:02');
    await pager.does(3, { type: 'acknowledge' });
    assert.deepEqual((await read(repeated.last)).types, ['acknowledged']);
  }));

test('a timeline is read from its end too, page by page, with the repeats in their places', () =>
  withPager(async (pager) => {
    await using api = await seedIncidents(pager);
    const on = await pager.integration({ steps: [pager.step('ada')] });
    await pager.trigger(on, { title: 'disk' });
    await pager.work();
    for (const hour of ['09:01', '09:03', '09:05']) {
      await pager.at(hour);
      await pager.trigger(on, { title: 'disk' });
      await pager.at(hour.replace(/.$/, (minute) => `${Number(minute) + 1}`));
      if (hour !== '09:05') await pager.does(3, { type: 'note', text: hour });
    }
    const read = async (query: string) =>
      (await api.send(callerOf(pager), `GET /incidents/3/timeline?${query}`)).body;
    type Entry = { readonly cursor: string; readonly type: string };
    const oldestFirst: readonly Entry[] = (await read('')).data;
    assert.equal(oldestFirst.filter(({ type }) => type === 'suppressed').length, 3);
    for (const limit of [1, 2, 3, 50]) {
      const pages: Entry[] = [];
      let cursor = '';
      do {
        const { data, next_cursor } = await read(`order=desc&limit=${limit}${cursor}`);
        pages.push(...data);
        cursor = next_cursor === null ? '' : `&cursor=${next_cursor}`;
      } while (cursor !== '');
      assert.deepEqual(pages, oldestFirst.toReversed(), `pages of ${limit}`);
    }
  }));

test('secrets in the query of a stored event are for managers', () =>
  withPager(async (pager) => {
    await using api = await seedIncidents(pager);
    const { sql, scope } = pager;
    const [{ id } = { id: '' }] = await sql<{ id: string }[]>`select id from integrations limit 1`;
    await sql`
      insert into events (organization_id, id, integration_id, received_at, source, path, method,
        query, content_type, body, body_encoding, outcome, decided_at)
      values (${scope.organizationId}, ${'e'.repeat(24)}, ${id}, ${pager.clock.now()}, 'http', '',
        'POST', 'token=abc&env=prod', 'application/json', '{}', 'utf-8', 'ignored', now())`;
    const shownTo = async (role: Role) => {
      const { body } = await api.send(callerOf(pager, { role }), `GET /integrations/${id}/events`);
      return body.data[0].query;
    };
    assert.equal(await shownTo('viewer'), 'token=•••&env=prod');
    assert.equal(await shownTo('responder'), 'token=•••&env=prod');
    assert.equal(await shownTo('manager'), 'token=abc&env=prod');
  }));

test('an event names its incidents as far as the reader sees them', () =>
  withPager(async (pager) => {
    await using api = await seedIncidents(pager);
    const { sql } = pager;
    const on = await pager.integration({ steps: [pager.step('ada')] });
    await pager.trigger(on, { title: 'Disk full' });
    await pager.work();
    const [incident] = await sql<{ number: number; team_id: string; integration_id: string }[]>`
      select number, team_id, integration_id from incidents where title = 'Disk full'`;
    const caller = callerOf(pager, { teamIds: [incident?.team_id ?? ''] });
    const read = async () => {
      const path = `/integrations/${incident?.integration_id}/events`;
      const [{ alerts }] = (await api.send(caller, `GET ${path}`)).body.data;
      return [alerts[0].incident_number, alerts[0].incident_title];
    };
    assert.deepEqual(await read(), [incident?.number, 'Disk full']);
    await sql`update incidents set team_id = reverse(team_id) where title = 'Disk full'`;
    assert.deepEqual(await read(), [undefined, undefined], 'it is now of another team');
  }));
