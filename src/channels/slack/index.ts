import { slack as declaration } from '../../resources/connections/slack.ts';
import type { Vendor } from '../vendor.ts';
import { clientOf, createSlack } from './channel.ts';
import { findChannel, readChannelPage } from './channels.ts';
import { checkSlack } from './check.ts';
import { slackUrl } from './client.ts';
import { listenOnSlack } from './listen.ts';

export const slack: Vendor = {
  declaration,
  baseUrl: slackUrl,
  check: (way, connection) => checkSlack(clientOf(way, connection)),
  send: { slack: createSlack },
  listen: listenOnSlack,
  chats: {
    list: (way, connection, page) => readChannelPage(clientOf(way, connection), page),
    find: (way, connection, id) => findChannel(clientOf(way, connection), id),
  },
};
