// Which channels a bot can post to: those of one server are a page.
import type { Chats, Room } from '../vendor.ts';
import type { DiscordClient, DiscordResult } from './client.ts';
import { discordFaultOf } from './failure.ts';
import type { DiscordChannel, DiscordGuild } from './objects.ts';
import { may, mayPost, permissionsIn } from './permissions.ts';

/** Text and announcements. */
const types: readonly number[] = [0, 5];

type Page = Awaited<ReturnType<Chats['list']>>;

/** `after`: the id of the server before; null: the first. Never throws. */
export async function readServer(client: DiscordClient, after: string | null): Promise<Page> {
  const [me, guilds] = await Promise.all([client.me(), client.guilds(after ?? '0', 1)]);
  if (!me.ok) return faultOf(me);
  if (!guilds.ok) return faultOf(guilds);
  const [guild] = guilds.result;
  if (guild === undefined) return { channels: [], nextPage: null };
  const [channels, roles] = await Promise.all([
    client.guildChannels(guild.id),
    client.memberRoles(guild.id, me.result.id),
  ]);
  if (!channels.ok) return faultOf(channels);
  if (!roles.ok) return faultOf(roles);
  const member = { userId: me.result.id, roles: roles.result };
  const rooms = channels.result.flatMap((one) => roomOf(one, guild, member) ?? []);
  return { channels: rooms, nextPage: guild.id };
}

/** Null: the bot does not know it, or cannot post there. Never throws. */
export async function findChannel(client: DiscordClient, id: string): Promise<Room | null> {
  const [me, channel] = await Promise.all([client.me(), client.channel(id)]);
  if (!me.ok || !channel.ok) return null;
  const { guildId } = channel.result;
  const [guilds, roles] = await Promise.all([
    client.guilds(String(BigInt(guildId) - 1n), 1),
    client.memberRoles(guildId, me.result.id),
  ]);
  const guild = guilds.ok ? guilds.result.find((one) => one.id === guildId) : undefined;
  if (guild === undefined || !roles.ok) return null;
  return roomOf(channel.result, guild, { userId: me.result.id, roles: roles.result });
}

type Member = Parameters<typeof permissionsIn>[1];

function roomOf(channel: DiscordChannel, guild: DiscordGuild, member: Member): Room | null {
  const { id, type, name, overwrites } = channel;
  const place = { guildId: guild.id, overwrites };
  if (!types.includes(type) || !mayPost(permissionsIn(guild.permissions, member, place)))
    return null;
  const isPrivate = overwrites.some(
    (one) => one.id === guild.id && (one.deny & may.viewChannel) !== 0n,
  );
  return { id, name: `${name} (${guild.name})`, isPrivate };
}

function faultOf(result: Extract<DiscordResult<unknown>, { readonly ok: false }>): Page {
  return { fault: discordFaultOf(result.failure), isAnew: false };
}
