// Schemas of the requests and answers about people, teams, the organisation and API keys.
import Type from 'typebox';
import { accessLimits } from '../../limits/access.ts';
import {
  type linkedChannels,
  type PersonalChannel,
  personalChannels,
} from '../../resources/channels.ts';
import { reachabilities } from '../../resources/contact-reachability.ts';
import { contactStates } from '../../resources/contact-states.ts';
import { count, instant, word } from '../../resources/declaration/answer.ts';
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
import { versioned } from '../../resources/declaration/resource.ts';
import { phoneNumberPattern } from '../../resources/phone-prefixes.ts';
import { retention } from '../../resources/retention.ts';
import { roles } from '../../resources/roles.ts';
import { organizationNotifications } from '../../resources/shift-notifications.ts';

const organizationFields = {
  name: name('The name of the organisation, as pages, mails and webhook payloads have it.'),
  timezone: zone(
    'The time zone of the organisation, such as Europe/Berlin; months of the monthly limit begin in it.',
  ),
  monthly_alert_limit: optional(
    wholeNumber({
      doc: 'How many notifications may be sent in a calendar month: to people, and of shifts to chat channels; without a limit when absent.',
      min: 0,
      max: 1_000_000_000,
    }),
  ),
  shift_notifications: optional(organizationNotifications),
  retention: optional(retention),
};
export const organizationInput = objectOf(
  organizationFields,
  'The settings of the organisation, as they are written.',
);
export const organizationOutput = objectOf(
  { ...versioned('organisation'), ...organizationFields },
  'The settings of the organisation.',
);

const keyFields = {
  name: name('A name that says what the key is used for.'),
  role: choice(roles, { doc: 'What the key may do; at most what whoever creates it may do.' }),
  team_ids: optional(
    listOf(id('The id of a team.'), {
      doc: 'The teams whose records the key may read and write; all teams when absent.',
      max: 1_000,
    }),
  ),
  default_team_id: optional(
    id('The team that owns records which are created with this key and name no team.'),
  ),
  expires_at: optional(
    text({
      doc: 'The time from which the key is refused; it never expires when absent.',
      format: 'date-time',
    }),
  ),
};
export const keyInput = objectOf(keyFields, 'An API key, as it is written.');
const keyOutputFields = {
  id: id('The id of the key; it is not secret and never changes.'),
  ...keyFields,
  prefix: text({ doc: 'The first characters of the key, by which its holder recognises it.' }),
  last_used_at: optional(
    instant('When the key was last used, to the minute; absent while it was not.'),
  ),
  created_at: instant('When the key was created.'),
  created_by: text({ doc: 'The name of whoever created the key, as it was then.' }),
  user_id: optional(
    id(
      'The person whose key it is: it is refused while that person is not active. Absent for a key of the organisation.',
    ),
  ),
  made_by_key_id: optional(
    id('The API key that created it; absent if a person or the operator of the server did.'),
  ),
  archived_at: optional(instant('When the key was revoked; absent while it is accepted.')),
};
export const keyOutput = objectOf(keyOutputFields, 'An API key, without its secret text.');
export const newKeyOutput = objectOf(
  { ...keyOutputFields, key: text({ doc: 'The secret text of the key; no later answer has it.' }) },
  'A new API key, with its secret text.',
);

const phoneNumber = text({
  doc: 'The phone number with + and the country code, such as +4930123456. Blanks, hyphens, brackets and a (0) behind the country code are left out.',
  max: 16,
  pattern: phoneNumberPattern,
});
const emailAddress = text({ doc: 'The e-mail address of the person.', format: 'email' });
const subscription = text({
  doc: 'The subscription of a browser, which takes pushes: `web:` and what its `PushSubscription` writes as JSON, with `endpoint`, `keys.p256dh` and `keys.auth`. Or a topic of ntfy, for its app: `ntfy:` and 16 to 64 letters, digits, `-` and `_`; it is at the server of the first ntfy connection.',
  max: accessLimits.subscription,
  pattern: '^(?:web:.+|ntfy:[A-Za-z0-9_-]{16,64})$',
  example: 'web: and a subscription, or ntfy: and a topic of 16 to 64 letters, digits, - or _',
});
const label = optional(
  text({
    doc: 'What the person calls it, such as Work.',
    min: 1,
    max: accessLimits.contactLabel,
  }),
);
const contactVariants = {
  email: { doc: 'Pages by e-mail.', fields: { address: emailAddress, label } },
  phone: { doc: 'Pages by a phone call.', fields: { address: phoneNumber, label } },
  sms: { doc: 'Pages by a text message.', fields: { address: phoneNumber, label } },
  whatsapp: { doc: 'Pages by a WhatsApp message.', fields: { address: phoneNumber, label } },
  'push-notification': {
    doc: 'Pages by a notification of a browser or of the app of ntfy.',
    fields: { address: subscription, label },
  },
} satisfies Readonly<Record<Exclude<PersonalChannel, (typeof linkedChannels)[number]>, object>>;
export const contactInput = variant(
  'channel',
  contactVariants,
  'A contact: a channel and the address on it by which a person is reached. A Telegram chat is linked by its person, through POST /users/:id/link-codes.',
);
export const contactChange = objectOf(
  {
    label,
    position: optional(
      wholeNumber({
        doc: 'Its new place among the contacts of the person on its channel, from 1; the others make room.',
        min: 1,
        max: accessLimits.contacts,
      }),
    ),
  },
  'What can be changed of a contact; null removes the label.',
);
export const contactOutput = objectOf(
  {
    id: id('The id of the contact; it never changes.'),
    channel: choice(personalChannels, {
      doc: 'The channel by which this contact is reached.',
    }),
    address: text({
      doc: 'The address on that channel: an e-mail address, a phone number with its country code or a chat id. Of a browser it is a name, such as `Chrome on Linux · …1f3a5b7c`: its subscription is secret, and so is a topic of ntfy. The last eight characters are the beginning of the SHA-256 of the endpoint.',
      max: 4_096,
    }),
    verified: flag({
      doc: 'Whether it is proved to be its owner’s: they entered the code that was sent to it, a browser sent it back by itself, or a chat was linked. Contacts that are not verified are not used.',
    }),
    position: wholeNumber({
      doc: 'Its place among the contacts of the person on this channel, from 1: of those that are verified, the first is used.',
      min: 1,
      max: accessLimits.contacts,
    }),
    label,
    state: optional(
      choice(contactStates, {
        doc: 'Why a contact that was verified is so no more. `gone`: a browser takes no pushes any more, or its push was ended; or a chat is not there any more. `blocked`: the person of a chat has blocked the bot. `opted_out`: somebody answered STOP to an SMS; START undoes that. `invalid`: the vendor says that the number does not exist or takes no such messages.',
      }),
    ),
    state_reason: optional(text({ doc: 'The same as a sentence.' })),
    state_at: optional(instant('When that was noticed.')),
    proved_at: optional(
      instant(
        'When the person last answered through it: verified it, acted on an incident by a key, a button or a message in Telegram, or answered a test page.',
      ),
    ),
    reachability: choice(reachabilities, {
      doc: `How sure it is that a page arrives there. \`proved\`: the person answered through it within ${accessLimits.proofDays} days. \`likely\`: it is verified, and not proved for that long; it is used all the same. \`unproved\`: it is not verified. \`broken\`: nothing can be sent there.`,
    }),
    reachability_reason: optional(
      text({
        doc: 'Why a page to this contact is not sure, as a sentence; absent when it is proved.',
      }),
    ),
    created_at: instant('When the contact was added.'),
  },
  'A contact of a person.',
);

export const codeInput = objectOf({
  code: text({
    doc: 'The six digits that were sent to the contact.',
    max: 6,
    pattern: '^[0-9]{6}$',
  }),
});
export const codeOutput = objectOf(
  {
    id: id('The id of the contact that the code was sent to.'),
    expires_at: instant('When the code stops being accepted.'),
  },
  'A code that was sent to a contact.',
);
export const invitationOutput = objectOf(
  {
    id: id('The id of the person who is invited.'),
    email: text({ doc: 'The e-mail address that the invitation is for.' }),
    expires_at: instant('When its link stops working.'),
    url: optional(
      text({
        doc: 'The link, to be given to that person alone, where this server sends no mail. No later answer has it.',
      }),
    ),
  },
  'An invitation to set a password and sign in.',
);
export const newPasswordFields = {
  password: text({
    doc: 'The new password of the person.',
    min: accessLimits.passwordMin,
    max: accessLimits.passwordMax,
  }),
};

export const archivedOutput = objectOf({
  id: id('The id of what was archived.'),
  archived_at: instant('When it was archived; a repeated request answers the first time.'),
  warnings: Type.Array(Type.String({ description: 'One warning, as a sentence.' }), {
    description: 'What the archive affects; empty when nothing.',
  }),
});

export const qrOutput = objectOf(
  {
    size: count('The width and height of its view box.'),
    path: word('The attribute d of its one path, dark on light.'),
  },
  'The QR code as a drawing in SVG.',
);
