import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callerOf, seedIncidents } from '../../../test/incident-api.ts';
import { withPager } from '../../../test/stories/story.ts';

test('a person reads the pages to them, newest first, with contacts shortened', () =>
  withPager(async (pager) => {
    const { sql } = pager;
    await using api = await seedIncidents(pager, ['one', 'two', 'three']);
    await pager.work();
    await sql`update outbox set notice =
      (notice::jsonb || '{"address": "ada@example.com"}'::jsonb)::json`;
    const [ada] = await sql<{ id: string }[]>`select distinct user_id as id from outbox`;
    assert.ok(ada);
    const path = `/users/${ada.id}/pages`;
    const self = callerOf(pager, { kind: 'session', id: ada.id, role: 'viewer' });
    const read = async (query: string) => {
      const { status, body } = await api.send(self, `GET ${path}?${query}`);
      assert.equal(status, 200, JSON.stringify(body));
      return body;
    };
    const all = await read('');
    assert.deepEqual(
      all.data.map((one: { incident_number: number }) => one.incident_number),
      [3, 2, 1],
    );
    assert.equal(all.next_cursor, null);
    const [{ state, kind, attempts }] = all.data;
    assert.deepEqual([state, kind, attempts[0].contact], ['sent', 'page', 'a…@example.com']);
    const numbers: number[] = [];
    for (let cursor = ''; cursor !== null; ) {
      const page = await read(`limit=1${cursor && `&cursor=${cursor}`}`);
      numbers.push(...page.data.map((one: { incident_number: number }) => one.incident_number));
      cursor = page.next_cursor;
    }
    assert.deepEqual(numbers, [3, 2, 1]);

    const status = async (fields: Parameters<typeof callerOf>[1], query = '') =>
      (await api.send(callerOf(pager, fields), `GET ${path}${query}`)).status;
    assert.equal(await status({ role: 'admin' }), 200);
    assert.equal(await status({ role: 'manager' }), 403);
    assert.equal(await status({ role: 'admin', teamIds: [] }), 403);
    for (const cursor of ['nonsense', `1.${Buffer.from('a\0').toString('base64url')}`])
      assert.equal(await status({ role: 'admin' }, `?cursor=${cursor}`), 422, cursor);
  }));
