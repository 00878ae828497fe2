// Schemas of the requests and answers about people, teams, the organization and API keys.
import Type from 'typebox';
import { accessLimits } from '../../limits/access.ts';
import { apiKeyFields } from '../../resources/api-key.ts';
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
  objectOf,
  optional,
  text,
  variant,
  wholeNumber,
} from '../../resources/declaration/field.ts';
import { versioned } from '../../resources/declaration/resource.ts';
import { organizationFields } from '../../resources/organization.ts';
import { phoneNumberPattern } from '../../resources/phone-prefixes.ts';

export const organizationInput = objectOf(
  organizationFields,
  'The writable organization settings.',
);
export const organizationOutput = objectOf(
  { ...versioned('organization'), ...organizationFields },
  'The organization settings.',
);

export const keyInput = objectOf(apiKeyFields, 'The writable fields of an API key.');
const keyOutputFields = {
  id: id('The id of the key. It is not secret and never changes.'),
  ...apiKeyFields,
  prefix: text({ doc: 'The first characters of the key, to identify it.' }),
  last_used_at: optional(
    instant('When the key was last used, to the minute. Absent if it was never used.'),
  ),
  created_at: instant('When the key was created.'),
  created_by: text({ doc: 'The name of the creator at that time.' }),
  user_id: optional(
    id(
      'The person who owns the key. The key is rejected while that person is not active. Absent if the organization owns the key.',
    ),
  ),
  made_by_key_id: optional(
    id('The API key that created it. Absent if a person or the server operator did.'),
  ),
  ends_with_maker: optional(
    flag({
      doc: 'Whether it ends when the API key that created it is revoked. False for keys of release 0.1.0. Absent if no key created it.',
    }),
  ),
  archived_at: optional(instant('When the key was revoked. Absent while it is valid.')),
};
export const keyOutput = objectOf(keyOutputFields, 'An API key, without its secret text.');
export const newKeyOutput = objectOf(
  {
    ...keyOutputFields,
    key: text({ doc: 'The secret text of the key. It is returned only once.' }),
  },
  'A new API key, with its secret text.',
);

const phoneNumber = text({
  doc: 'The phone number with + and the country code, such as +4930123456. Spaces, hyphens, parentheses and a (0) after the country code are removed.',
  max: 16,
  pattern: phoneNumberPattern,
});
const emailAddress = text({ doc: 'The e-mail address of the person.', format: 'email' });
const subscription = text({
  doc: 'A browser push subscription: `web:` followed by the JSON of its `PushSubscription`, with `endpoint`, `keys.p256dh` and `keys.auth`. Or a topic for the ntfy app: `ntfy:` followed by 16 to 64 letters, digits, `-` and `_`. The topic is on the server of the first ntfy connection.',
  max: accessLimits.subscription,
  pattern: '^(?:web:.+|ntfy:[A-Za-z0-9_-]{16,64})$',
  example: 'web: and a subscription, or ntfy: and a topic of 16 to 64 letters, digits, - or _',
});
const label = optional(
  text({
    doc: 'The person’s name for it, such as Work.',
    min: 1,
    max: accessLimits.contactLabel,
  }),
);
const contactVariants = {
  email: { doc: 'Pages by e-mail.', fields: { address: emailAddress, label } },
  phone: { doc: 'Pages by a phone call.', fields: { address: phoneNumber, label } },
  sms: { doc: 'Pages by a text message.', fields: { address: phoneNumber, label } },
  'push-notification': {
    doc: 'Pages by a notification in a browser or the ntfy app.',
    fields: { address: subscription, label },
  },
} satisfies Readonly<Record<Exclude<PersonalChannel, (typeof linkedChannels)[number]>, object>>;
export const contactInput = variant(
  'channel',
  contactVariants,
  'A contact: a channel and an address that reaches a person. The person links Telegram or WhatsApp with POST /users/:id/link-codes.',
);
export const contactChange = objectOf(
  {
    label,
    position: optional(
      wholeNumber({
        doc: 'Its new position among the person’s contacts on this channel, from 1. The others move.',
        min: 1,
        max: accessLimits.contacts,
      }),
    ),
  },
  'The fields of a contact that can be changed. Null removes the label.',
);
export const contactOutput = objectOf(
  {
    id: id('The id of the contact. It never changes.'),
    channel: choice(personalChannels, {
      doc: 'The channel of this contact.',
    }),
    address: text({
      doc: 'The address on that channel: an e-mail address, a phone number with its country code, or a chat id. For a browser or an ntfy topic, whose address is secret, it is a name, such as `Chrome on Linux · …1f3a5b7c`. The last eight characters are the start of the SHA-256 of the endpoint.',
      max: 4_096,
    }),
    verified: flag({
      doc: 'Whether its owner proved that it is theirs: they entered the code that was sent to it, their browser returned the code, or they linked the chat. Contacts that are not verified are not used.',
    }),
    position: wholeNumber({
      doc: 'Its position among the person’s contacts on this channel, from 1. The first verified contact is used.',
      min: 1,
      max: accessLimits.contacts,
    }),
    label,
    state: optional(
      choice(contactStates, {
        doc: 'Why a contact is no longer verified. `gone`: the browser no longer accepts pushes, its push was ended, or the chat no longer exists. `blocked`: the person blocked the bot. `opted_out`: someone sent STOP. START undoes this. `invalid`: the vendor or the mail server reports that the address does not exist or cannot receive such messages.',
      }),
    ),
    state_reason: optional(text({ doc: 'The state, as a sentence.' })),
    state_at: optional(instant('When this was detected.')),
    proved_at: optional(
      instant(
        'When the person last responded through it: verified it, acted on an incident by a key, a button or a Telegram message, or confirmed a test page.',
      ),
    ),
    reachability: choice(reachabilities, {
      doc: `How certain it is that a page arrives there. \`proved\`: the person responded through it within ${accessLimits.proofDays} days. \`likely\`: it is verified, but was not proved in that time. It is still used. \`unproved\`: it is not verified. \`broken\`: nothing can be sent there.`,
    }),
    reachability_reason: optional(
      text({
        doc: 'Why a page to this contact may not arrive, as a sentence. Absent if it is proved.',
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
    id: id('The id of the contact that got the code.'),
    expires_at: instant('When the code expires.'),
  },
  'A code that was sent to a contact.',
);
export const invitationOutput = objectOf(
  {
    id: id('The id of the invited person.'),
    email: text({ doc: 'The e-mail address of the invitation.' }),
    expires_at: instant('When its link expires.'),
    url: optional(
      text({
        doc: 'The link, if it was not sent by e-mail. Give it only to that person. It is returned only once.',
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
  id: id('The id of the archived record.'),
  archived_at: instant('When it was archived. A repeated request returns the first time.'),
  warnings: Type.Array(Type.String({ description: 'One warning, as a sentence.' }), {
    description: 'Effects of archiving the record. Empty if there are none.',
  }),
});

export const qrOutput = objectOf(
  {
    size: count('The width and height of the view box.'),
    path: word('The d attribute of the single path, dark on light.'),
  },
  'The QR code as an SVG drawing.',
);
