import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callerOf, seedIncidents } from '../../../test/incident-api.ts';
import { withPager } from '../../../test/stories/story.ts';

test('a list brings the counts of its teams, whatever else narrows it', () =>
  withPager(async (pager) => {
    await using api = await seedIncidents(pager);
    await pager.does(1, { type: 'acknowledge' });
    const listed = async (query: string, teamIds: readonly string[] | null = null) => {
      const caller = callerOf(pager, { role: 'viewer', teamIds });
      return (await api.send(caller, `GET /incidents?${query}`)).body;
    };
    const [ops, core] = [pager.placeOf('ops').teamId, pager.placeOf('core').teamId];
    const one = { triggered: 1, acknowledged: 1, resolved: 0, complete: true };
    const none = { ...one, triggered: 0, acknowledged: 0 };
    assert.equal('counts' in (await listed('include=names,next')), false);
    const narrowed = `include=counts&status=resolved&limit=1&team_id=${ops}`;
    const { counts, data } = await listed(narrowed);
    assert.deepEqual([counts, data], [one, []]);
    assert.deepEqual((await listed(`include=counts&team_id=${core}`)).counts, none);
    assert.deepEqual((await listed('include=counts', [core])).counts, none);
  }));

test('the counts are of the teams of the caller, and of the last day', () =>
  withPager(async (pager) => {
    await using api = await seedIncidents(pager);
    const counts = async (query = '', teamIds: readonly string[] | null = null) => {
      const caller = callerOf(pager, { role: 'viewer', teamIds });
      return (await api.send(caller, `GET /incidents/counts${query}`)).body;
    };
    await pager.does(1, { type: 'acknowledge' });
    const one = { triggered: 1, acknowledged: 1, resolved: 0, complete: true };
    const none = { ...one, triggered: 0, acknowledged: 0 };
    const [ops, core] = [pager.placeOf('ops').teamId, pager.placeOf('core').teamId];
    assert.deepEqual(await counts(), one);
    assert.deepEqual(await counts(`?team_id=${ops}`), one);
    assert.deepEqual(await counts(`?team_id=${core}`), none);
    assert.deepEqual(await counts(`?team_id=${core},${ops}`), one);
    assert.deepEqual(await counts(`?team_id=${core},${ops}`, [core]), none);
    assert.deepEqual(await counts('', [core]), none);
    await pager.does(1, { type: 'resolve' });
    assert.deepEqual(await counts(), { ...one, acknowledged: 0, resolved: 1 });
    await pager.sql`update incidents set resolved_at = resolved_at - interval '25 hours'`;
    assert.deepEqual(await counts(), { ...one, acknowledged: 0 });
  }));
