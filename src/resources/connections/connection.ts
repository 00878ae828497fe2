// Accounts at vendors, by which an organization reaches people. Each vendor is declared once.
import Type from 'typebox';
import { accessLimits } from '../../limits/access.ts';
import { chatChannels, personalChannels } from '../channels.ts';
import { count, instant } from '../declaration/answer.ts';
import {
  choice,
  flag,
  name,
  objectOf,
  optional,
  text,
  variant,
  wholeNumber,
} from '../declaration/field.ts';
import { versioned } from '../declaration/resource.ts';
import { inboundModes, type Vendor } from './vendor.ts';
import { vendors } from './vendors.ts';

const common = {
  name: name('The name of the connection, such as "Telegram bot of operations".'),
  position: optional(
    wholeNumber({
      doc: 'If a channel has several connections, the one with the lowest position is used first. Default: 1.',
      min: 1,
      max: accessLimits.connections,
    }),
  ),
  enabled: optional(flag({ doc: 'Whether the connection is used. Default: true.', default: true })),
};

/** Only some vendors have any that are required. */
function settingsOf({ settings }: Vendor) {
  const shape = objectOf(
    settings,
    'The vendor settings of the account. A PATCH changes only the settings that it contains. Null removes a setting.',
  );
  return (shape.required ?? []).length > 0 ? shape : optional(shape);
}

/** A secret that a write leaves out stays as it is. */
const secretsOf = ({ secrets }: Vendor) =>
  optional(
    objectOf(
      Object.fromEntries(
        Object.entries(secrets).map(([field, schema]) => [field, optional(schema)]),
      ),
      'The secrets of the account. They are stored encrypted and never returned. A secret that is not sent stays unchanged. Null removes an optional secret. A new connection needs all secrets that its vendor requires.',
    ),
  );

export const connectionInput = variant(
  'vendor',
  Object.fromEntries(
    vendors.map((vendor) => [
      vendor.vendor,
      {
        doc: vendor.doc,
        fields: { ...common, settings: settingsOf(vendor), secrets: secretsOf(vendor) },
      },
    ]),
  ),
  'A vendor account that Pager uses to reach people.',
);

const storedSecret = objectOf({
  set: flag({ doc: 'Always true: the secret is stored.' }),
  ends: optional(
    text({
      doc: 'Its last four characters, to identify it. Absent for a password that a person chose.',
    }),
  ),
  set_at: instant('When it was stored.'),
});

export const connectionStates = ['unchecked', 'ok', 'degraded', 'failing'] as const;

const counted = {
  messages: count('The number of calls and messages that the vendor accepted.'),
  segments: count('The number of billed SMS segments.'),
  call_seconds: count('The duration of calls, if the vendor reported it.'),
};

const usage = objectOf(
  {
    month: text({ doc: 'The month (UTC), such as 2026-11.' }),
    ...counted,
    countries: Type.Array(
      objectOf({ country: text({ doc: 'The calling code, such as +49.' }), ...counted }),
      { description: 'Usage by calling code.' },
    ),
  },
  'The connection’s usage in a month.',
);

export const connectionOutput = objectOf(
  {
    ...versioned('connection'),
    vendor: choice(
      vendors.map(({ vendor }) => vendor),
      { doc: 'The vendor of the account.' },
    ),
    channels: Type.Array(choice([...personalChannels, ...chatChannels], { doc: 'A channel.' }), {
      description: 'The channels that the connection serves with its settings.',
    }),
    name: common.name,
    position: wholeNumber({
      doc: 'If a channel has several connections, the one with the lowest position is used first.',
      min: 1,
      max: accessLimits.connections,
    }),
    enabled: flag({ doc: 'Whether the connection is used.' }),
    unused_reason: optional(
      text({
        doc: 'Why Pager does not use it although it is enabled, such as a mail server while PAGER_SMTP_URL is set. Absent if it is used.',
      }),
    ),
    settings: Type.Record(Type.String(), Type.Unknown(), {
      description: 'The vendor settings.',
    }),
    secrets: Type.Record(Type.String(), storedSecret, {
      description: 'The stored secrets by name, without their values.',
    }),
    account: optional(
      text({ doc: 'The vendor’s name for the account. Absent until the vendor has responded.' }),
    ),
    health: objectOf(
      {
        state: choice(connectionStates, {
          doc: 'ok: the vendor accepts messages. degraded: the last attempt failed or got no response. failing: the vendor rejects the connection or keeps failing. unchecked: the vendor has not responded yet.',
        }),
        reason: optional(
          text({ doc: 'Why it is degraded or failing, and which setting to change.' }),
        ),
        checked_at: optional(instant('When a message or an hourly check last confirmed this.')),
        failing_since: optional(instant('When it began to fail. Absent while it is not failing.')),
        circuit_open_until: optional(
          instant(
            'The time until which other connections for the channel are used first because the vendor failed repeatedly. After that, one page tries it again. Absent while it is used in its normal order.',
          ),
        ),
      },
      'The health of the connection, based on messages and an hourly check of its credentials.',
    ),
    usage: Type.Array(usage, {
      description: 'Its usage this month and last month, in this order.',
    }),
    receive: choice(inboundModes, {
      doc: 'How Pager receives replies and receipts. socket: over a socket that Pager opens. poll: Pager polls the vendor. callbacks: the vendor calls `callback_urls`. Without a public address, Pager polls Twilio and opens a socket to Discord instead, and receives nothing from Meta and Microsoft Teams. nothing: Pager receives nothing from the vendor. Buttons in ntfy are links to Pager.',
    }),
    callback_urls: Type.Array(
      objectOf({
        channel: choice([...personalChannels, ...chatChannels], {
          doc: 'The channel of the address.',
        }),
        url: text({ doc: 'The address, with the id of the connection.' }),
      }),
      {
        description:
          'The addresses that the vendor calls. Empty unless receive is callbacks. To receive replies, enter the address at the vendor: the sms and whatsapp addresses at Twilio, the whatsapp address as the callback URL at Meta, and the msteams address as the messaging endpoint in Azure. Pager sets the discord address itself. Each call and message uses its own address below these.',
      },
    ),
    callback_warning: optional(
      text({
        doc: 'What is missing because the vendor cannot call this server, and how to change that. Absent if nothing is missing.',
        max: 1_000,
      }),
    ),
    archived_at: optional(instant('When the connection was archived. Absent while it is active.')),
  },
  'A vendor account that Pager uses to reach people.',
);
