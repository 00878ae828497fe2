import { channelConnections } from './channel-connections.ts';
import { chatChannel } from './chat-channel.ts';
import type { DataSource } from './data-source.ts';
import { integrationTypes } from './integration-types.ts';
import { lists } from './lists.ts';
import { oncallNow } from './oncall-now.ts';
import { team, user } from './people.ts';
import { recordSources } from './records.ts';
import { simulation } from './simulation.ts';
import { userContacts } from './user-contacts.ts';

export const dataSources: readonly DataSource[] = [
  integrationTypes,
  simulation,
  user,
  team,
  oncallNow,
  channelConnections,
  chatChannel,
  userContacts,
  ...recordSources,
  ...lists,
];
