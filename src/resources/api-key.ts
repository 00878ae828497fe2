// Keys of programs. Only the answer to a creation has the text of a key.
import { choice, id, listOf, name, objectOf, optional, text } from './declaration/field.ts';
import { organizationResource } from './declaration/resource.ts';
import { roles } from './roles.ts';

/** As the API takes them. */
export const apiKeyFields = {
  name: name('A name that describes the purpose of the key.'),
  role: choice(roles, { doc: 'The role of the key, at most the role of its creator.' }),
  team_ids: optional(
    listOf(id('The id of a team.'), {
      doc: 'The teams whose records the key may read and write. If absent, all teams.',
      max: 1_000,
      isSet: true,
    }),
  ),
  default_team_id: optional(
    id('The team for records that are created with this key without a team.'),
  ),
  expires_at: optional(
    text({
      doc: 'When the key expires. If absent, the key never expires.',
      format: 'date-time',
    }),
  ),
};

const doc = 'An API key.';

export const apiKey = {
  ...organizationResource({
    noun: 'key',
    name: 'api_key',
    table: 'api_keys',
    route: 'api-keys',
    doc,
    fields: apiKeyFields,
    fixed: ['role', 'team_ids', 'default_team_id'],
    secretOnce: 'key',
  }),
  output: objectOf(
    {
      id: id('The id of the key. It is not secret and never changes.'),
      key: text({
        doc: 'The secret text of the key. Pager returns it only when the key is created.',
        sensitive: true,
      }),
      prefix: text({ doc: 'The first characters of the key, to identify it.' }),
      ...apiKeyFields,
    },
    doc,
  ),
};
