import type { Static } from 'typebox';
import { type objectOf, optional, text } from '../declaration/field.ts';
import { allowedPrefixesField } from './allowed-prefixes.ts';
import type { Vendor } from './vendor.ts';
import { linkTextOf, whatsAppUrl } from './whatsapp-link.ts';

const metaId = { pattern: '^[0-9]{5,20}$', example: '106540352242922' };
const templateName = { pattern: '^[a-z0-9_]{1,512}$' };

export const whatsAppCloud = {
  vendor: 'whatsapp-cloud',
  title: 'WhatsApp (Meta)',
  doc: 'A WhatsApp number of Meta’s Cloud API, which pages people in WhatsApp.',
  channels: ['whatsapp'],
  channelsOf: () => ['whatsapp'],
  receive: 'callbacks',
  lostWithoutCallbacks:
    'Nobody can link their WhatsApp, so nobody new can be paged there, and button presses, replies and receipts do not arrive.',
  settings: {
    phone_number_id: text({
      doc: 'The phone number ID from the page “API Setup” of the app. It is not the phone number.',
      ...metaId,
    }),
    business_account_id: text({
      doc: 'The WhatsApp Business Account ID from the same page. Pager uses it to check the templates.',
      ...metaId,
    }),
    template: text({
      doc: 'The name of the approved template for pages, with three variables and two quick-reply buttons.',
      ...templateName,
      example: 'pager_page',
    }),
    notice_template: optional(
      text({
        doc: 'The name of the approved template for other notices, such as all-clears, shift notices and pages to viewers, with two variables and no buttons. Without it, people get these only within 24 hours after they last wrote. Add it if your policies page viewers.',
        ...templateName,
        example: 'pager_notice',
      }),
    ),
    language: text({
      doc: 'The code of the templates’ language, such as en for English or en_US for English (US).',
      pattern: '^[a-z]{2,3}(_[A-Z]{2,3})?$',
      example: 'en_US',
    }),
    allowed_prefixes: allowedPrefixesField(
      'send WhatsApp messages to',
      'Meta’s price for a page depends on the country',
    ),
  },
  secrets: {
    access_token: text({
      doc: 'The permanent access token of a system user. The token on “API Setup” expires after a day.',
      pattern: '^[!-~]{20,1000}$',
      example: 'EAAJB…',
      sensitive: true,
    }),
    app_secret: text({
      doc: 'The app secret from “App settings”, “Basic”. Pager uses it to verify requests from Meta.',
      pattern: '^[0-9a-f]{32}$',
      example: '0123456789abcdef0123456789abcdef',
      sensitive: true,
    }),
    verify_token: text({
      doc: 'A text of at least 16 characters that you choose. Enter the same text at Meta as the verify token of the webhook.',
      pattern: '^[!-~]{16,100}$',
      sensitive: true,
    }),
  },
  check: [],
  setup: {
    title: 'How to get these values from Meta',
    link: { href: 'https://developers.facebook.com/apps', text: 'Open Meta for Developers' },
    steps: [
      'Create an app with the use case “Connect with customers through WhatsApp”, and add your phone number under “API Setup”. Copy the phone number ID and the WhatsApp Business Account ID into this form.',
      'In WhatsApp Manager, create the templates pager_page and pager_notice as the guide describes, and wait until Meta has approved them.',
      'In the business settings, create a system user, and assign the app and the WhatsApp account to it. Generate a token that never expires, with the permissions whatsapp_business_messaging and whatsapp_business_management. With this token, register your number as the guide describes.',
      'Save this form. In the app, under “Configuration”, enter the address from the connection’s page and the verify token, and subscribe to the field messages. Then publish the app.',
    ],
    note: 'Meta must be able to call Pager at a public https address. Otherwise nobody can link their WhatsApp.',
  },
  callbackHelp:
    'In the Meta app, under “Configuration”, enter this address as the callback URL, together with the verify token.',
  linkUrl: whatsAppUrl,
  linkText: linkTextOf,
  accountAt: 'settings.phone_number_id',
  accountIdOf: ({ settings: { phone_number_id } }) =>
    typeof phone_number_id === 'string' ? phone_number_id : null,
} as const satisfies Vendor;

/** As storage opens them. */
export type WhatsAppCloudSettings = Static<
  ReturnType<typeof objectOf<(typeof whatsAppCloud)['settings']>>
>;
