import { choice, flag, id, listOf, name, optional, text, zone } from './declaration/field.ts';
import { organizationResource } from './declaration/resource.ts';
import { roles } from './roles.ts';

export const user = organizationResource({
  noun: 'person',
  name: 'user',
  table: 'users',
  route: 'users',
  doc: 'A person of the organisation.',
  fields: {
    first_name: name('The given name of the person.'),
    last_name: text({ doc: 'The family name of the person.' }),
    email: text({
      doc: 'The e-mail address that the person signs in with. No two people share one; upper and lower case count as the same.',
      format: 'email',
    }),
    role: choice(roles, { doc: 'What the person may do, from least to most.' }),
    timezone: optional(zone('The time zone of the person, such as Europe/Berlin.')),
    team_ids: optional(
      listOf(id('The id of a team.'), {
        doc: 'The teams that the person is a member of; none when absent.',
        max: 1_000,
        default: [],
        isSet: true,
        setElsewhere: true,
      }),
    ),
    active: optional(
      flag({
        doc: 'Whether the person may sign in and is paged; true when absent.',
        default: true,
      }),
    ),
  },
  knownBy: 'email',
  // An e-mail address belongs to one person for ever, and so do the shifts and pages of the past.
  ending: { active: false },
});
