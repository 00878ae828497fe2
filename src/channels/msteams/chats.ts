// The channels that a bot can post to: those of the teams that its app is known to be installed in.
import { sendingLimits } from '../../limits/sending.ts';
import type { Chats, Connection, JoinedTeam, Room } from '../vendor.ts';
import { isServiceUrl } from './addresses.ts';
import { clientOf, type TeamsWay } from './channel.ts';
import type { TeamsResult } from './client.ts';
import { type TeamsFault, teamsFaultOf } from './failure.ts';

/** Of one team; none where the app is not installed any more. */
async function roomsOf(
  way: TeamsWay,
  connection: Connection,
  { id, name: team, serviceUrl }: JoinedTeam,
): Promise<TeamsResult<readonly Room[]> | null> {
  // The bot’s token goes nowhere else, also if the settings have changed since.
  const client = clientOf(
    way,
    connection,
    isServiceUrl(way.baseUrl, serviceUrl) ? serviceUrl : undefined,
  );
  const listed = await client.channelsOf(id);
  if (!listed.ok) return teamsFaultOf(listed.failure).blame === 'contact' ? null : listed;
  const rooms = listed.result.map((one) => ({
    id: one.id,
    name: team === '' ? one.name : `${team} / ${one.name}`,
    isPrivate: false,
  }));
  return { ok: true, result: rooms };
}

export const teamsChats: Chats = {
  /** A page is a team. */
  async list(way, connection, page, joined) {
    const index = page === null ? 0 : Number(page);
    const team = joined[index];
    if (team === undefined) return { channels: [], nextPage: null };
    const rooms = await roomsOf(way, connection, team);
    if (rooms !== null && !rooms.ok) return { fault: faultOf(rooms), isAnew: false };
    const isLast = index + 1 >= joined.length;
    return { channels: rooms?.result ?? [], nextPage: isLast ? null : String(index + 1) };
  },
  async find(way, connection, id, joined) {
    for (const team of joined.slice(0, sendingLimits.teamsSearched)) {
      const rooms = await roomsOf(way, connection, team);
      const room = rooms?.ok ? rooms.result.find((one) => one.id === id) : undefined;
      if (room) return room;
    }
    return null;
  },
};

const faultOf = ({ failure }: Extract<TeamsResult<unknown>, { readonly ok: false }>): TeamsFault =>
  teamsFaultOf(failure);
