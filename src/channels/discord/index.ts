import { discord as declaration } from '../../resources/connections/discord.ts';
import type { Vendor } from '../vendor.ts';
import { discordCallbacks } from './callbacks.ts';
import { clientOf, createDiscord } from './channel.ts';
import { checkDiscord } from './check.ts';
import { discordUrl } from './client.ts';
import { listenOnDiscord } from './listen.ts';
import { findChannel, readServer } from './rooms.ts';

export const discord: Vendor = {
  declaration,
  baseUrl: discordUrl,
  check: (way, connection) => checkDiscord(clientOf(way, connection), connection, way.callbackUrl),
  send: { discord: createDiscord },
  callbacks: discordCallbacks,
  listen: listenOnDiscord,
  chats: {
    list: (way, connection, page) => readServer(clientOf(way, connection), page),
    find: (way, connection, id) => findChannel(clientOf(way, connection), id),
  },
};
