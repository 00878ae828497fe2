// The ways out that are set up.
import type { KeyObject } from 'node:crypto';
import { join } from 'node:path';
import { createChatWebhook } from '../channels/chat-webhook.ts';
import { createEmail, type Email } from '../channels/email.ts';
import { createOutbound } from '../channels/outbound.ts';
import { createOutboundWebhook } from '../channels/outbound-webhook.ts';
import { createPush, type PushDevices } from '../channels/push/push.ts';
import { subjectOf } from '../channels/push/vapid.ts';
import { createTelegram, type TelegramOptions, telegramUrl } from '../channels/telegram/channel.ts';
import { createVendorHttp } from '../channels/vendor-http.ts';
import type { Config } from '../config.ts';
import type { Channel } from '../engine/sending/channel.ts';
import { noteHealth, openConnectionsOf } from '../storage/connections/connections.ts';
import { loseChat } from '../storage/people/contacts.ts';
import { createPushDevices } from '../storage/people/push-devices.ts';
import type { ServerContext } from './context.ts';

export type Channels = {
  /** By name. */
  readonly channels: ReadonlyMap<string, Channel>;
  readonly webhooks: ReturnType<typeof createOutboundWebhook>;
};

export function openChannels(world: ServerContext, stack: AsyncDisposableStack): Channels {
  const { pools, vapidKey: privateKey } = world;
  const devices: PushDevices = createPushDevices({ ...world, sql: pools.engine });
  const { email, channels, webhooks } = channelsOf(world, stack, { devices, privateKey });
  void reportTrouble(email, world);
  return { channels: new Map([...channels, ...connectedChannels(world)]), webhooks };
}

type Push = { readonly devices: PushDevices; readonly privateKey: KeyObject };

/** Those that need a connection. */
function connectedChannels({
  config,
  clock,
  secrets,
  ids,
  pools,
}: ServerContext): [string, Channel][] {
  const { engine: sql } = pools;
  const telegram = telegramOf(config, {
    connectionsOf: (organizationId) =>
      openConnectionsOf({ sql, secrets }, organizationId, 'telegram'),
    refused: ({ organization_id: organizationId, id: connectionId }, reason) =>
      noteHealth(sql, { organizationId, connectionId, now: clock.now(), reason }),
    lost: (chat, loss) =>
      loseChat(sql, { ...chat, channel: 'telegram', ids, now: clock.now() }, loss),
  });
  return [['telegram', telegram]];
}

type TelegramPorts = Pick<TelegramOptions, 'connectionsOf' | 'refused' | 'lost'>;

export const telegramOf = (config: Config, ports: TelegramPorts): Channel =>
  createTelegram({ baseUrl: vendorUrl(config, 'telegram'), http: createVendorHttp(), ...ports });

/** Where the API of a vendor is. */
export const vendorUrl = ({ vendorUrls }: Pick<Config, 'vendorUrls'>, vendor: 'telegram'): string =>
  vendorUrls[vendor] ?? { telegram: telegramUrl }[vendor];

/** The others, without a server around them; then none leads to browsers, which the database knows. */
export function channelsOf(
  { config, log, clock }: Pick<ServerContext, 'config' | 'log' | 'clock'>,
  stack: AsyncDisposableStack,
  push?: Push,
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
  if (push !== undefined) {
    const { devices, privateKey } = push;
    const vapid = { privateKey, subject: subjectOf(from, config.publicUrl) };
    channels.set('push-notification', createPush({ outbound, devices, vapid, clock, log }));
  }
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
