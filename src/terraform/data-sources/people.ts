import { user as declaredUser } from '../../resources/user.ts';
import { warningDiagnostic } from '../diagnostics.ts';
import { findKnown } from '../known-by.ts';
import { computed, type DataSource, findIn, key } from './data-source.ts';

export const user: DataSource = {
  typeName: 'pager_user',
  doc: 'A person in the organization, by e-mail address or id.',
  attributes: [
    key('id', 'The id of the person. It never changes.'),
    key('email', 'The e-mail address, ignoring case and Unicode form.'),
    computed('first_name', 'string', 'Given name.'),
    computed('last_name', 'string', 'Family name.'),
    computed('role', 'string', 'The role of the person.'),
    computed('timezone', 'string', 'The time zone of the person.'),
    computed('language', 'string', 'The language that the person has chosen.'),
    computed('active', 'bool', 'Whether the person can sign in and is paged.'),
    computed('team_ids', ['list', 'string'], 'The person’s teams.'),
  ],
  keys: ['id', 'email'],
  find: ({ client }, query) =>
    query['email'] === undefined
      ? findIn(client, '/users', query)
      : findKnown(client, declaredUser, query['email']),
  warnings: ({ active, email }) =>
    active === false
      ? [
          warningDiagnostic({
            summary: `The user ${email} is not active`,
            detail: 'Inactive people are never paged. Shifts and steps skip them.',
          }),
        ]
      : [],
};

export const team: DataSource = {
  typeName: 'pager_team',
  doc: 'People who own records together, by name or id.',
  attributes: [
    key('id', 'The id of the team. It never changes.'),
    key('name', 'The name of the team.'),
    computed('default', 'bool', 'Whether it owns new records without a team.'),
    computed('user_ids', ['list', 'string'], 'The ids of the members, in order.'),
  ],
  keys: ['id', 'name'],
  find: ({ client }, query) => findIn(client, '/teams', query),
};
