// What a write to a connection leaves without a way.
import { isBuiltIn } from '../../resources/channels.ts';
import { usesOfChannel } from '../../storage/connections/channel-uses.ts';
import { connectedChannels } from '../../storage/connections/connections.ts';
import type { Queries } from '../../storage/database/database.ts';
import { useWarnings } from '../records/rendering.ts';
import type { Caller } from '../route.ts';

/**
 * To be called before the write; what it answers, after it: who relies on a channel that was served
 * before and no longer is.
 */
export async function lostChannels(
  sql: Queries,
  caller: Pick<Caller, 'organizationId' | 'teamIds'>,
): Promise<() => Promise<readonly string[]>> {
  const served = await connectedChannels(sql, caller.organizationId);
  return async () => {
    const left = new Set(await connectedChannels(sql, caller.organizationId));
    const lost = served.filter((channel) => !left.has(channel) && !isBuiltIn(channel));
    const warnings: string[] = [];
    for (const channel of lost) warnings.push(...(await warningsOf(sql, caller, channel)));
    return warnings;
  };
}

async function warningsOf(
  sql: Queries,
  caller: Pick<Caller, 'organizationId' | 'teamIds'>,
  channel: string,
): Promise<readonly string[]> {
  const { policies, people } = await usesOfChannel(sql, caller.organizationId, channel);
  if (policies.length + people === 0) return [];
  const contacts = people === 0 ? '' : ` People with a verified contact on it: ${people}.`;
  return [
    `No connection serves the channel ${channel} anymore, so it reaches nobody.${contacts}`,
    ...useWarnings(policies, caller, `the channel ${channel}`),
  ];
}
