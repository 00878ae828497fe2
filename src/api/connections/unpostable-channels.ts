// Channels that somebody has chosen, and that no app can post to.
import { unpostableChannels } from '../../storage/connections/chat-channels.ts';
import type { Queries } from '../../storage/database.ts';

export type NamedChannel = { readonly path: string; readonly channelId: string };

/** As far as is known: their lists are read every hour. */
export async function unpostableWarnings(
  sql: Queries,
  organizationId: string,
  named: readonly NamedChannel[],
): Promise<readonly string[]> {
  const ids = named.map(({ channelId }) => channelId);
  const unpostable = await unpostableChannels(sql, { organizationId, vendor: 'slack' }, ids);
  return named
    .filter(({ channelId }) => unpostable.has(channelId))
    .map(
      ({ path, channelId }) =>
        `${path} names ${channelId}, to which the Slack app cannot post as far as is known: it does not exist, is archived, or is private and the app is not in it. Write /invite @Pager there.`,
    );
}
