import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allTeams, isTeamScope, teamsOf } from './team-scope.ts';

const team = (id: number) => ({ id: id.toString(16).padStart(24, '0') });
const { id } = team(1);

test('lists are of one team, of all, or of those of the person', () => {
  assert.equal(teamsOf(id, [team(2)]), id);
  assert.equal(teamsOf(allTeams, [team(2)]), undefined);
  assert.equal(teamsOf(undefined, [team(1), team(2)]), `${id},${team(2).id}`);
  assert.equal(teamsOf(undefined, []), undefined);
  assert.equal(teamsOf(undefined), undefined);
});

test('whoever is in more teams than a list takes sees all', () => {
  const teams = Array.from({ length: 51 }, (_, index) => team(index));
  assert.equal(teamsOf(undefined, teams), undefined);
});

test('nothing else is a team', () => {
  assert.deepEqual(['all', id, 'x', '', 7, undefined].filter(isTeamScope), ['all', id]);
});
