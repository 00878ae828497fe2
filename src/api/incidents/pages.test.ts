import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callerOf, seedIncidents } from '../../../test/incident-api.ts';
import { type Pager, withPager } from '../../../test/stories/story.ts';
import type { Role } from '../../resources/roles.ts';

type Listed = { readonly incident_number: number; readonly recipient: string };

/** INC-1 and INC-2 of one team page Ada, INC-3 of another pages Lin, and a chat. */
async function withPages(
  run: (pager: Pager, api: Awaited<ReturnType<typeof seedIncidents>>) => Promise<void>,
): Promise<void> {
  await withPager(async (pager) => {
    await using api = await seedIncidents(pager, ['one', 'two']);
    const core = pager.placeOf('core');
    const on = await pager.integration({ steps: [pager.step('lin')] }, core);
    await pager.trigger(on, { title: '=three' });
    await pager.work();
    await pager.sql`
      insert into outbox (organization_id, key, incident_id, kind, channel, recipient_key, notice,
        cycle, step, rank, state, reason, attempts, created_at)
      select o.organization_id, o.key || '/chat', o.incident_id, 'page', 'slack', 'slack',
        '{"address": {"sealed": "never shown"}, "recipient": "#ops"}', 0, -1, 1, 'failed', 'away', 0,
        o.created_at
      from outbox o join incidents i on i.id = o.incident_id and i.number = 3`;
    await run(pager, api);
  });
}

const person = (pager: Pager, name: string, role: Role) =>
  callerOf(pager, { kind: 'session', id: pager.users[name] ?? name, role });

test('everybody finds the pages that they may read, newest first', () =>
  withPages(async (pager, api) => {
    const { ops = '', core = '' } = {
      ops: pager.placeOf('ops').teamId,
      core: pager.placeOf('core').teamId,
    };
    const key = (role: Role, teamIds: readonly string[] | null) =>
      callerOf(pager, { role, teamIds });
    const all = ['3 #ops', '3 lin Example', '2 ada Example', '1 ada Example'];
    const rows: readonly (readonly [string, ReturnType<typeof callerOf>, readonly string[]])[] = [
      ['a viewer, of their own', person(pager, 'ada', 'viewer'), all.slice(2)],
      ['a responder, of their own', person(pager, 'lin', 'responder'), [all[1] ?? '']],
      ['a manager, of their team', person(pager, 'eve', 'manager'), all.slice(2)],
      ['a manager, also their own', person(pager, 'lin', 'manager'), all.slice(1)],
      ['an admin, all', person(pager, 'boss', 'admin'), all],
      ['a key, all', key('manager', null), all],
      ['a key of a team, of that', key('manager', [core]), all.slice(0, 2)],
      ['a key of an admin in a team, of that', key('admin', [ops]), all.slice(2)],
      ['a key without teams, nothing', key('owner', []), []],
    ];
    for (const [title, caller, wanted] of rows) {
      const { status, body } = await api.send(caller, 'GET /pages');
      assert.equal(status, 200, `${title}: ${JSON.stringify(body)}`);
      const seen = body.data.map((one: Listed) => `${one.incident_number} ${one.recipient}`);
      assert.deepEqual(seen.toSorted(), [...wanted].toSorted(), title);
      const counted = (await api.send(caller, 'GET /pages/counts')).body.data.at(-1);
      const states = ['pending', 'sent', 'failed', 'cancelled'];
      const total = states.reduce((sum, state) => sum + counted[state], 0);
      assert.equal(total, wanted.length, title);
    }
    for (const role of ['viewer', 'responder'] as const)
      assert.equal((await api.send(key(role, null), 'GET /pages')).status, 403, role);
    const others = `GET /pages?user_id=${pager.users['lin']}`;
    assert.equal((await api.send(person(pager, 'ada', 'responder'), others)).status, 403);
    assert.deepEqual((await api.send(person(pager, 'eve', 'manager'), others)).body.data, []);
  }));

test('a page says of which incident and step it is, and where it went, masked', () =>
  withPages(async (pager, api) => {
    const boss = person(pager, 'boss', 'admin');
    const { body } = await api.send(boss, 'GET /pages?incident=1');
    const [page, ...more] = body.data;
    assert.equal(more.length, 0);
    const { incident_title, service, step, kind, channel, state, attempts } = page;
    assert.deepEqual(
      [incident_title, typeof service, step, kind, channel, state],
      ['one', 'string', 1, 'page', 'email', 'sent'],
    );
    assert.match(attempts[0].contact, /^a…@\w+\.test$/);
    const chats = await api.send(boss, 'GET /pages?channel=slack');
    assert.equal('step' in chats.body.data[0], false);
    assert.equal(JSON.stringify(chats.body).includes('never shown'), false);
  }));

test('each filter narrows the list and its counts', () =>
  withPages(async (pager, api) => {
    const boss = person(pager, 'boss', 'admin');
    const id = await pager.idOf(2);
    const rows: readonly (readonly [string, number])[] = [
      [`user_id=${pager.users['ada']}`, 2],
      [`incident=${id}`, 1],
      ['incident=3', 2],
      ['incident=9999999999', 0],
      ['channel=email', 3],
      ['channel=email&incident=3', 1],
      ['state=failed', 1],
      ['state=failed,sent', 4],
      ['from=2026-03-02T09:00:00Z', 4],
      ['from=2026-03-02T09:00:01Z&to=2026-03-03T00:00:00Z', 0],
      ['to=2026-03-02T09:00:00Z', 0],
    ];
    for (const [query, wanted] of rows) {
      const { body } = await api.send(boss, `GET /pages?${query}`);
      assert.equal(body.data.length, wanted, query);
      const to = query.includes('to=') ? '' : '&to=2026-03-03T00:00:00Z';
      const counted = (await api.send(boss, `GET /pages/counts?${query}${to}`)).body;
      const total = counted.data.reduce(
        (sum: number, one: Record<string, number>) =>
          sum + (one['sent'] ?? 0) + (one['failed'] ?? 0),
        0,
      );
      assert.equal(total, wanted, `counts of ${query}`);
      assert.equal(counted.complete, true);
    }
  }));

test('what a list or a count cannot be narrowed by is refused at its name', () =>
  withPages(async (pager, api) => {
    const boss = person(pager, 'boss', 'admin');
    const refused: readonly (readonly [string, string])[] = [
      ['pages?user_id=ada', 'user_id'],
      ['pages?channel=fax', 'channel'],
      ['pages?incident=INC-1', 'incident'],
      ['pages?state=lost', 'state'],
      ['pages?from=yesterday', 'from'],
      ['pages?from=2026-03-02T09:00:00Z&to=2026-03-02T09:00:00Z', 'to'],
      ['pages?cursor=nonsense', 'cursor'],
      ['pages?format=xml', 'format'],
      ['pages/counts?from=2025-01-01T00:00:00Z', 'to'],
      ['pages/counts?timezone=Mars/Base', 'timezone'],
    ];
    for (const [path, at] of refused) {
      const { status, body } = await api.send(boss, `GET /${path}`);
      assert.deepEqual([status, body.issues?.[0]?.path], [422, at], path);
    }
  }));

test('pages are counted on the days of a time zone', () =>
  withPages(async (pager, api) => {
    const boss = person(pager, 'boss', 'admin');
    const days = async (query: string) => {
      const { body } = await api.send(boss, `GET /pages/counts?${query}`);
      return body.data.map(({ date, sent }: { date: string; sent: number }) => `${date} ${sent}`);
    };
    const all = await days('');
    assert.deepEqual([all.length, all.at(-1)], [30, '2026-03-02 3']);
    const span = 'from=2026-03-01T20:00:00Z&to=2026-03-02T20:00:00Z';
    assert.deepEqual(await days(span), ['2026-03-01 0', '2026-03-02 3']);
    assert.deepEqual(await days(`${span}&timezone=Pacific/Kiritimati`), [
      '2026-03-02 3',
      '2026-03-03 0',
    ]);
  }));

test('the list is a CSV file too, whose cells run nothing, and which says where it goes on', () =>
  withPages(async (pager, api) => {
    const boss = person(pager, 'boss', 'admin');
    const read = async (query: string) => {
      const { status, body, headers } = await api.send(boss, `GET /pages?format=csv${query}`);
      assert.equal(status, 200);
      assert.equal(headers['content-type'], 'text/csv; charset=utf-8');
      assert.equal(headers['content-disposition'], 'attachment; filename="pages.csv"');
      return { lines: body.trimEnd().split('\r\n'), link: headers['link'] };
    };
    const { lines, link } = await read('');
    assert.equal(lines.length, 5);
    assert.equal(link, undefined);
    assert.match(lines[0], /^created_at,finished_at,incident_number,incident_title,service,/);
    assert.equal(lines.filter((line: string) => line.includes("'=three")).length, 2);
    assert.ok(lines.some((line: string) => /,a…@\w+\.test,/.test(line)));
    const first = await read('&limit=3');
    assert.equal(first.lines.length, 4);
    const [, rest = ''] = /^<\/api\/v1\/pages\?(.*)>; rel="next"$/.exec(String(first.link)) ?? [];
    const { body } = await api.send(boss, `GET /pages?${rest}`);
    assert.equal(body.trimEnd().split('\r\n').length, 2);
  }));
