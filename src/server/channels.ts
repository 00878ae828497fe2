// The ways out that are set up.
import type { KeyObject } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  createNumberChannel,
  type NumberOptions,
  type NumberVendor,
} from '../channels/by-number.ts';
import { createChatWebhook } from '../channels/chat-webhook.ts';
import { createEmail, type Email } from '../channels/email.ts';
import { createOutbound } from '../channels/outbound.ts';
import { createOutboundWebhook } from '../channels/outbound-webhook.ts';
import { callbackUrlOf } from '../channels/public-address.ts';
import type { NtfyOptions } from '../channels/push/ntfy.ts';
import { createPush, type PushDevices } from '../channels/push/push.ts';
import { subjectOf } from '../channels/push/vapid.ts';
import { createSlack } from '../channels/slack/channel.ts';
import { slackUrl } from '../channels/slack/client.ts';
import { slackByAddress } from '../channels/slack/either.ts';
import { createTelegram, type TelegramOptions, telegramUrl } from '../channels/telegram/channel.ts';
import { twilioUrl } from '../channels/twilio/client.ts';
import { createVendorHttp } from '../channels/vendor-http.ts';
import { type NumberParts, vendors, wayTo } from '../channels/vendors.ts';
import type { Config } from '../config.ts';
import type { NoticeChannel } from '../engine/sending/channel.ts';
import type { NoteAnswer } from '../engine/sending/connection-health.ts';
import { sendingLimits } from '../limits/sending.ts';
import type { Metrics } from '../metrics.ts';
import { numberChannels } from '../resources/channels.ts';
import { ntfyUrl } from '../resources/connections/ntfy.ts';
import { openConnectionsOf } from '../storage/connections/connections.ts';
import { holdLane } from '../storage/connections/lanes.ts';
import type { Sql } from '../storage/database.ts';
import { takenByOthers } from '../storage/outbox/handed-over.ts';
import type { Loss, LostAt } from '../storage/people/lost-contacts.ts';
import { createPushDevices } from '../storage/people/push-devices.ts';
import { channelAnswers } from './channel-answers.ts';
import { connectionUse } from './connection-use.ts';
import type { ServerContext } from './context.ts';
import { lanesOf, turnsOf } from './turns.ts';

export type Channels = {
  /** By name. */
  readonly channels: ReadonlyMap<string, NoticeChannel>;
  readonly email: Email;
  readonly webhooks: ReturnType<typeof createOutboundWebhook>;
};

export type ChannelParts = {
  readonly metrics: Metrics;
  /** Nothing arrives there any more. */
  readonly lost: (at: LostAt, loss: Loss) => Promise<void>;
};

export function openChannels(
  world: ServerContext,
  parts: ChannelParts,
  stack: AsyncDisposableStack,
): Channels {
  const { pools, secrets, log, vapidKey: privateKey } = world;
  const { metrics, lost } = parts;
  const devices: PushDevices = createPushDevices({ sql: pools.engine, secrets, log, lost });
  const { answered } = connectionUse(world, metrics, 'ntfy');
  const lanes = lanesOf({ sql: pools.engine, clock: world.clock, pause });
  const ntfy: Push['ntfy'] = {
    answered,
    lanes,
    connectionsOf: (organizationId) =>
      openConnectionsOf({ ...world, sql: pools.engine }, organizationId, 'ntfy'),
  };
  const { email, channels, webhooks } = channelsOf(world, stack, {
    devices,
    privateKey,
    ntfy,
    answered: channelAnswers(world, metrics),
  });
  const connected = connectedChannels(world, parts, channels);
  return { channels: new Map([...channels, ...connected]), email, webhooks };
}

type Push = {
  readonly devices: PushDevices;
  readonly privateKey: KeyObject;
  readonly ntfy: Pick<NtfyOptions, 'answered' | 'connectionsOf' | 'lanes'>;
  readonly answered: NoteAnswer;
};

/** Those that need a connection. */
function connectedChannels(
  world: ServerContext,
  { metrics, lost }: ChannelParts,
  channels: Channels['channels'],
): [string, NoticeChannel][] {
  const { config, clock, secrets, pools } = world;
  const { engine: sql } = pools;
  const lanes = lanesOf({ sql, clock, pause });
  const connectionsOf = (vendor: string | readonly string[]) => (organizationId: string) =>
    openConnectionsOf({ sql, secrets }, organizationId, vendor);
  const use = (vendor: string) => connectionUse(world, metrics, vendor);
  const telegram = telegramOf(config, {
    ...use('telegram'),
    connectionsOf: connectionsOf('telegram'),
    lanes,
    lost: (chat, loss) => lost({ ...chat, channel: 'telegram' }, loss),
  });
  const hold: NumberParts['hold'] = ({ organization_id: organizationId, id }, channel) =>
    holdLane(sql, {
      organizationId,
      connectionId: id,
      channel,
      until: clock.now().add({ seconds: sendingLimits.laneHold }),
    });
  const numbers = numbersOf(world, {
    clock,
    connectionsOf: connectionsOf(numberVendors),
    hold,
    lost,
    turn: turnsOf({ sql, clock, pause }),
    takenByOthers: takenByOthersIn(sql),
    inTurn: use('').inTurn,
    answered: (connection, answer) => use(connection.vendor).answered(connection, answer),
  });
  const byApp = createSlack({
    ...use('slack'),
    ...slackApi(config),
    connectionsOf: connectionsOf('slack'),
    lanes,
  });
  const byWebhook = channels.get('slack');
  if (byWebhook === undefined) throw new Error('Slack has no webhooks');
  const slack = slackByAddress({ byWebhook, byApp });
  return [['telegram', telegram], ['slack', slack], ...numbers];
}

/** The way to Slack's Web API. */
export const slackApi = ({ vendorUrls }: Config) => ({
  baseUrl: vendorUrls['slack'] ?? slackUrl,
  http: createVendorHttp(),
});

type TelegramPorts = Omit<TelegramOptions, 'baseUrl' | 'http'>;

export const telegramOf = (config: Config, ports: TelegramPorts): NoticeChannel =>
  createTelegram({ ...telegramApi(config), ...ports });

/** The way to Telegram's Bot API. */
export const telegramApi = ({ vendorUrls }: Config) => ({
  baseUrl: vendorUrls['telegram'] ?? telegramUrl,
  http: createVendorHttp(),
});

type NumberPorts = Omit<NumberOptions, 'channel' | 'vendors'> &
  Pick<NumberParts, 'clock' | 'turn' | 'hold' | 'takenByOthers'>;

/** Those by which people are called and texted. */
export const numberVendors: readonly string[] = vendors
  .filter(({ numbers }) => numbers !== undefined)
  .map(({ vendor }) => vendor);

export const takenByOthersIn =
  (sql: Sql): NumberParts['takenByOthers'] =>
  ({ organization, key }, vendorIds) =>
    takenByOthers(sql, { organization_id: organization.id, key }, vendorIds);

export function numbersOf(
  world: Pick<ServerContext, 'config' | 'log' | 'clock'>,
  { clock, turn, hold, takenByOthers, ...ports }: NumberPorts,
): [string, NoticeChannel][] {
  return numberChannels.map((channel) => {
    const serving = vendors.flatMap((one): [string, NumberVendor][] => {
      const serve = one.numbers?.[channel];
      if (serve === undefined) return [];
      const way = vendorWay(world, one);
      return [[one.vendor, serve({ ...way, clock, turn, hold, takenByOthers })]];
    });
    return [channel, createNumberChannel({ ...ports, channel, vendors: new Map(serving) })];
  });
}

export const vendorWay = (
  { config, log, clock }: Pick<ServerContext, 'config' | 'log' | 'clock'>,
  vendor: Parameters<typeof wayTo>[0],
) =>
  wayTo(vendor, config, {
    http: createVendorHttp(),
    outbound: createOutbound({ allowNetworks: config.allowNetworks, log, clock }),
  });

/** The way to Twilio's API, and back. */
export const twilioApi = ({ vendorUrls, publicUrl }: Config) => ({
  baseUrl: vendorUrls['twilio'] ?? twilioUrl,
  http: createVendorHttp(),
  callbackUrl: callbackUrlOf(publicUrl, vendorUrls['twilio'] !== undefined),
});

/** The others, without a server around them; then none leads to browsers, which the database knows. */
export function channelsOf(
  { config, log, clock }: Pick<ServerContext, 'config' | 'log' | 'clock'>,
  stack: AsyncDisposableStack,
  push?: Push,
): Channels {
  const { smtpUrl, from } = config.mail;
  const mailDir = join(config.dataDir, 'mail');
  const noting = push && { answered: push.answered };
  const email = stack.use(
    createEmail({ ...(smtpUrl !== null && { smtpUrl }), from, mailDir, log, clock, ...noting }),
  );
  const outbound = createOutbound({ allowNetworks: config.allowNetworks, log, clock });
  const channels = new Map<string, NoticeChannel>([
    ['email', email],
    ['slack', createChatWebhook('slack', outbound, push?.answered)],
    ['msteams', createChatWebhook('msteams', outbound, push?.answered)],
    ['discord', createChatWebhook('discord', outbound, push?.answered)],
  ]);
  if (push !== undefined) {
    const { devices, privateKey, answered } = push;
    const { publicUrl } = config;
    const baseUrl = config.vendorUrls['ntfy'] ?? ntfyUrl;
    const ntfy = { ...push.ntfy, baseUrl, publicUrl };
    const vapid = { privateKey, subject: subjectOf(from, config.publicUrl) };
    channels.set(
      'push-notification',
      createPush({ outbound, devices, vapid, clock, log, ntfy, answered }),
    );
  }
  return { email, channels, webhooks: createOutboundWebhook({ outbound, clock, log }) };
}
