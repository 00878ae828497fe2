import assert from 'node:assert/strict';
import { test } from 'node:test';
import { managed, managedAs } from './managed.ts';
import { createMemberSides, memberErrors } from './member-sides.ts';
import { Unknown, type Value } from './protocol/value.ts';

type Fields = { readonly [name: string]: Value };

/** As a plan has it: the configuration, and what is planned of it. */
const resource = (type: string, config: Fields | null, id: Value = null, isAgain = false) => ({
  type,
  config,
  id,
  isAgain,
});
const member = (team_id: Value, user_id: Value) =>
  resource('team_membership', { team_id, user_id });

function pathsIn(resources: readonly ReturnType<typeof resource>[]) {
  const connection = { memberSides: createMemberSides() };
  return resources.flatMap(({ type, config, id, isAgain }) => {
    const value = config === null ? null : { ...config, id };
    const seen = { config, value, isAgain };
    const errors = memberErrors(connection, managedAs(managed, `pager_${type}`), seen);
    return errors.map(({ attribute }) => attribute?.steps?.[0]?.attribute_name);
  });
}

const listed = resource('team', { user_ids: ['u1'] }, 't1');
const ofPerson = resource('user', { team_ids: ['t1'] }, 'u1');
const cases = [
  ['alone', [member('t1', 'u1'), member('t1', 'u2')], []],
  ['of the same person and team as another', [member('t1', 'u1'), member('t1', 'u1')], ['user_id']],
  [
    'that is planned again to be replaced',
    [member('t1', 'u1'), { ...member('t1', 'u1'), isAgain: true }],
    [],
  ],
  ['whose person is not known yet', [member('t1', new Unknown()), member('t1', new Unknown())], []],
  ['that goes', [member('t1', 'u1'), resource('team_membership', null)], []],
  ['after the list of its team', [listed, member('t1', 'u2')], ['team_id']],
  ['before the list of its team', [member('t1', 'u2'), listed], ['user_ids']],
  ['after the list of its person', [ofPerson, member('t2', 'u1')], ['user_id']],
  ['before the list of its person', [member('t2', 'u1'), ofPerson], ['team_ids']],
  ['beside both lists', [listed, ofPerson, member('t1', 'u1')], ['team_id', 'user_id']],
  ['beside lists of others', [listed, ofPerson, member('t2', 'u2')], []],
  [
    'beside a list that is not known yet',
    [resource('team', { user_ids: new Unknown() }, 't1'), member('t1', 'u1')],
    ['team_id'],
  ],
  [
    'beside a team without a list',
    [resource('team', { user_ids: null }, 't1'), member('t1', 'u1')],
    [],
  ],
  ['beside a team that goes', [resource('team', null, 't1'), member('t1', 'u1')], []],
  [
    'of a team whose id is not known yet',
    [resource('team', { user_ids: ['u1'] }, new Unknown()), member(new Unknown(), 'u1')],
    [],
  ],
] as const;

for (const [title, resources, paths] of cases)
  test(`a membership ${title}: ${paths.length === 0 ? 'nothing is wrong' : `refused at ${paths.join(' and ')}`}`, () =>
    assert.deepEqual(pathsIn(resources), paths));
