// By which channels people and chats can be reached from here, and why not by the others.
import Type from 'typebox';
import {
  channelsWithoutConnection,
  chatChannels,
  isBuiltIn,
  isDeviceChannel,
  needsMailServer,
  personalChannels,
  traitsOf,
} from '../../resources/channels.ts';
import { connectionStates } from '../../resources/connections/connection.ts';
import { ntfy } from '../../resources/connections/ntfy.ts';
import { instant } from '../../resources/declaration/answer.ts';
import { choice, flag, objectOf, optional, text } from '../../resources/declaration/field.ts';
import { connectedChannels, listConnections } from '../../storage/connections/connections.ts';
import type { Queries } from '../../storage/database/database.ts';
import { type ChannelHealth, readChannelHealth } from '../../storage/health/channel-health.ts';
import { timeText } from '../../storage/records/rows.ts';
import { pageSchema } from '../answers.ts';
import { type PeopleParts, route } from '../people/writing.ts';
import { ok, type Route } from '../route.ts';
import { reasonAgainstBrowsers, reasonAgainstTopics } from './push.ts';

const channelNames = [...personalChannels, ...chatChannels] as const;

const channelShape = objectOf(
  {
    channel: choice(channelNames, { doc: 'The channel, as used in policy steps.' }),
    usable: flag({
      doc: 'Whether Pager can send notices by this channel. Without a mail server, e-mail is not usable: messages are written to files in the data directory, and escalation policies skip e-mail.',
    }),
    reason: optional(text({ doc: 'Why it is not usable. Absent if it is usable.' })),
    health: optional(
      objectOf(
        {
          state: choice(connectionStates, {
            doc: 'ok: notices are accepted. degraded: the last notice was not accepted. failing: notices are rejected, or several got no response. unchecked: the state is unknown, for example because nothing was sent for a day.',
          }),
          reason: optional(text({ doc: 'Why it is degraded or failing, and what to do.' })),
          checked_at: optional(instant('When a notice or an hourly check last confirmed this.')),
          failing_since: optional(
            instant('When it began to fail. Absent while it is not failing.'),
          ),
        },
        'The health of a built-in channel, based on responses from the mail server, browser push services or chat webhooks. The mail server in PAGER_SMTP_URL is checked every hour and serves all organizations. Everything else is based on this organization’s notices. A channel connection has its own health, also one to a mail server.',
      ),
    ),
    devices: optional(
      Type.Array(
        objectOf({
          kind: choice(['browser', ntfy.vendor], {
            doc: 'browser, or ntfy for its app.',
          }),
          usable: flag({ doc: 'Whether pushes can reach this kind of device.' }),
          reason: optional(text({ doc: 'Why they cannot. Absent if they can.' })),
        }),
        { description: 'For push-notification: which kinds of device it reaches.' },
      ),
    ),
  },
  'A channel and its setup state.',
);

export const channelRoutes = (parts: PeopleParts): Route[] => [
  route('GET /channels', 'viewer', {
    tag: 'organization',
    doc: 'Lists all channels, and whether each is set up.',
    answers: { status: 200, schema: pageSchema(channelShape) },
    async handle({ caller: { organizationId } }) {
      const [reasonAgainst, connections, health] = await Promise.all([
        reasonsAgainst(parts, organizationId),
        listConnections(parts.sql, { organizationId, archived: false }),
        readChannelHealth(parts.sql, organizationId),
      ]);
      const devices = [
        { kind: 'browser', ...usability(reasonAgainstBrowsers(parts.publicUrl)) },
        { kind: ntfy.vendor, ...usability(reasonAgainstTopics(connections)) },
      ];
      const data = channelNames.map((channel) => {
        const reason = reasonAgainst(channel);
        const isByConnection = needsMailServer(channel) && !parts.hasMailServer && reason === null;
        return {
          channel,
          ...usability(reason),
          ...(hasOwnHealth(channel) &&
            !isByConnection && { health: healthShown(health.get(channel)) }),
          ...(isDeviceChannel(channel) && { devices }),
        };
      });
      return ok({ data, next_cursor: null });
    },
  }),
];

const hasOwnHealth = (channel: string) =>
  channelsWithoutConnection.some((each) => each === channel);

function healthShown(known: ChannelHealth | undefined) {
  if (known === undefined) return { state: 'unchecked' };
  const { state, reason, checked_at, failing_since } = known;
  return {
    state,
    checked_at: timeText(checked_at),
    ...(reason !== null && { reason }),
    ...(failing_since && { failing_since: timeText(failing_since) }),
  };
}

const usability = (reason: string | null) => ({
  usable: reason === null,
  ...(reason !== null && { reason }),
});

export type ChannelParts = Pick<PeopleParts, 'sql' | 'channels' | 'hasMailServer' | 'publicUrl'>;

/** Of each channel, why it is not usable in an organization; null: it is. */
export async function reasonsAgainst(parts: ChannelParts, organizationId: string) {
  const { sql, channels, hasMailServer, publicUrl } = parts;
  const connected = await connectedChannels(sql, organizationId);
  const usable = withBuiltIn(channels, connected);
  return (channel: string): string | null => {
    if (!channels.has(channel)) return 'Not available yet.';
    if (!usable.has(channel)) return 'No channel connection is set up.';
    if (needsMailServer(channel) && !hasMailServer && !connected.includes(channel))
      return 'E-mail is not set up: messages are written to the folder mail in the data directory instead of being sent. Add a mail server under Channels, or set PAGER_SMTP_URL.';
    const isBrowsersAlone =
      traitsOf(channel)?.builtIn === 'browsers' && !connected.includes(channel);
    return isBrowsersAlone ? reasonAgainstBrowsers(publicUrl) : null;
  };
}

/** The channels by which an organization reaches people and chats. */
export async function usableChannels(
  sql: Queries,
  channels: ReadonlyMap<string, unknown>,
  organizationId: string,
): Promise<ReadonlySet<string>> {
  return withBuiltIn(channels, await connectedChannels(sql, organizationId));
}

/** Those of the server that need no connection, and those that have one. */
export const withBuiltIn = (
  channels: ReadonlyMap<string, unknown>,
  connected: readonly string[],
): ReadonlySet<string> => new Set([...[...channels.keys()].filter(isBuiltIn), ...connected]);
