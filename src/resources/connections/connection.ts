// Accounts at vendors, by which an organisation reaches people. Each vendor is declared once.
import Type from 'typebox';
import { accessLimits } from '../../limits/access.ts';
import { chatChannels, numberChannels, personalChannels } from '../channels.ts';
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
import { receives, type Vendor } from './vendor.ts';
import { vendors } from './vendors.ts';

const common = {
  name: name('The name of the connection, such as "Telegram bot of operations".'),
  position: optional(
    wholeNumber({
      doc: 'Of several connections for one channel, the one with the lowest position is used first; 1 when absent.',
      min: 1,
      max: accessLimits.connections,
    }),
  ),
  enabled: optional(
    flag({ doc: 'Whether the connection is used; true when absent.', default: true }),
  ),
};

/** Only some vendors have any that are required. */
function settingsOf({ settings }: Vendor) {
  const shape = objectOf(
    settings,
    'The settings of the account, as its vendor has them. A PATCH changes those that it names; null removes one.',
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
      'The secrets of the account, which are stored sealed and never shown. One that is left out stays as it is; null removes one that is not needed. A new connection needs those that its vendor needs.',
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
  'An account at a vendor by which people are reached.',
);

const storedSecret = objectOf({
  set: flag({ doc: 'Always true: the secret is stored.' }),
  ends: text({ doc: 'Its last four characters, by which people recognise it.' }),
  set_at: instant('When it was stored.'),
});

export const connectionStates = ['unchecked', 'ok', 'degraded', 'failing'] as const;

const counted = {
  messages: count('How many calls and messages the vendor took.'),
  segments: count('How many segments SMS were sent in, as they are billed.'),
  call_seconds: count('How long calls were, where the vendor has reported it.'),
};

const usage = objectOf(
  {
    month: text({ doc: 'The month (UTC), such as 2026-11.' }),
    ...counted,
    countries: Type.Array(
      objectOf({ country: text({ doc: 'The calling code, such as +49.' }), ...counted }),
      { description: 'The same of numbers, by calling code.' },
    ),
  },
  'What was sent by the connection in a month.',
);

export const connectionOutput = objectOf(
  {
    ...versioned('connection'),
    vendor: choice(
      vendors.map(({ vendor }) => vendor),
      { doc: 'At which vendor the account is.' },
    ),
    channels: Type.Array(choice([...personalChannels, ...chatChannels], { doc: 'A channel.' }), {
      description: 'The channels that the connection serves with its settings.',
    }),
    name: common.name,
    position: wholeNumber({
      doc: 'Of several connections for one channel, the one with the lowest position is used first.',
      min: 1,
      max: accessLimits.connections,
    }),
    enabled: flag({ doc: 'Whether the connection is used.' }),
    settings: Type.Record(Type.String(), Type.Unknown(), {
      description: 'Its settings, as its vendor has them.',
    }),
    secrets: Type.Record(Type.String(), storedSecret, {
      description: 'Which secrets are stored, by name, without their text.',
    }),
    account: optional(
      text({ doc: 'What the vendor calls the account; absent until it has answered.' }),
    ),
    health: objectOf(
      {
        state: choice(connectionStates, {
          doc: 'ok: the vendor accepts what is sent to it. degraded: it did not answer last, or failed. failing: it refuses the connection, or fails on and on. unchecked: it has not answered yet.',
        }),
        reason: optional(
          text({ doc: 'Why it is degraded or failing, with the setting to change.' }),
        ),
        checked_at: optional(
          instant('When that was known last, by something that was sent or by an hourly check.'),
        ),
        failing_since: optional(instant('Since when it is failing; absent while it is not.')),
        circuit_open_until: optional(
          instant(
            'Until when other connections for the same channel are used first, as the vendor failed several times; after that one page tries it. Absent while it is used in its order.',
          ),
        ),
      },
      'How well it works, from what is sent and an hourly check of its credentials.',
    ),
    usage: Type.Array(usage, {
      description: 'What was sent by it this month and last month, in this order.',
    }),
    receive: choice(receives, {
      doc: 'How Pager hears what people answer and what became of pages. socket: over one that it opens. poll: it fetches that. callbacks: the vendor calls `callback_urls`; without a public address Pager polls instead. nothing: the vendor sends nothing; buttons of ntfy are links of Pager.',
    }),
    callback_urls: Type.Array(
      objectOf({
        channel: choice(numberChannels, { doc: 'The channel that it is for.' }),
        url: text({ doc: 'The address, with the id of the connection.' }),
      }),
      {
        description:
          'Where the vendor calls Pager; empty unless receive is callbacks. That of sms has to be set at the vendor for replies; each call and each SMS names its own below these.',
      },
    ),
    archived_at: optional(instant('When the connection was archived; absent while it is active.')),
  },
  'An account at a vendor by which people are reached.',
);
