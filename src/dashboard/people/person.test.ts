import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ListedPerson, peopleOf, shownOf } from './person.ts';

const person = (first_name: string, active: boolean, reachable: boolean): ListedPerson => ({
  id: first_name,
  version: 1,
  first_name,
  last_name: 'Byron',
  role: 'viewer',
  email: `${first_name}@example.com`,
  team_ids: [],
  active,
  reachability: { reachable, channels: [] },
});
const people = [person('Lin', true, false), person('Ada', true, true), person('Max', false, false)];

test('a list of people is by name, of whom can or cannot be reached, or of who has left', () => {
  const names = (show: string, text?: string) =>
    peopleOf(people, { show: shownOf(show), text }).map(({ first_name }) => first_name);
  assert.deepEqual(names('active'), ['Ada', 'Lin']);
  assert.deepEqual(names('unreachable'), ['Lin']);
  assert.deepEqual(names('inactive'), ['Max']);
  assert.deepEqual(names('anything'), ['Ada', 'Lin']);
  assert.deepEqual(names('active', ' aDA by'), ['Ada']);
  assert.deepEqual(names('active', 'lin@'), ['Lin']);
});
