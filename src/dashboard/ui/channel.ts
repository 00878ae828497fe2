import type { personalChannels } from '../../resources/channels.ts';
import type { iconNames } from './icon-names.ts';

type IconName = (typeof iconNames)[number];
export type PersonalChannel = (typeof personalChannels)[number];

export const channelNames: Readonly<Record<PersonalChannel, string>> = {
  phone: 'Phone call',
  sms: 'SMS',
  email: 'E-mail',
  whatsapp: 'WhatsApp',
  telegram: 'Telegram',
  'push-notification': 'Push notification',
};

export const channelIcons: Readonly<Record<PersonalChannel, IconName>> = {
  phone: 'phone',
  sms: 'message-square-text',
  email: 'mail',
  whatsapp: 'message-circle',
  telegram: 'send',
  'push-notification': 'bell-ring',
};

/** Of a chat room's too. */
export const channelIcon = (channel: string): IconName =>
  Object.hasOwn(channelIcons, channel)
    ? channelIcons[channel as PersonalChannel]
    : 'message-square-text';

const noticeChannelNames: Readonly<Record<string, string>> = {
  ...channelNames,
  slack: 'Slack',
  msteams: 'Microsoft Teams',
  discord: 'Discord',
  webhook: 'Webhook',
};

/** Of whatever a notice is sent by. */
export const channelName = (channel: string): string => noticeChannelNames[channel] ?? channel;
