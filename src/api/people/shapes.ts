// The requests and answers about people, declared as the six records are.
import Type, { type TProperties } from 'typebox';
import { accessLimits } from '../../limits/access.ts';
import { instant } from '../../resources/declaration/answer.ts';
import {
  choice,
  flag,
  id,
  listOf,
  name,
  objectOf,
  optional,
  text,
  variant,
  wholeNumber,
  zone,
} from '../../resources/declaration/field.ts';
import { retention } from '../../resources/retention.ts';
import { organizationNotifications } from '../../resources/shift-notifications.ts';
import { roles } from '../route.ts';

const versioned = {
  id: id('For ever.'),
  version: Type.Integer({ description: 'Grows with every write; send it back as If-Match.' }),
  created_at: instant('When it was made.'),
  updated_at: instant('When it was last changed.'),
};
const archivable = { archived_at: optional(instant('When it was archived.')) };

const answerOf = (fields: TProperties, doc: string) => objectOf(fields, doc);
const emptyList = <Item extends ReturnType<typeof id>>(item: Item, doc: string) =>
  Type.Array(item, { description: doc, minItems: 0, maxItems: 1_000, default: [] });

const userFields = {
  first_name: name('Given name.'),
  last_name: text({ doc: 'Family name.' }),
  email: text({ doc: 'Signs in with it; unique in any case of letters.', format: 'email' }),
  role: choice(roles, { doc: 'What the person may do.' }),
  timezone: optional(zone('Where the person usually is.')),
  team_ids: optional(emptyList(id('A team.'), 'The teams the person is in.')),
  active: optional(flag({ doc: 'Whether the person may sign in and is paged.', default: true })),
};
export const userInput = objectOf(userFields, 'A person of the organisation.');
export const userOutput = answerOf({ ...versioned, ...userFields }, 'A person.');

const teamFields = {
  name: name('Shown wherever a team can be chosen.'),
  default: optional(
    flag({
      doc: 'Owns new records that name no team; making one the default unmakes the other.',
      default: false,
    }),
  ),
  user_ids: optional(
    emptyList(id('A user.', { to: 'user', within: 'organization' }), 'Its people, in order.'),
  ),
};
export const teamInput = objectOf(teamFields, 'People who own records together.');
export const teamOutput = answerOf({ ...versioned, ...archivable, ...teamFields }, 'A team.');

const organizationFields = {
  name: name('Shown in what people and webhooks are told.'),
  timezone: zone('Where the organisation is at home.'),
  monthly_alert_limit: optional(
    wholeNumber({ doc: 'Personal notifications a month.', min: 0, max: 1_000_000_000 }),
  ),
  shift_notifications: optional(organizationNotifications),
  retention: optional(retention),
};
export const organizationInput = objectOf(organizationFields, 'The organisation.');
export const organizationOutput = answerOf(
  { ...versioned, ...organizationFields },
  'The organisation.',
);

const keyFields = {
  name: name('What the key is for.'),
  role: choice(roles, { doc: "What the key may do; never more than its maker's." }),
  team_ids: optional(
    listOf(id('A team.'), { doc: 'The only teams it may touch; absent: all.', max: 1_000 }),
  ),
  default_team_id: optional(id('Owns records that are made with the key and name no team.')),
  expires_at: optional(text({ doc: 'From then on it is refused.', format: 'date-time' })),
};
export const keyInput = objectOf(keyFields, 'An API key.');
const keyOutputFields = {
  id: id('For ever.'),
  ...keyFields,
  prefix: text({ doc: 'How the key begins.' }),
  last_used_at: optional(instant('Noted at most once a minute.')),
  created_at: instant('When it was made.'),
  created_by: text({ doc: 'Who made it.' }),
  user_id: optional(
    id("Whose key it is: it works while that person is active. Absent: the organisation's own."),
  ),
  ...archivable,
};
export const keyOutput = answerOf(keyOutputFields, 'An API key, without the key itself.');
export const newKeyOutput = answerOf(
  { ...keyOutputFields, key: text({ doc: 'Shown this once.' }) },
  'A new API key.',
);

const number = () =>
  text({ doc: 'With + and the country.', max: 16, pattern: '^\\+[1-9][0-9]{6,14}$' });
const contactShapes = {
  email: { address: text({ doc: 'Where mail is sent.', format: 'email' }) },
  phone: { address: number() },
  sms: { address: number() },
  whatsapp: { address: number() },
  telegram: {
    address: text({ doc: "The chat's number.", max: 20, pattern: '^-?[0-9]{1,19}$' }),
  },
  'push-notification': { address: text({ doc: "The device's token.", min: 1, max: 4_096 }) },
};
export const contactInput = variant('channel', contactShapes, 'Where a person can be reached.');
export const contactOutput = answerOf(
  {
    id: id('For ever.'),
    channel: choice(['email', 'phone', 'sms', 'whatsapp', 'telegram', 'push-notification'], {
      doc: 'How.',
    }),
    address: text({ doc: 'Where.', max: 4_096 }),
    verified: flag({ doc: 'Whether its owner proved it; others are not used.' }),
    created_at: instant('When it was made.'),
  },
  'A contact.',
);

export const codeInput = objectOf({
  code: text({ doc: 'The six digits that were sent.', max: 6, pattern: '^[0-9]{6}$' }),
});
export const codeOutput = answerOf(
  { id: id('Of the contact.'), expires_at: instant('Until when the code is valid.') },
  'A code is on its way.',
);
export const passwordInput = objectOf({
  password: text({
    doc: 'To sign in with.',
    min: accessLimits.passwordMin,
    max: accessLimits.passwordMax,
  }),
});

export const archivedOutput = objectOf({
  id: id('What was archived.'),
  archived_at: instant('When, also when asked again.'),
  warnings: Type.Array(Type.String()),
});
