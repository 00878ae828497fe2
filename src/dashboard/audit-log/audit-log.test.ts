import assert from 'node:assert/strict';
import { test } from 'node:test';
import { auditedActions, auditedKinds } from '../../storage/organizations/audit.ts';
import { recordPages } from '../shell/pages.ts';
import { differencesOf, type Entry, pageOf, recordName } from './entries.ts';
import { queryOf } from './filters.ts';
import { auditSearch } from './search.ts';
import { words } from './words.ts';

const id = 'a'.repeat(24);

for (const { title, before, after, differences } of [
  {
    title: 'a field that is another',
    before: { name: 'old', version: 1, updated_at: 'then' },
    after: { name: 'new', version: 2, updated_at: 'now' },
    differences: [{ path: 'name', before: 'old', after: 'new' }],
  },
  {
    title: 'a field deep inside, by its path',
    before: { steps: [{ targets: [{ via: 'sms' }], escalate_after_minutes: 5 }] },
    after: { steps: [{ targets: [{ via: 'phone' }], escalate_after_minutes: 5 }] },
    differences: [{ path: 'steps[0].targets[0].via', before: 'sms', after: 'phone' }],
  },
  {
    title: 'members that come and go',
    before: { user_ids: ['a', 'b'] },
    after: { user_ids: ['a', 'b', 'c'], description: '' },
    differences: [
      { path: 'user_ids[2]', after: 'c' },
      { path: 'description', after: '""' },
    ],
  },
  {
    title: 'a list that is empty now',
    before: { user_ids: ['a'] },
    after: { user_ids: [] },
    differences: [
      { path: 'user_ids[0]', before: 'a' },
      { path: 'user_ids', after: '[]' },
    ],
  },
  {
    title: 'all of what is new',
    before: undefined,
    after: { name: 'new', enabled: true, version: 1 },
    differences: [
      { path: 'name', after: 'new' },
      { path: 'enabled', after: 'true' },
      { path: 'version', after: '1' },
    ],
  },
  {
    title: 'nothing of what only counts',
    before: { version: 1 },
    after: { version: 2 },
    differences: [],
  },
])
  test(`an entry shows ${title}`, () =>
    assert.deepEqual(
      differencesOf({ ...(before && { before }), ...(after && { after }) }),
      differences,
    ));

const entry = (record_type: string, more: Partial<Entry> = {}): Entry => ({
  id,
  at: '2026-11-30T12:00:00Z',
  actor: { type: 'user', id, name: 'Ada' },
  action: 'update',
  record_type,
  record_id: id,
  ...more,
});

for (const [type, fields, page] of [
  ['service', {}, `/services/${id}`],
  ['user', {}, `/users/${id}`],
  ['organization', {}, '/settings/organization'],
  ['api_key', {}, '/settings/api-keys'],
  ['channel_connection', {}, `/settings/channels/${id}`],
  ['schedule_notifications', {}, `/on-calls/${id}`],
  ['oncall_override', { oncall_schedule_id: 'b' }, '/on-calls/b'],
  ['cover_request', { oncall_schedule_id: 'b' }, '/on-calls/b'],
  ['webhook_delivery', {}, null],
] as const)
  test(`an entry about a ${type} leads to ${page ?? 'no page'}`, () =>
    assert.equal(pageOf(entry(type, { after: fields }), recordPages), page));

test('a record is called by its name then, a person by theirs, and what has none by its id', () => {
  assert.equal(recordName(entry('service', { after: { name: 'Web' } })), 'Web');
  const person = { first_name: 'Ada', last_name: 'Byron', name: 'x' };
  assert.equal(recordName(entry('user', { before: person })), 'Ada Byron');
  assert.equal(recordName(entry('contact', { after: { address: '+49' } })), '+49');
  assert.equal(recordName(entry('webhook_delivery')), id);
});

test('every kind of record and every action that is written down has a name', () => {
  assert.deepEqual(Object.keys(words.kinds).sort(), auditedKinds.toSorted());
  assert.deepEqual(Object.keys(words.actions).sort(), auditedActions.toSorted());
});

test('an address narrows the log by what it understands', () => {
  const search = { actor: id, type: 'service', action: 'update', from: '2026-11-01', q: 'x' };
  const { q: _, ...understood } = search;
  assert.deepEqual(auditSearch(search), understood);
  assert.deepEqual(auditSearch({ actor: 'ada', type: 'A B', from: 'yesterday', to: 5 }), {});
});

test('days are whole where the reader is, across a change of the clocks', () => {
  const query = queryOf({ from: '2026-10-25', to: '2026-10-25' }, 'Europe/Berlin');
  assert.deepEqual(query, { from: '2026-10-24T22:00:00.000Z', to: '2026-10-25T23:00:00.000Z' });
  assert.deepEqual(queryOf({ actor: id, type: 'team', record: id, action: 'create' }, 'Etc/UTC'), {
    actor_id: id,
    record_type: 'team',
    record_id: id,
    action: 'create',
  });
  assert.deepEqual(queryOf({ to: '2026-99-99' }, 'Etc/UTC'), {});
});
