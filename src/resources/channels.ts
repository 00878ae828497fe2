// Ways to reach people and chats, declared once for records, contacts, notices and vendors.

/** Reach one person, at a contact that they have verified. */
export const personalChannels = [
  'phone',
  'sms',
  'email',
  'whatsapp',
  'telegram',
  'push-notification',
] as const;
type PersonalChannel = (typeof personalChannels)[number];

/** Reach everybody in a chat room. */
export const chatChannels = ['slack', 'msteams', 'discord'] as const;
export type ChatChannel = (typeof chatChannels)[number];

const isShiftChannel = (
  channel: PersonalChannel,
): channel is Exclude<PersonalChannel, 'push-notification'> => channel !== 'push-notification';

/** Those that lead somewhere without a connection: to the mail server, browsers, and webhooks of chats. */
export const channelsWithoutConnection = ['email', 'push-notification', ...chatChannels] as const;

/** Those that a person can choose for notices of shifts. */
export const shiftChannels = personalChannels.filter(isShiftChannel);
