import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Jump, jumpsOf, type Searched } from './jumps.ts';

const pages: readonly Jump[] = [
  { path: '/incidents', text: 'Incidents', icon: 'siren' },
  { path: '/users', text: 'People', icon: 'users' },
];
const recordPages = { user: { path: '/users', icon: 'circle-user' } } as const;
const searched: Searched = {
  incidents: [{ number: 7, title: 'People page is slow' }],
  records: [
    { type: 'user', id: '665f1f77bcf86cd799439011', name: 'Peola' },
    { type: 'playbook', id: '665f1f77bcf86cd799439012', name: 'Peocess' },
  ],
};
const pathsFor = (text: string, answer?: Searched) =>
  jumpsOf(text, pages, answer, recordPages).map(({ path }) => path);

test('without a text all pages are offered', () => {
  assert.deepEqual(pathsFor(' ', searched), ['/incidents', '/users']);
});

test('pages that match come before incidents and records that have a page', () => {
  assert.deepEqual(pathsFor('peo', searched), [
    ...['/users', '/incidents/7', '/users/665f1f77bcf86cd799439011'],
  ]);
});

test('what is archived or deactivated says so', () => {
  const records = [{ type: 'user', id: 'a', name: 'Peter', archived: true }];
  const [jump] = jumpsOf('pet', pages, { incidents: [], records }, recordPages);
  assert.equal(jump?.hint, 'Deactivated');
});

test('before there is an answer the pages are there', () => {
  assert.deepEqual(pathsFor('INC'), ['/incidents']);
});
