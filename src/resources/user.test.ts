import assert from 'node:assert/strict';
import { test } from 'node:test';
import { user } from './user.ts';

type Case = readonly [string, object | null, object, readonly string[]];

const ada = { email: 'ada@example.com', active: true };

const cases: readonly Case[] = [
  ['a new manager', null, { ...ada, role: 'manager' }, []],
  ['a new admin', null, { ...ada, role: 'admin' }, ['role']],
  ['a new owner', null, { ...ada, role: 'owner' }, ['role']],
  ['a new person of a role yet unknown', null, ada, []],
  ['a manager made a responder', { ...ada, role: 'manager' }, { ...ada, role: 'responder' }, []],
  ['a responder made a manager', { ...ada, role: 'responder' }, { ...ada, role: 'manager' }, []],
  ['a manager made an admin', { ...ada, role: 'manager' }, { ...ada, role: 'admin' }, ['role']],
  ['an admin made an owner', { ...ada, role: 'admin' }, { ...ada, role: 'owner' }, ['role']],
  ['an owner made an admin', { ...ada, role: 'owner' }, { ...ada, role: 'admin' }, []],
  ['an admin who stays one', { ...ada, role: 'admin' }, { ...ada, role: 'admin' }, []],
  ['an admin deactivated', { ...ada, role: 'admin' }, { ...ada, role: 'admin', active: false }, []],
  [
    'an admin activated',
    { ...ada, role: 'admin', active: false },
    { ...ada, role: 'admin' },
    ['active'],
  ],
  [
    'a manager activated as an admin',
    { ...ada, role: 'manager', active: false },
    { ...ada, role: 'admin' },
    ['role', 'active'],
  ],
  [
    'a manager activated',
    { ...ada, role: 'manager', active: false },
    { ...ada, role: 'manager' },
    [],
  ],
  [
    'another address',
    { ...ada, role: 'viewer' },
    { ...ada, role: 'viewer', email: 'eve@example.com' },
    ['email'],
  ],
  [
    'an address in other letters',
    { ...ada, role: 'viewer' },
    { ...ada, role: 'viewer', email: 'Ada@example.com' },
    ['email'],
  ],
  ['an address yet unknown', { ...ada, role: 'viewer' }, { role: 'viewer', active: true }, []],
];

test('what of a person only a session may write', () => {
  for (const [title, before, after, paths] of cases) {
    const problems = user.sessionOnly(before && { ...before }, { ...after });
    assert.deepEqual(
      problems.map(({ path }) => path),
      paths,
      title,
    );
  }
});
