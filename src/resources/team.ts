import { instant } from './declaration/answer.ts';
import { flag, id, listOf, name, optional } from './declaration/field.ts';
import { organizationResource } from './declaration/resource.ts';

/** Of one team. */
export const teamMembersMax = 1_000;

export const team = organizationResource({
  noun: 'team',
  name: 'team',
  table: 'teams',
  route: 'teams',
  doc: 'A group of people who own records together.',
  fields: {
    name: name('The name of the team.'),
    default: optional(
      flag({
        doc: 'Whether this is the default team, which owns new records without a team. If you set it, the previous default team loses it. Default: false.',
        default: false,
        setElsewhere: true,
      }),
    ),
    user_ids: optional(
      listOf(id('The id of a person.', { to: 'user', within: 'organization' }), {
        doc: 'The members of the team, in order. If absent, none.',
        max: teamMembersMax,
        default: [],
        setElsewhere: true,
      }),
    ),
  },
  computed: {
    archived_at: optional(instant('When the team was archived. Absent while it is active.')),
  },
  // The API keeps each of them once, and would differ from such a configuration for ever.
  check: ({ user_ids = [] }) =>
    user_ids.flatMap((user, index) =>
      user_ids.indexOf(user) < index
        ? [{ path: `user_ids[${index}]`, message: 'is already in the list' }]
        : [],
    ),
});
