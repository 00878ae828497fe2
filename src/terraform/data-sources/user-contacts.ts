// By what a person can be reached, for configurations that check it. The state has no whole address.
import { listWhole } from '../../client/pages.ts';
import { isDeviceChannel } from '../../resources/channels.ts';
import {
  isReached,
  type Reachability,
  reachabilities,
} from '../../resources/contact-reachability.ts';
import { maskedAddress } from '../../resources/masked-address.ts';
import { computed, computedList, type DataSource } from './data-source.ts';
import { user } from './people.ts';

export const userContacts: DataSource = {
  typeName: 'pager_user_contacts',
  noun: 'user',
  doc: 'The channels that reach a person, and the person’s contacts with masked addresses.',
  attributes: [
    ...user.attributes.filter(({ name }) => ['id', 'email', 'active'].includes(name)),
    computed(
      'channels',
      ['list', 'string'],
      'The channels on which a page can arrive: those with a contact whose `reachability` is `proved` or `likely`. Empty if the person is not active.',
    ),
    computedList('contacts', 'The contacts, in the order in which they are used.', [
      computed('channel', 'string', 'The channel of the contact.'),
      computed('address', 'string', 'The masked address, such as `…5678`.'),
      computed('label', 'string', 'The person’s name for the contact.'),
      computed('position', 'number', 'Its position among the contacts on its channel, from 1.'),
      computed('verified', 'bool', 'Whether the person proved that it is theirs.'),
      computed(
        'reachability',
        'string',
        `How certain it is that a page arrives there: ${reachabilities.map((each) => `\`${each}\``).join(', ')}.`,
      ),
      computed(
        'reachability_reason',
        'string',
        'Why a page to this contact may not arrive. Null if it is `proved`.',
      ),
    ]),
  ],
  keys: user.keys,
  async find(connection, query, config) {
    const people = await user.find(connection, query, config);
    const [person, ...others] = people.ok ? people.value : [];
    if (!people.ok || person === undefined || others.length > 0) return people;
    const path = `/users/${encodeURIComponent(String(person['id']))}/contacts`;
    const all = await listWhole(connection.client, path);
    if (!all.ok) return all;
    // Whoever reads the state reads what an admin's key may see.
    const contacts = all.value.map((one) => ({ ...one, address: shownAddress(one) }));
    const reaching = all.value.filter(({ reachability }) =>
      isReached(reachability as Reachability),
    );
    const channels =
      person['active'] === true ? [...new Set(reaching.map(({ channel }) => channel))] : [];
    return { ok: true, value: [{ ...person, channels, contacts }] };
  },
  ...(user.warnings && { warnings: user.warnings }),
};

/** Devices have a name in place of an address. What the API has masked already stays as it is. */
const shownAddress = ({ channel, address }: { readonly [name: string]: unknown }) =>
  isDeviceChannel(String(channel)) ? String(address) : maskedAddress(String(address));
