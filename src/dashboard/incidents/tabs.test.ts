import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageOf, queryOf, resolvedOf, tabOf } from './tabs.ts';

const everywhere = { team: undefined, text: undefined, filters: {} };
const urgent = { status: 'open', sort: 'urgency' };
const include = 'names,next,handled_by,counts';

test('each tab asks the API for its own incidents', () => {
  assert.deepEqual(queryOf({ tab: 'open', ...everywhere }, 'ada'), { ...urgent, include });
  assert.deepEqual(queryOf({ tab: 'mine', ...everywhere }, 'ada'), {
    ...urgent,
    involves: 'ada',
    include: 'names,next,handled_by',
  });
  const resolved = queryOf({ tab: 'resolved', ...everywhere }, 'ada');
  assert.deepEqual(resolved, { status: 'resolved', include });
  assert.deepEqual(queryOf({ tab: 'all', ...everywhere }, 'ada'), { include });
});

test('the first page of a list has the counts', () => {
  const query = queryOf({ tab: 'open', ...everywhere }, 'ada') ?? {};
  assert.equal(pageOf(query, null)['include'], include);
  assert.deepEqual(pageOf(query, '7'), {
    ...urgent,
    include: 'names,next,handled_by',
    limit: '50',
    cursor: '7',
  });
});

test('nothing is requested before it is known who reads, and so for which teams', () => {
  assert.equal(queryOf({ tab: 'mine', ...everywhere }, undefined), null);
  assert.equal(queryOf({ tab: 'open', ...everywhere }, undefined), null);
});

test('a team, a text and filters narrow every tab', () => {
  const query = queryOf(
    { tab: 'all', team: 't', text: 'disk', filters: { priority: 'p1' } },
    'ada',
  );
  assert.deepEqual(query, { team_id: 't', q: 'disk', priority: 'p1', include });
});

test('what of an open list has been resolved is asked for as that list is', () => {
  const scope = { ...everywhere, team: 't', filters: { priority: 'p1' } };
  assert.deepEqual(resolvedOf({ ...scope, tab: 'mine' }, 'ada'), {
    status: 'resolved',
    team_id: 't',
    priority: 'p1',
    involves: 'ada',
    include: 'names,next,handled_by',
  });
  assert.equal(resolvedOf({ ...scope, tab: 'open' }, undefined), null);
});

test('a tab that there is not is that of the open ones', () => {
  assert.equal(tabOf('everything'), 'open');
  assert.equal(tabOf(undefined), 'open');
  assert.equal(tabOf('mine'), 'mine');
});
