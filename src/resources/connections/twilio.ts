import type { Static } from 'typebox';
import { listOf, type objectOf, optional, text, wholeNumber } from '../declaration/field.ts';
import { phoneNumberPattern, prefixExample, prefixPattern } from '../phone-prefixes.ts';
import { smsActionsField } from './sms-actions.ts';
import type { Vendor } from './vendor.ts';

const sid = (prefix: string) => ({
  pattern: `^${prefix}[0-9a-fA-F]{32}$`,
  example: `${prefix}0123456789abcdef0123456789abcdef`,
});

const perSecond = (doc: string) => optional(wholeNumber({ doc, min: 1, max: 100, default: 1 }));

export const twilio = {
  vendor: 'twilio',
  title: 'Twilio',
  doc: 'A Twilio account, which calls people and sends them SMS.',
  channels: ['phone', 'sms'],
  channelsOf: ({ from_phone, from_sms, messaging_service_sid }) => [
    ...(from_phone === undefined ? [] : ['phone' as const]),
    ...((from_sms ?? messaging_service_sid) === undefined ? [] : ['sms' as const]),
  ],
  receive: 'callbacks',
  settings: {
    account_sid: text({
      doc: 'The Account SID, as the start page of the Twilio console shows it.',
      ...sid('AC'),
    }),
    from_phone: optional(
      text({
        doc: 'The number of the account that calls come from. Without it, nobody is called.',
        pattern: phoneNumberPattern,
        example: '+4930123456',
      }),
    ),
    from_sms: optional(
      text({
        doc: 'What SMS come from: a number or a short code of the account, or a name of up to 11 characters, which nobody can reply to. Without it and without a messaging service, no SMS are sent.',
        pattern: `(${phoneNumberPattern})|^[0-9]{5,6}$|^(?=.*[A-Za-z])[A-Za-z0-9 &+_-]{1,11}$`,
        example: '+4930123456 or Example',
      }),
    ),
    messaging_service_sid: optional(
      text({
        doc: 'A messaging service of the account, which chooses what each SMS comes from; instead of one sender.',
        ...sid('MG'),
      }),
    ),
    allowed_prefixes: listOf(
      text({
        doc: 'The beginning of numbers, from + on.',
        pattern: prefixPattern,
        example: prefixExample,
      }),
      {
        doc: 'Which numbers may be called and texted, by what they begin with, such as +49. Nothing is sent to others, as calls to some countries cost their caller much and enrich fraudsters. +1 is the United States and Canada; other countries that begin with it are named in full, such as +1876.',
        min: 1,
        max: 300,
        isSet: true,
      },
    ),
    calls_per_second: perSecond(
      'How many calls the account begins in a second; Twilio lets a new account begin one. 1 when absent.',
    ),
    messages_per_second: perSecond(
      'How many SMS the sender sends in a second; of a number in the United States, Twilio sends one. 1 when absent.',
    ),
    sms_actions: smsActionsField,
  },
  secrets: {
    auth_token: text({
      doc: 'The auth token, as the start page of the Twilio console shows it. It also proves that what Pager receives comes from Twilio.',
      pattern: '^[!-~]{16,128}$',
      example: '0123456789abcdef0123456789abcdef',
      sensitive: true,
    }),
    api_key_sid: optional(
      text({
        doc: 'The SID of an API key, which Pager then sends with; the auth token is still needed to prove what it receives.',
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
      of: ['settings.from_phone', 'settings.from_sms', 'settings.messaging_service_sid'],
    },
    { set: 'one_at_most', of: ['settings.from_sms', 'settings.messaging_service_sid'] },
    { set: 'all_or_none', of: ['secrets.api_key_sid', 'secrets.api_key_secret'] },
  ],
  setup: {
    title: 'How to get these from Twilio',
    link: { href: 'https://console.twilio.com', text: 'Open the Twilio console' },
    steps: [
      'Its start page shows the Account SID and the auth token: copy both to here.',
      'Under “Phone numbers”, buy a number that can call, and for SMS one that can text where your people are. Some countries, such as the United States, want senders of SMS to be registered first.',
      'Under “Geo permissions” of Voice and of Messaging, allow the countries of your people, and here the prefixes of the same.',
    ],
    note: 'Write prefixes with spaces between them, such as +49 +33. Without one, nobody is called: a stranger who adds an expensive number costs you money otherwise.',
  },
  accountAt: 'settings.account_sid',
  accountIdOf: ({ settings: { account_sid } }) =>
    typeof account_sid === 'string' ? account_sid : null,
} as const satisfies Vendor;

type Fields = Static<ReturnType<typeof objectOf<(typeof twilio)['settings']>>>;

/** As storage opens them: with the defaults. */
export type TwilioSettings = Fields &
  Required<Pick<Fields, 'calls_per_second' | 'messages_per_second' | 'sms_actions'>>;
