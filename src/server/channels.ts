// The ways out that are set up.
import { join } from 'node:path';
import { createChatWebhook } from '../channels/chat-webhook.ts';
import { createEmail, type Email } from '../channels/email.ts';
import { createOutbound } from '../channels/outbound.ts';
import { createOutboundWebhook } from '../channels/outbound-webhook.ts';
import type { Channel } from '../engine/sending/channel.ts';
import type { ServerContext } from './context.ts';

export type Channels = {
  /** By name. */
  readonly channels: ReadonlyMap<string, Channel>;
  readonly webhooks: ReturnType<typeof createOutboundWebhook>;
};

export function openChannels(world: ServerContext, stack: AsyncDisposableStack): Channels {
  const { email, ...channels } = channelsOf(world, stack);
  void reportTrouble(email, world);
  return channels;
}

/** The same without a server around them. */
export function channelsOf(
  { config, log, clock }: Pick<ServerContext, 'config' | 'log' | 'clock'>,
  stack: AsyncDisposableStack,
): Channels & { readonly email: Email } {
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
  return { email, channels, webhooks: createOutboundWebhook({ outbound, clock, log }) };
}

/** Not fatal, and not waited for: a mail server may be back before the first page. */
async function reportTrouble(email: Email, { config, log }: ServerContext): Promise<void> {
  const trouble = await email.trouble();
  if (trouble === null) return;
  const { smtpUrl } = config.mail;
  const setting = smtpUrl === null ? 'PAGER_DATA_DIR' : 'PAGER_SMTP_URL';
  const mail_server = smtpUrl === null ? null : URL.parse(smtpUrl)?.host;
  log.warn({ mail_server, setting }, `no mail can be sent now: ${trouble}`);
}
