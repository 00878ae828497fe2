import { orNull, word } from '../../resources/declaration/answer.ts';
import { choice, id, objectOf } from '../../resources/declaration/field.ts';
import { records } from '../../resources/index.ts';
import { findUser } from '../../storage/people/users.ts';
import { usesOf } from '../../storage/records/uses.ts';
import { pageSchema } from '../answers.ts';
import { maySee, ok, type Route } from '../route.ts';
import { idIn, orNotFound, type PeopleParts, route } from './writing.ts';

const useShape = objectOf(
  {
    type: choice(
      records.map(({ name }) => name),
      { doc: 'The kind of the record.' },
    ),
    id: id('The id of the record.'),
    name: word('The name of the record.'),
    team_id: orNull(
      id('The team that owns it.'),
      'The team that owns the record. Null if it belongs to the whole organization.',
    ),
  },
  'A record that references a person.',
);

/** What a person's deactivation affects, before it is done. */
export const useRoutes = ({ sql }: PeopleParts): Route[] => [
  route('GET /users/:id/uses', 'viewer', {
    tag: 'users',
    doc: 'Lists the active records that reference a person, such as on-call schedules and escalation policies.',
    answers: { status: 200, schema: pageSchema(useShape) },
    async handle({ caller, ...call }) {
      const { organizationId } = caller;
      const { id } = orNotFound(await findUser(sql, organizationId, idIn({ caller, ...call })));
      const uses = await usesOf(sql, { organizationId, kind: 'user', id });
      const data = uses
        .filter(({ teamId }) => maySee(caller, teamId))
        .map(({ kind, id, name, teamId }) => ({ type: kind, id, name, team_id: teamId }));
      return ok({ data, next_cursor: null });
    },
  }),
];
