import { choice, flag, id, listOf, name, optional, text, zone } from './declaration/field.ts';
import { organizationResource, type Problem, type SessionOnly } from './declaration/resource.ts';
import { languages } from './language.ts';
import { adminRoles, isRole, mayAct, roles } from './roles.ts';

/**
 * Whoever holds a leaked API key must not be left with an account when the key is revoked: no admin
 * of their own, no address of theirs at the account of another. Decision 0071.
 */
const sessionOnly: SessionOnly = (before, after) => {
  const problems: Problem[] = [];
  const { role } = after;
  if (isRole(role) && adminRoles.includes(role)) {
    const was = before?.['role'];
    if (before === null)
      problems.push({ path: 'role', message: `of a new person cannot be set to ${role}` });
    else if (!isRole(was) || !mayAct({ role: was }, role))
      problems.push({ path: 'role', message: `cannot be raised to ${role}` });
    if (before?.['active'] === false && after['active'] !== false)
      problems.push({
        path: 'active',
        message: `of a person with the role ${role} cannot be set to true`,
      });
  }
  if (before !== null && typeof after['email'] === 'string' && after['email'] !== before['email'])
    problems.push({ path: 'email', message: 'cannot be changed' });
  return problems;
};

export const user = organizationResource({
  noun: 'person',
  name: 'user',
  table: 'users',
  route: 'users',
  doc: 'A person in the organization.',
  fields: {
    first_name: name('The given name of the person.'),
    last_name: text({ doc: 'The family name of the person.' }),
    email: text({
      doc: 'The e-mail address that the person signs in with. It must be unique, ignoring case.',
      format: 'email',
    }),
    role: choice(roles, { doc: 'The role of the person, from least to most powerful.' }),
    timezone: optional(zone('The time zone of the person, such as Europe/Berlin.')),
    language: optional(
      choice(languages, {
        doc: 'The language of calls, SMS, WhatsApp, Telegram and push notifications to the person. If absent, that of the organization.',
        setElsewhere: true,
      }),
    ),
    team_ids: optional(
      listOf(id('The id of a team.'), {
        doc: 'The person’s teams. If absent, none.',
        max: 1_000,
        default: [],
        isSet: true,
        setElsewhere: true,
      }),
    ),
    active: optional(
      flag({
        doc: 'Whether the person can sign in and is paged.',
        default: true,
      }),
    ),
  },
  sessionOnly,
  knownBy: 'email',
  effectsAt: 'active',
  // An e-mail address belongs to one person for ever, and so do the shifts and pages of the past.
  ending: { active: false },
});
