// The ways out that are set up.
import { join } from 'node:path';
import { createChatWebhook } from '../channels/chat-webhook.ts';
import { createEmail } from '../channels/email.ts';
import { createOutbound } from '../channels/outbound.ts';
import { createOutboundWebhook } from '../channels/outbound-webhook.ts';
import type { Channel } from '../engine/sending/channel.ts';
import type { World } from './world.ts';

export type Channels = {
  /** By name. */
  readonly channels: ReadonlyMap<string, Channel>;
  readonly webhooks: ReturnType<typeof createOutboundWebhook>;
};

export function openChannels(world: World, stack: AsyncDisposableStack): Channels {
  const { config, log, clock } = world;
  const { smtpUrl, from } = config.mail;
  const mailDir = join(config.dataDir, 'mail');
  const email = stack.use(
    createEmail({ ...(smtpUrl !== null && { smtpUrl }), from, mailDir, log, clock }),
  );
  const outbound = createOutbound({ allowNetworks: config.allowNetworks, log, clock });
  const channels = new Map<string, Channel>([
    ['email', email],
    ['slack', createChatWebhook('slack', outbound)],
    ['msteams', createChatWebhook('msteams', outbound)],
    ['discord', createChatWebhook('discord', outbound)],
  ]);
  return { channels, webhooks: createOutboundWebhook({ outbound, clock, log }) };
}
