// The ways out that are set up.
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { byAddress } from '../channels/by-address.ts';
import { byMailServer } from '../channels/by-mail-server.ts';
import { createNumberChannel, type NumberVendor } from '../channels/by-number.ts';
import { createChatWebhook } from '../channels/chat-webhook.ts';
import { createEmail, type Email } from '../channels/email.ts';
import { createOutboundWebhook } from '../channels/outbound-webhook.ts';
import { createPush, type Publish } from '../channels/push/push.ts';
import { subjectOf } from '../channels/push/vapid.ts';
import type { SendParts, Vendor, VendorWay } from '../channels/vendor.ts';
import { createVendorHttp } from '../channels/vendor-http.ts';
import { vendors, wayTo } from '../channels/vendors.ts';
import type { NoticeChannel } from '../engine/sending/channel.ts';
import type { NoteAnswer } from '../engine/sending/connection-health.ts';
import type { Metrics } from '../metrics.ts';
import {
  type ChannelName,
  chatChannels,
  deviceChannel,
  mailChannel,
  needsMailServer,
  numberChannels,
} from '../resources/channels.ts';
import { connectedChannels as connectedTo } from '../storage/connections/connections.ts';
import { openConnectionsOf } from '../storage/connections/open-connections.ts';
import type { Sql } from '../storage/database/database.ts';
import { takenByOthers } from '../storage/outbox/handed-over.ts';
import { hasOpenWindow } from '../storage/people/contact-windows.ts';
import type { Loss, LostAt } from '../storage/people/lost-contacts.ts';
import { createPushDevices } from '../storage/people/push-devices.ts';
import { channelAnswers } from './channel-answers.ts';
import { connectionUse } from './connection-use.ts';
import type { ServerContext } from './context.ts';
import { lanesOf, vendorPacer } from './vendor-pace.ts';

export type Channels = {
  /** By name. */
  readonly channels: ReadonlyMap<string, NoticeChannel>;
  readonly email: Email;
  readonly webhooks: ReturnType<typeof createOutboundWebhook>;
};

export type ChannelParts = {
  readonly metrics: Metrics;
  /** A contact accepts nothing more. */
  readonly lost: (at: LostAt, loss: Loss) => Promise<void>;
};

type World = Pick<ServerContext, 'config' | 'log' | 'clock' | 'outbound'>;

export function openChannels(
  world: ServerContext,
  parts: ChannelParts,
  stack: AsyncDisposableStack,
): Channels {
  const answered = channelAnswers(world, parts.metrics);
  const builtIn = builtInChannels(world, stack, answered);
  const portsOf = sendPortsOf(world, parts);
  const isMailConnected = async (organizationId: string) =>
    (await connectedTo(world.pools.engine, organizationId)).includes(mailChannel);
  const channels = new Map(builtIn.channels);
  channels.set(deviceChannel, pushOf(world, parts, { answered, portsOf }));
  for (const [name, byConnection] of connectedChannels(world, portsOf, stack)) {
    const ofServer = channels.get(name);
    if (ofServer === undefined) channels.set(name, byConnection);
    else if (!needsMailServer(name))
      channels.set(name, byAddress({ byWebhook: ofServer, byConnection }));
    else if (world.config.mail.smtpUrl === null)
      channels.set(name, byMailServer({ ofServer, byConnection, isConnected: isMailConnected }));
  }
  return { ...builtIn, channels };
}

/** Those that need no connection, without a server: then none leads to devices. */
export function builtInChannels(
  { config, log, clock, outbound }: World,
  stack: AsyncDisposableStack,
  answered?: NoteAnswer,
): Channels {
  const { smtpUrl, from } = config.mail;
  const { replyDomain, bounceDomain } = config.mailListener;
  const mailDir = join(config.dataDir, 'mail');
  const noting = answered && { answered };
  const email = stack.use(
    createEmail({
      ...(smtpUrl !== null && { smtpUrl }),
      from,
      mailDir,
      replyDomain,
      bounceDomain,
      log,
      clock,
      ...noting,
    }),
  );
  const channels = new Map<string, NoticeChannel>([
    [mailChannel, email],
    ...chatChannels.map((name) => [name, createChatWebhook(name, outbound, answered)] as const),
  ]);
  return { email, channels, webhooks: createOutboundWebhook({ outbound, clock, log }) };
}

/** What connections of these vendors send by. */
export type SendPorts = Omit<SendParts, keyof VendorWay | 'publicUrl' | 'log' | 'mailReturns'>;
type PortsOf = (vendors: readonly string[]) => SendPorts;

type Push = { readonly answered: NoteAnswer; readonly portsOf: PortsOf };

function pushOf(
  world: ServerContext,
  { lost }: ChannelParts,
  { answered, portsOf }: Push,
): NoticeChannel {
  const { config, clock, log, outbound, pools, secrets, vapidKey: privateKey } = world;
  return createPush({
    outbound,
    devices: createPushDevices({ sql: pools.engine, secrets, log, lost }),
    vapid: { privateKey, subject: subjectOf(config.mail.from, config.publicUrl) },
    clock,
    log,
    publish: publishingOf(world, portsOf),
    answered,
  });
}

function publishingOf(world: World, portsOf: PortsOf): Publish {
  const [publish] = vendors.flatMap(
    (vendor) => vendor.send[deviceChannel]?.(sendPartsOf(world, vendor, portsOf)) ?? [],
  );
  return publish ?? (async () => ({ outcome: 'failed', reason: 'no vendor supports this device' }));
}

/** The channels of connections to these vendors, by name. What they keep open is closed with the stack. */
export function connectedChannels(
  world: World,
  portsOf: PortsOf,
  stack: AsyncDisposableStack,
): ReadonlyMap<string, NoticeChannel> {
  const byNumber = numberChannels.flatMap((channel): [string, NoticeChannel][] => {
    const serving = vendors.flatMap((vendor): [string, NumberVendor][] => {
      const serve = vendor.send[channel];
      const name = vendor.declaration.vendor;
      return serve === undefined ? [] : [[name, serve(sendPartsOf(world, vendor, portsOf))]];
    });
    if (serving.length === 0) return [];
    const { connectionsOf, inTurn, lost } = portsOf(serving.map(([name]) => name));
    const numbers = createNumberChannel({
      channel,
      vendors: new Map(serving),
      connectionsOf,
      inTurn,
      lost,
      answered: (connection, answer) => portsOf([connection.vendor]).answered(connection, answer),
    });
    return [[channel, numbers]];
  });
  const others = vendors.flatMap((vendor) =>
    servedBy(vendor).map((channel) => {
      const open = vendor.send[channel];
      if (open === undefined) throw new Error(`${channel} is served by nothing`);
      return [channel, open(sendPartsOf(world, vendor, portsOf))] as const;
    }),
  );
  for (const [, channel] of others) if (isDisposable(channel)) stack.use(channel);
  return new Map([...others, ...byNumber]);
}

const isDisposable = (channel: object): channel is AsyncDisposable =>
  Symbol.asyncDispose in channel;

type OwnChannel = Exclude<ChannelName, (typeof numberChannels)[number] | typeof deviceChannel>;

/** Without those that it serves together with others. */
const servedBy = ({ send }: Vendor): readonly OwnChannel[] =>
  (Object.keys(send) as ChannelName[]).filter(
    (name): name is OwnChannel =>
      name !== deviceChannel && !numberChannels.some((each) => each === name),
  );

const sendPartsOf = (world: World, vendor: Vendor, portsOf: PortsOf): SendParts => ({
  ...vendorWay(world, vendor),
  ...portsOf([vendor.declaration.vendor]),
  publicUrl: world.config.publicUrl,
  log: world.log,
  mailReturns: world.config.mailListener,
});

function sendPortsOf(world: ServerContext, { metrics, lost }: ChannelParts): PortsOf {
  const { clock, secrets, pools } = world;
  const { engine: sql } = pools;
  const lanes = lanesOf({ sql, clock, pause });
  const turn = vendorPacer({ sql, clock, pause });
  return (names) => ({
    ...connectionUse(world, metrics, names.join()),
    connectionsOf: (organizationId) => openConnectionsOf({ sql, secrets }, organizationId, names),
    lanes,
    hasOpenWindow: ({ organization_id: organizationId, id: connectionId }, contact) =>
      hasOpenWindow(sql, { organizationId, connectionId, ...contact }, clock.now()),
    lost,
    turn,
    hold: (connection, channel) => lanes.hold(connection, channel),
    takenByOthers: takenByOthersIn(sql),
  });
}

export const takenByOthersIn =
  (sql: Sql): SendPorts['takenByOthers'] =>
  ({ organization, key }, vendorIds) =>
    takenByOthers(sql, { organization_id: organization.id, key }, vendorIds);

const http = createVendorHttp();

export const vendorWay = (
  { config, clock, outbound }: Pick<World, 'config' | 'clock' | 'outbound'>,
  vendor: Vendor,
): VendorWay => wayTo(vendor, config, { http, outbound, clock });
