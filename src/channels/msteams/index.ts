import { msteams as declaration } from '../../resources/connections/msteams.ts';
import type { Vendor } from '../vendor.ts';
import { teamsUrl } from './addresses.ts';
import { teamsCallbacks } from './callbacks.ts';
import { createTeams } from './channel.ts';
import { teamsChats } from './chats.ts';
import { checkTeams } from './check.ts';

export const msteams: Vendor = {
  declaration,
  baseUrl: teamsUrl,
  check: checkTeams,
  send: { msteams: createTeams },
  callbacks: teamsCallbacks,
  chats: teamsChats,
};
