import { instant } from './declaration/answer.ts';
import { flag, id, listOf, name, optional } from './declaration/field.ts';
import { organizationResource } from './declaration/resource.ts';

export const team = organizationResource({
  noun: 'team',
  name: 'team',
  table: 'teams',
  route: 'teams',
  doc: 'A team: people who own records together.',
  fields: {
    name: name('The name of the team, as lists of teams show it.'),
    default: optional(
      flag({
        doc: 'Whether this is the default team, which owns new records that name no team. Setting it takes it from the team that was the default; false when absent.',
        default: false,
        setElsewhere: true,
      }),
    ),
    user_ids: optional(
      listOf(id('The id of a person.', { to: 'user', within: 'organization' }), {
        doc: 'The members of the team, in their order; none when absent.',
        max: 1_000,
        default: [],
        setElsewhere: true,
      }),
    ),
  },
  computed: {
    archived_at: optional(instant('When the team was archived; absent while it is active.')),
  },
  // The API keeps each of them once, and would differ from such a configuration for ever.
  check: ({ user_ids = [] }) =>
    user_ids.flatMap((user, index) =>
      user_ids.indexOf(user) < index
        ? [{ path: `user_ids[${index}]`, message: 'is in the list already' }]
        : [],
    ),
});
