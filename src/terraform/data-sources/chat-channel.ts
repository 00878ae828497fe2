// A channel of a chat, by the name that people know it by, as the server has read it from the vendor.
import type { Fields, Result } from '../../client/answer.ts';
import type { Client, Query } from '../../client/client.ts';
import { listWhole } from '../../client/pages.ts';
import { chatChannels } from '../../resources/channels.ts';
import { nearestNames } from '../../resources/nearest.ts';
import { folded } from '../known-by.ts';
import { computed, type DataSource, inSentence, key, required } from './data-source.ts';

const path = '/chat-channels';
const vias = chatChannels.map((each) => `\`${each}\``).join(', ');

export const chatChannel: DataSource = {
  typeName: 'pager_chat_channel',
  doc: 'A channel of a chat that a channel connection can post to.',
  attributes: [
    required('via', `The chat service, as in \`via\` of a target. One of ${vias}.`),
    key('name', 'The name of the channel, ignoring case, with or without `#`.'),
    key('channel_id', 'The chat service’s id of the channel, for `channel_id` of a target.'),
    computed('is_private', 'bool', 'Whether the channel is private.'),
    computed('connection_id', 'string', 'The id of the channel connection that can post there.'),
  ],
  keys: ['name', 'channel_id'],
  problems: ({ via }) =>
    via === undefined || chatChannels.some((each) => each === via)
      ? []
      : [{ path: 'via', message: `must be one of ${chatChannels.join(', ')}` }],
  async find({ client }, { via = '', name, channel_id = '' }) {
    const matches = await searched(client, { via, search: name ?? channel_id });
    if (!matches.ok) return matches;
    const isIt = (one: Fields) =>
      name === undefined
        ? one['channel_id'] === channel_id
        : plainName(String(one['name'])) === plainName(name);
    // Several connections may be able to post there: the first is used.
    const byId = new Map(
      matches.value
        .filter(isIt)
        .toReversed()
        .map((one) => [one['channel_id'], one]),
    );
    const value = [...byId.values()].toReversed();
    return { ok: true, value: value.map((one) => ({ ...one, id: one['channel_id'] })) };
  },
  async ifNone({ client }, { via = '', name = '' }) {
    const part = plainName(name);
    const parts = new Set([part.slice(0, 3), part.slice(-3), '']);
    const names = new Set<string>();
    for (const search of parts) {
      const some = await searched(client, { via, search });
      if (!some.ok) return '';
      for (const one of some.value) names.add(plainName(String(one['name'])));
    }
    if (names.size === 0) return `Pager has not read any ${via} channel from a channel connection.`;
    const likely = nearestNames(part, [...names]).map((each) => `#${each}`);
    const suggestion = likely.length > 0 ? `Did you mean ${inSentence(likely, 'or')}? ` : '';
    return `${suggestion}Pager finds channels that an enabled channel connection can post to. It reads new ones within the hour.`;
  },
};

const searched = (client: Client, query: Query): Promise<Result<readonly Fields[]>> =>
  listWhole(client, path, query);

const plainName = (name: string) => folded(name).replace(/^#/, '');
