// Rooms that somebody has chosen, and that no connection can post to.
import { listingVendor } from '../../resources/connections/vendors.ts';
import { unpostableChannels } from '../../storage/connections/chat-channels.ts';
import type { Queries } from '../../storage/database/database.ts';

export type NamedChannel = {
  readonly path: string;
  readonly via: string;
  readonly channelId: string;
};

/** As far as is known: their lists are read every hour. */
export async function unpostableWarnings(
  sql: Queries,
  organizationId: string,
  named: readonly NamedChannel[],
): Promise<readonly string[]> {
  const warnings = new Map<NamedChannel, string>();
  for (const [via, channels] of Map.groupBy(named, (one) => one.via)) {
    const vendor = listingVendor(via);
    if (vendor === undefined) continue;
    const ids = channels
      .map(({ channelId }) => channelId)
      .filter((id) => vendor.rooms.isUnlisted?.(id) !== true);
    const of = { organizationId, vendor: vendor.vendor };
    const unpostable = await unpostableChannels(sql, of, ids);
    for (const one of channels)
      if (unpostable.has(one.channelId))
        warnings.set(one, `${one.path} names ${one.channelId}, ${vendor.rooms.unpostable}`);
  }
  return named.flatMap((one) => warnings.get(one) ?? []);
}
