// By channel: what has arrived at its vendor, how a person answers there, and what a vendor does to keep
// copies away.
import type { ChannelName } from '../../src/resources/channels.ts';
import type { Sql } from '../../src/storage/database/database.ts';
import type { Api } from './api-client.ts';
import { addContact, type EveryVendor } from './every-vendor.ts';

export const people = {
  number: '+4915112345678',
  texted: '+4915187654321',
  chat: '4711',
  topic: 'pager-0123456789abcdef',
  slack: 'U0ADA',
  msteams: '29:ada',
  discord: '53908232506183680',
} as const;

export const team = '19:team@thread.tacv2';

export const rooms = {
  slack: 'C0000ALERTS',
  msteams: '19:alerts@thread.tacv2',
  discord: '845027738276400001',
} as const;

/** The owner is reached by each personal channel, and known in each chat tool. Answers who they are. */
export async function addPeople(vendors: EveryVendor, api: Api, sql: Sql): Promise<string> {
  const { slack, msteams, discord, telegram } = vendors;
  slack.addChannel(rooms.slack);
  discord.addChannel(rooms.discord);
  msteams.addTeam(team, 'Shop', { [rooms.msteams]: 'alerts' });
  const email = 'owner@example.test';
  slack.addUser(people.slack, { email });
  msteams.addPerson(people.msteams, {
    objectId: 'bbbbbbbb-0000-4000-8000-000000000001',
    name: 'Ada',
    email,
  });
  telegram.start(people.chat);
  const [{ id: userId }] = (await api.list('users')) as [{ id: string }];
  await sql`update contacts set verified_at = now()`;
  for (const [channel, address] of [
    ['phone', people.number],
    ['sms', people.texted],
    ['whatsapp', people.texted],
    ['telegram', people.chat],
  ] as const)
    await addContact(sql, { userId, channel, address });
  await sql`
    insert into chat_accounts (organization_id, id, connection_id, vendor_user_id, vendor_user_name, user_id, how, linked_at)
    select organization_id, reverse(id), id, ${people.discord}, 'Ada', ${userId}, 'link', now()
    from channel_connections where vendor = 'discord'`;
  return userId;
}

/** Of an escalation policy. */
export function targetOf(via: ChannelName, userId: string): object {
  const room = rooms[via as keyof typeof rooms];
  return room === undefined ? { via, user_id: userId } : { via, channel_id: room };
}

/** One message of a page, as it is shown now. */
export type Copy = {
  readonly text: string;
  /** Presses Acknowledge, as its person. */
  press?(): unknown;
  /** The vendor reports that it arrived. */
  report?(): Promise<number>;
};

type Recipient = {
  readonly copies: (vendors: EveryVendor) => readonly Copy[];
  /**
   * Messages can be changed: each shows what became of its incident. `recorded`: not those whose sending was cut
   * off before their incident changed, for a button of theirs does not say which message it is of.
   */
  readonly edits: boolean | 'recorded';
  /** What keeps a page that is sent again from arriving again. Null: nothing does. */
  readonly once: 'an id that the vendor reads' | 'the vendor is asked first' | null;
  /** Milliseconds from one event to the next: no vendor is sent more than it takes. */
  readonly every: number;
};

export const recipients: Readonly<Record<ChannelName, Recipient>> = {
  phone: {
    copies: ({ twilio }) => twilio.calls.map(({ twiml }) => ({ text: twiml })),
    edits: false,
    once: 'the vendor is asked first',
    every: 1_000,
  },
  sms: {
    copies: ({ twilio }) => twilio.messages.map(({ body }) => ({ text: body })),
    edits: false,
    once: 'the vendor is asked first',
    every: 1_000,
  },
  email: {
    copies: ({ mail }) => mail.mails.map(({ subject }) => ({ text: subject })),
    edits: false,
    once: null,
    every: 500,
  },
  whatsapp: {
    copies: ({ whatsapp }) =>
      whatsapp.messages.map((message) => ({
        text: message.text,
        report: () => whatsapp.report(message, 'delivered'),
      })),
    edits: false,
    once: null,
    // One in six seconds to one person.
    every: 6_500,
  },
  telegram: {
    copies: ({ telegram }) =>
      telegram.messages.map(({ text, messageId }) => ({
        text,
        press: () => telegram.press(messageId, 'Acknowledge'),
      })),
    edits: true,
    once: null,
    every: 1_500,
  },
  'push-notification': {
    copies: ({ ntfy }) =>
      ntfy.shown(people.topic).map((message) => ({
        text: `${message.title}\n${message.message}`,
        press: () => ntfy.press(message, 'Acknowledge'),
      })),
    edits: 'recorded',
    once: 'an id that the vendor reads',
    // A server takes one in five seconds; each event is a page and its change.
    every: 10_500,
  },
  slack: {
    copies: ({ slack }) =>
      slack.messages
        .filter(({ threadTs }) => threadTs === null)
        .map(({ shown, ts }) => ({
          text: shown,
          press: () => slack.press(people.slack, ts, 'Acknowledge'),
        })),
    edits: true,
    once: null,
    every: 2_500,
  },
  msteams: {
    copies: ({ msteams }) =>
      msteams.messages
        .filter(({ isReply }) => !isReply)
        .map((message) => ({
          text: message.shown,
          press: () => msteams.press(people.msteams, message, 'Acknowledge'),
        })),
    edits: true,
    once: null,
    every: 2_500,
  },
  discord: {
    copies: ({ discord }) =>
      discord.messages
        .filter(({ channelId }) => channelId === rooms.discord)
        .map(({ shown, id }) => ({
          text: shown,
          press: () => discord.press(people.discord, id, 'Acknowledge'),
        })),
    edits: true,
    once: 'an id that the vendor reads',
    every: 3_000,
  },
};

/** A word that every channel leaves as it is, telephones too, which spell what cannot be spoken. */
export const codeOf = (number: number): string =>
  [...number.toString().padStart(5, '0')].map((digit) => syllables[Number(digit)]).join('');

const syllables = ['ba', 'be', 'bi', 'bo', 'bu', 'da', 'de', 'di', 'do', 'du'];
