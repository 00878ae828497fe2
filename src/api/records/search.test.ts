import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testApi } from '../../../test/api.ts';
import { callerOf } from '../../../test/incident-api.ts';
import { withPager } from '../../../test/stories/story.ts';
import { searchRoute } from './search.ts';

test('incidents, records, teams and people are searched by name, within the teams of the caller', () =>
  withPager(async (pager) => {
    const { sql, clock } = pager;
    const publicUrl = 'https://pager.test';
    await using api = await testApi({ sql, clock, routes: [searchRoute({ sql, publicUrl })] });
    const on = await pager.integration({ steps: [pager.step('ada')] });
    for (const title of ['Disk full', 'Shop is slow', 'Node 1 is down'])
      await pager.trigger(on, { title });
    const { teamId: ops } = pager.placeOf('ops');
    const { teamId: core } = pager.placeOf('core');
    await pager.integration({ steps: [pager.step('ada')] }, pager.placeOf('core'));
    const search = async (q: string, teamIds: readonly string[] | null = null) => {
      const caller = callerOf(pager, { role: 'viewer', teamIds });
      const { status, body } = await api.send(caller, `GET /search?q=${encodeURIComponent(q)}`);
      assert.equal(status, 200, JSON.stringify(body));
      return [
        body.incidents.map(({ number }: { number: number }) => number),
        body.records.map(({ type, name }: { type: string; name: string }) => `${type} ${name}`),
      ];
    };
    const shops = ['service Shop', 'service Shop'];
    assert.deepEqual(await search('SHOP'), [[2], shops]);
    assert.deepEqual(await search('shop', [ops]), [[2], ['service Shop']]);
    assert.deepEqual(await search('shop', [core]), [[], ['service Shop']]);
    assert.deepEqual(await search('INC-1'), [[1], []]);
    assert.deepEqual(await search('1'), [[1, 3], []]);
    assert.deepEqual(await search('1', [core]), [[], []]);
    assert.deepEqual(await search('ops', [ops]), [[], ['escalation_policy Ops', 'team ops']]);
    assert.deepEqual(await search('ada'), [[], ['user ada Example']]);
    assert.deepEqual(await search('stranger'), [[], []]);
    await sql`update integrations set name = null`;
    const all = await sql<{ counter: number }[]>`
      select counter from integrations where organization_id = ${pager.scope.organizationId}
      order by counter`;
    const [, nameless] = await search('webhook integration');
    const named = all.map(({ counter }) => `integration webhook integration ${counter}`);
    assert.deepEqual(nameless, named);
    await sql`update services set archived_at = now()`;
    assert.deepEqual(await search('shop'), [[2], []]);
    await sql`update users set active = false where first_name = 'lin'`;
    const { body } = await api.send(callerOf(pager), 'GET /search?q=li&archived=true');
    const matches = body.records.map(({ name, archived }: Record<string, unknown>) => [
      name,
      archived,
    ]);
    assert.deepEqual(matches, [['lin Example', true]]);
    assert.deepEqual(await search('li'), [[], []]);
    assert.deepEqual(await search('%'), [[], []]);
  }));

test('a search needs a text', () =>
  withPager(async (pager) => {
    const { sql, clock } = pager;
    await using api = await testApi({ sql, clock, routes: [searchRoute({ sql, publicUrl: '' })] });
    for (const query of ['', '?q=']) {
      const { status, body } = await api.send(callerOf(pager), `GET /search${query}`);
      assert.deepEqual([status, body.issues[0].path], [422, 'q']);
    }
  }));
