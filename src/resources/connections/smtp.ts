import type { Static } from 'typebox';
import { choice, type objectOf, optional, text, wholeNumber } from '../declaration/field.ts';
import type { Settings, Vendor } from './vendor.ts';

const securities = ['starttls', 'tls', 'none'] as const;

const senderAddress = '[^\\s@<>(),;:"\\\\]+@[A-Za-z0-9.-]+';
/** What separates addresses stands in quotes. RFC 5322. */
const senderName = '([^\\u0000-\\u001f<>@(),;:"\\\\]*|"[^\\u0000-\\u001f"\\\\]*" *)';

export const smtp = {
  vendor: 'smtp',
  title: 'Mail server',
  doc: 'A mail server (SMTP). Pager sends all e-mails of the organization through it: pages, other notices, invitations and password resets.',
  channels: ['email'],
  channelsOf: () => ['email'],
  receive: 'nothing',
  receiveText:
    'Replies to pages and bounces do not come back through this connection. Pager receives them at its own mail domain, if the operator has set one up.',
  settings: {
    host: text({
      doc: 'The host name or IP address of the mail server.',
      max: 253,
      pattern: '^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$|^[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*$',
      example: 'smtp.example.com',
    }),
    port: optional(
      wholeNumber({
        doc: 'The port of the mail server. Default: 587, or 465 with TLS from the beginning.',
        min: 1,
        max: 65_535,
      }),
    ),
    security: optional(
      choice(securities, {
        doc: 'How the connection is encrypted: STARTTLS before anything is sent, TLS from the beginning, or none, which is acceptable only in a private network. STARTTLS by default.',
        default: 'starttls',
      }),
    ),
    from_email: text({
      doc: 'The sender of the e-mails: an address that the mail server lets Pager use, with a name if you like.',
      max: 300,
      pattern: `^(${senderName}<${senderAddress}>|${senderAddress})$`,
      example: 'Pager <pager@example.com>',
    }),
    username: optional(
      text({
        doc: 'The user name for signing in. Leave it empty if the mail server requires no sign-in.',
        min: 1,
        max: 300,
        pattern: '^[^\\u0000-\\u001f]+$',
        example: 'pager@example.com',
      }),
    ),
  },
  secrets: {
    password: optional(
      text({
        doc: 'The password for signing in. Some providers require an app password or an API key instead.',
        min: 1,
        max: 500,
        pattern: '^[^\\u0000-\\u001f]+$',
        example: 'correct horse battery staple',
        sensitive: true,
      }),
    ),
  },
  chosenSecrets: ['password'],
  check: [{ set: 'all_or_none', of: ['settings.username', 'secrets.password'] }],
  accountAt: 'settings.host',
  // A stored password is sent only to the server that it was entered for.
  accountIdOf: ({ settings: { host } }) => (typeof host === 'string' ? host.toLowerCase() : null),
} as const satisfies Vendor;

type Fields = Static<ReturnType<typeof objectOf<(typeof smtp)['settings']>>>;

/** As storage opens them: with the defaults. */
export type SmtpSettings = Fields & Required<Pick<Fields, 'security'>>;

export const smtpPortOf = ({ port, security }: Settings): number =>
  typeof port === 'number' ? port : security === 'tls' ? 465 : 587;
