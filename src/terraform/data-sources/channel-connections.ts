// The accounts that reach people and chats, for configurations that check them.
import { listWhole } from '../../client/pages.ts';
import { connectionStates } from '../../resources/connections/connection.ts';
import { isObject } from '../../resources/declaration/is-object.ts';
import { computed, computedList, type DataSource } from './data-source.ts';

export const channelConnections: DataSource = {
  typeName: 'pager_channel_connections',
  doc: 'The active channel connections, without their settings and secrets.',
  attributes: [
    computedList('channel_connections', 'The connections, in the order in which they are used.', [
      computed('id', 'string', 'The id of the connection. It never changes.'),
      computed('name', 'string', 'The name of the connection.'),
      computed('vendor', 'string', 'The vendor of the account.'),
      computed('channels', ['list', 'string'], 'The channels that the connection serves.'),
      computed('enabled', 'bool', 'Whether the connection is used.'),
      computed(
        'health',
        'string',
        `Its health: ${connectionStates.map((each) => `\`${each}\``).join(', ')}.`,
      ),
      computed(
        'health_reason',
        'string',
        'Why it is degraded or failing, and which setting to change. Null otherwise.',
      ),
    ]),
  ],
  keys: [],
  async find({ client }) {
    const all = await listWhole(client, '/channel-connections');
    if (!all.ok) return all;
    const channel_connections = all.value.map(({ health, ...one }) => {
      const { state, reason } = isObject(health) ? health : {};
      return { ...one, health: state, health_reason: reason };
    });
    return { ok: true, value: [{ channel_connections }] };
  },
};
