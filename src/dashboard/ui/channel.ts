import { channelNames } from '../../resources/channel-names.ts';
import type { PersonalChannel } from '../../resources/channels.ts';
import type { iconNames } from './icon-names.ts';

type IconName = (typeof iconNames)[number];

export type { PersonalChannel };
export { channelNames };

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

const nameOf: ReadonlyMap<string, string> = new Map(Object.entries(channelNames));

/** Of whatever a notice is sent by. */
export const channelName = (channel: string): string =>
  channel === 'webhook' ? 'Webhook' : (nameOf.get(channel) ?? channel);
