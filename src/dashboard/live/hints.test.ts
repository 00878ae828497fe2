import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeOf, staleAfter } from './hints.ts';

test('what has changed is asked for again, each question once', () => {
  const changes = ['incident', 'organization', 'incident', 'team'].map((type) => ({ type }));
  const keys = [
    ...['incidents', 'integrations', 'session', 'channels', 'channel-connections', 'attention'],
    ...['teams', 'users', 'search'],
  ];
  assert.deepEqual(
    staleAfter(changes),
    keys.map((key) => [key]),
  );
});

test('a changed person is read anew wherever they are named', () => {
  const stale = staleAfter([{ type: 'user' }])?.flat() ?? [];
  for (const key of ['users', 'on-calls', 'teams', 'attention', 'session'])
    assert.ok(stale.includes(key), key);
});

test('what no page shows is not asked for', () => {
  assert.deepEqual(staleAfter([{ type: 'unknown' }]), []);
});

test('after a reset everything is asked for again', () => {
  assert.equal(staleAfter([{ type: 'incident' }, 'everything']), null);
});

test('a hint that is not understood may be about everything', () => {
  assert.deepEqual(changeOf('{"type":"incident","id":"1","version":3}'), { type: 'incident' });
  assert.equal(changeOf('{'), 'everything');
  assert.equal(changeOf('null'), 'everything');
  assert.equal(changeOf('{"id":"1"}'), 'everything');
});
