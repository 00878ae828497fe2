// One person in one team, for whoever manages members one by one. A team has no roles of its own.
import { id, objectOf } from './declaration/field.ts';
import { organizationResource } from './declaration/resource.ts';

const doc = 'A person’s membership in a team.';

const userId = id('The id of the member, a person.', { to: 'user', within: 'organization' });
const teamId = id('The id of the team.', { to: 'team', within: 'organization' });

/** Its team stands in the path. */
export const teamMembershipInput = objectOf({ user_id: userId }, doc);

export const teamMembership = {
  ...organizationResource({
    noun: 'membership',
    name: 'team_membership',
    table: 'team_members',
    doc,
    route: 'teams/:team_id/members',
    fields: { team_id: teamId, user_id: userId },
    neverChanges: true,
    isAdopted: true,
    idOf: 'user_id',
  }),
  output: objectOf(
    { id: id('The id of the membership: that of the person.'), team_id: teamId, user_id: userId },
    doc,
  ),
};
