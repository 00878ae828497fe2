// The channels of an organization's connections, for commands that send without a server.
import { noLanes } from '../channels/lanes.ts';
import { vendors } from '../channels/vendors.ts';
import type { Config } from '../config.ts';
import type { NoticeChannel } from '../engine/sending/channel.ts';
import { isBuiltIn, needsMailServer } from '../resources/channels.ts';
import { keyIn } from '../secret-key.ts';
import { connectedChannels, takenByOthersIn } from '../server/channels.ts';
import { connectedChannels as connectedTo } from '../storage/connections/connections.ts';
import { openConnectionsOf } from '../storage/connections/open-connections.ts';
import type { Sql } from '../storage/database/database.ts';
import { fingerprintOf, readInstallation } from '../storage/sealed/installation.ts';
import { sendingWorld } from './command.ts';

const vendorNames = vendors.map(({ declaration }) => declaration.vendor);

type Wanted = {
  readonly config: Config;
  readonly organizationId: string;
  readonly channels: Iterable<string>;
  /** What they keep open is closed with it. */
  readonly stack: AsyncDisposableStack;
};

/** Of those that are wanted, the ones by which a server with these settings would send. */
export async function organizationChannels(
  sql: Sql,
  { config, organizationId, channels, stack }: Wanted,
): Promise<ReadonlyMap<string, NoticeChannel>> {
  const connected = await connectedTo(sql, organizationId);
  const needsConnection = (channel: string) =>
    needsMailServer(channel) ? config.mail.smtpUrl === null : !isBuiltIn(channel);
  const used = [...channels].filter((one) => needsConnection(one) && connected.includes(one));
  if (used.length === 0) return new Map();
  const key = config.secretKey ?? (await keyIn(config.dataDir, await fingerprintOf(sql)));
  const secrets = await readInstallation(sql, key ?? '');
  const nothing = async () => undefined;
  const connections = await openConnectionsOf({ sql, secrets }, organizationId, vendorNames);
  const taken = takenByOthersIn(sql);
  const portsOf: Parameters<typeof connectedChannels>[1] = (names) => ({
    connectionsOf: async () => connections.filter(({ vendor }) => names.includes(vendor)),
    inTurn: async (all) => all,
    answered: nothing,
    lost: nothing,
    hasOpenWindow: async () => false,
    // One page alone waits for no turn.
    lanes: noLanes,
    turn: async () => true,
    hold: nothing,
    takenByOthers: taken,
  });
  const opened = connectedChannels(sendingWorld(config), portsOf, stack);
  return new Map([...opened].filter(([name]) => used.includes(name)));
}
