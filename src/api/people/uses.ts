import { orNull, word } from '../../resources/declaration/answer.ts';
import { choice, id, objectOf, optional } from '../../resources/declaration/field.ts';
import { records } from '../../resources/index.ts';
import { override } from '../../resources/override.ts';
import { findUser } from '../../storage/people/users.ts';
import { usesOfPerson } from '../../storage/people/uses.ts';
import { pageSchema } from '../answers.ts';
import { maySee, ok, type Route } from '../route.ts';
import { idIn, orNotFound, type PeopleParts, route } from './writing.ts';

const useShape = objectOf(
  {
    type: choice(
      [...records, override].map(({ name }) => name),
      { doc: 'The kind of the record.' },
    ),
    id: id('The id of the record.'),
    name: word('The name of the record. For an override, the name of its schedule.'),
    team_id: orNull(
      id('The team that owns it.'),
      'The team that owns the record. Null if it belongs to the whole organization.',
    ),
    oncall_schedule_id: optional(id('The schedule of the override. Absent for other records.')),
  },
  'A record that references a person.',
);

/** What a person's deactivation affects, before it is done. */
export const useRoutes = ({ sql }: PeopleParts): Route[] => [
  route('GET /users/:id/uses', 'viewer', {
    tag: 'users',
    doc: 'Lists the active records that reference a person, such as on-call schedules and escalation policies, and the overrides that put them on call now or later.',
    answers: { status: 200, schema: pageSchema(useShape) },
    async handle({ caller, ...call }) {
      const { organizationId } = caller;
      const { id } = orNotFound(await findUser(sql, organizationId, idIn({ caller, ...call })));
      const uses = await usesOfPerson(sql, { organizationId, id, now: call.now });
      const data = uses
        .filter(({ teamId }) => maySee(caller, teamId))
        .map(({ kind, id, name, teamId, scheduleId }) => ({
          type: kind,
          id,
          name,
          team_id: teamId,
          ...(scheduleId !== undefined && { oncall_schedule_id: scheduleId }),
        }));
      return ok({ data, next_cursor: null });
    },
  }),
];
