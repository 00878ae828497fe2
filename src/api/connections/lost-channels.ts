// What a write to a connection leaves without a way.
import { isBuiltIn, needsMailServer, traitsOf } from '../../resources/channels.ts';
import { channelsOf } from '../../resources/connections/vendors.ts';
import { usesOfChannel } from '../../storage/connections/channel-uses.ts';
import { type Connection, connectedChannels } from '../../storage/connections/connections.ts';
import type { Queries } from '../../storage/database/database.ts';
import type { Use } from '../../storage/records/record-hooks.ts';
import { useWarnings } from '../records/rendering.ts';
import type { Caller } from '../route.ts';

type Reader = Pick<Caller, 'organizationId' | 'teamIds'>;

/** What a connection decides which channels there are by. */
export type Serving = Pick<Connection, 'vendor' | 'settings' | 'enabled'>;

/** By connections that are not archived. */
export const channelsServed = (connections: readonly Serving[]): ReadonlySet<string> =>
  new Set(
    connections.flatMap(({ vendor, settings, enabled }) =>
      enabled ? channelsOf(vendor, settings) : [],
    ),
  );

/** Who relies on a channel that goes. */
export type LostChannel = {
  /** In sentences: that it goes, and what uses it. */
  readonly gone: string;
  readonly used: readonly string[];
  readonly policies: readonly Use[];
};

export type LossParts = {
  readonly sql: Queries;
  /** Then mails leave without a connection. */
  readonly hasMailServer: boolean;
};

/**
 * To be called before the write; what it answers, after it: who relies on a channel that was served
 * before and no longer is.
 */
export async function lostChannels(
  parts: LossParts,
  caller: Reader,
): Promise<() => Promise<readonly string[]>> {
  const { sql } = parts;
  const served = await connectedChannels(sql, caller.organizationId);
  return async () => {
    const left = new Set(await connectedChannels(sql, caller.organizationId));
    const all = await losses(parts, caller, { served, left });
    return all.flatMap(({ gone, used }) => [gone, ...used]);
  };
}

type Served = { readonly served: Iterable<string>; readonly left: ReadonlySet<string> };

/** Of channels on which nobody relies, nothing. */
export async function losses(
  parts: LossParts,
  caller: Reader,
  { served, left }: Served,
): Promise<readonly LostChannel[]> {
  const all: LostChannel[] = [];
  for (const channel of served) {
    if (left.has(channel)) continue;
    const lost = await lossOf(parts, caller, channel);
    if (lost !== null) all.push(lost);
  }
  return all;
}

async function lossOf(
  { sql, hasMailServer }: LossParts,
  caller: Reader,
  channel: string,
): Promise<LostChannel | null> {
  const isRoom = traitsOf(channel)?.reaches === 'room';
  const isWritten = isOnlyWritten(channel, hasMailServer);
  // Browsers are reached without a connection.
  if (isBuiltIn(channel) && !isRoom && !isWritten) return null;
  const { policies, people } = await usesOfChannel(sql, caller.organizationId, { channel, isRoom });
  if (policies.length + people.count === 0) return null;
  const effect = isRoom
    ? 'steps with its channel_id reach nobody.'
    : `it reaches nobody.${contactsText(people)}`;
  return {
    gone: `No connection serves the channel ${channel} anymore, so ${effect}`,
    used: useWarnings(policies, caller, `the channel ${channel}`),
    policies,
  };
}

/** Without a connection, mails are written to a folder, unless the server has a mail server. */
export const isOnlyWritten = (channel: string, hasMailServer: boolean): boolean =>
  needsMailServer(channel) && !hasMailServer;

type People = Awaited<ReturnType<typeof usesOfChannel>>['people'];

function contactsText({ count, names }: People): string {
  if (count === 0) return '';
  const more = count - names.length;
  const listed = [...names, ...(more > 0 ? [`${more} more`] : [])];
  const text = new Intl.ListFormat('en').format(listed);
  return ` People with a verified contact on it: ${text}.`;
}
