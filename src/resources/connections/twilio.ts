import type { Static } from 'typebox';
import { type objectOf, optional, text, wholeNumber } from '../declaration/field.ts';
import { phoneNumberPattern } from '../phone-prefixes.ts';
import { allowedPrefixesField } from './allowed-prefixes.ts';
import { smsActionsField } from './sms-actions.ts';
import type { Vendor } from './vendor.ts';
import { linkTextOf, whatsAppUrl } from './whatsapp-link.ts';

const sid = (prefix: string) => ({
  pattern: `^${prefix}[0-9a-fA-F]{32}$`,
  example: `${prefix}0123456789abcdef0123456789abcdef`,
});

const perSecond = (doc: string) => optional(wholeNumber({ doc, min: 1, max: 100, default: 1 }));

export const twilio = {
  vendor: 'twilio',
  title: 'Twilio',
  doc: 'A Twilio account that calls people and sends them SMS and WhatsApp messages.',
  channels: ['phone', 'sms', 'whatsapp'],
  channelsOf: ({ from_phone, from_sms, messaging_service_sid, from_whatsapp }) => [
    ...(from_phone === undefined ? [] : ['phone' as const]),
    ...((from_sms ?? messaging_service_sid) === undefined ? [] : ['sms' as const]),
    ...(from_whatsapp === undefined ? [] : ['whatsapp' as const]),
  ],
  receive: 'callbacks',
  withoutCallbacks: 'poll',
  lostWithoutCallbacks:
    'Calls are only read out: nobody can acknowledge by a key. Pager polls Twilio for replies and for the status of calls and messages.',
  settings: {
    account_sid: text({
      doc: 'The Account SID from the start page of the Twilio console.',
      ...sid('AC'),
    }),
    from_phone: optional(
      text({
        doc: 'The phone number that calls come from. Without it, Pager makes no calls.',
        pattern: phoneNumberPattern,
        example: '+4930123456',
      }),
    ),
    from_sms: optional(
      text({
        doc: 'The sender of SMS: a phone number or short code of the account, or a name of up to 11 characters, to which nobody can reply. Without a sender or a messaging service, Pager sends no SMS.',
        pattern: `(${phoneNumberPattern})|^[0-9]{5,6}$|^(?=.*[A-Za-z])[A-Za-z0-9 &+_-]{1,11}$`,
        example: '+4930123456 or Example',
      }),
    ),
    messaging_service_sid: optional(
      text({
        doc: 'A messaging service of the account, which chooses the sender of each SMS. Use it instead of one sender.',
        ...sid('MG'),
      }),
    ),
    from_whatsapp: optional(
      text({
        doc: 'The number of a WhatsApp sender of the account, without "whatsapp:". People link their WhatsApp by writing to it. Without it, Pager sends nothing in WhatsApp.',
        pattern: phoneNumberPattern,
        example: '+4930123456',
      }),
    ),
    content_sid: optional(
      text({
        doc: 'The SID of the approved content template for pages in WhatsApp, with three variables and two quick-reply buttons.',
        ...sid('HX'),
      }),
    ),
    notice_content_sid: optional(
      text({
        doc: 'The SID of the approved content template for other notices in WhatsApp, such as all-clears, shift notices and pages to viewers, with two variables and no buttons. Without it, people get these only within 24 hours after they last wrote. Add it if your policies page viewers.',
        ...sid('HX'),
      }),
    ),
    allowed_prefixes: allowedPrefixesField(
      'call and text',
      'calls to some countries are expensive and a target of fraud',
    ),
    calls_per_second: perSecond(
      'The number of calls started per second. Twilio allows a new account one. Default: 1.',
    ),
    messages_per_second: perSecond(
      'The number of SMS sent per second. Twilio sends one per second from a number in the United States. Default: 1.',
    ),
    sms_actions: smsActionsField,
  },
  secrets: {
    auth_token: text({
      doc: 'The auth token from the start page of the Twilio console. Pager also uses it to verify requests from Twilio.',
      pattern: '^[!-~]{16,128}$',
      example: '0123456789abcdef0123456789abcdef',
      sensitive: true,
    }),
    api_key_sid: optional(
      text({
        doc: 'The SID of an API key for sending. The auth token is still required to verify requests from Twilio.',
        ...sid('SK'),
        sensitive: true,
      }),
    ),
    api_key_secret: optional(
      text({
        doc: 'The secret of that API key.',
        pattern: '^[!-~]{16,128}$',
        example: '0123456789abcdefghijklmnopqrstuv',
        sensitive: true,
      }),
    ),
  },
  check: [
    {
      set: 'one_at_least',
      of: [
        'settings.from_phone',
        'settings.from_sms',
        'settings.messaging_service_sid',
        'settings.from_whatsapp',
      ],
    },
    { set: 'one_at_most', of: ['settings.from_sms', 'settings.messaging_service_sid'] },
    { set: 'all_or_none', of: ['settings.from_whatsapp', 'settings.content_sid'] },
    { set: 'all_or_none', of: ['secrets.api_key_sid', 'secrets.api_key_secret'] },
  ],
  setup: {
    title: 'How to get these values from Twilio',
    link: { href: 'https://console.twilio.com', text: 'Open the Twilio console' },
    steps: [
      'The start page shows the Account SID and the auth token. Copy both into this form.',
      'Under “Phone numbers”, buy a number that can make calls and, for SMS, one that can send text messages to your people’s countries. Some countries, such as the United States, require SMS senders to register first.',
      'For WhatsApp, register a sender under “Messaging”, “Senders”, “WhatsApp senders”, and create the content templates as the guide describes.',
      'Under “Geo permissions” for Voice and for Messaging, allow your people’s countries. Allow the same prefixes in this form.',
    ],
    note: 'Separate prefixes with spaces, such as +49 +33. Pager calls nobody until you add one. This protects you from the cost of expensive numbers that a stranger might add.',
  },
  callbackHelp:
    'Pager sends these addresses with each request. If the connection sends SMS, also set the SMS address at the number or messaging service to receive replies. If it sends WhatsApp messages, set the WhatsApp address at the WhatsApp sender.',
  linkUrl: whatsAppUrl,
  linkText: linkTextOf,
  linkedAccount: ({ from_whatsapp }) => (typeof from_whatsapp === 'string' ? from_whatsapp : null),
  accountAt: 'settings.account_sid',
  accountIdOf: ({ settings: { account_sid } }) =>
    typeof account_sid === 'string' ? account_sid : null,
} as const satisfies Vendor;

type Fields = Static<ReturnType<typeof objectOf<(typeof twilio)['settings']>>>;

/** As storage opens them: with the defaults. */
export type TwilioSettings = Fields &
  Required<Pick<Fields, 'calls_per_second' | 'messages_per_second' | 'sms_actions'>>;
