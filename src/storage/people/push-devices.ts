// The devices that take pushes for a person: contacts with the subscription of a browser, or a topic.
import type { Log } from '../../engine/log.ts';
import { deviceChannel } from '../../resources/channels.ts';
import { type PushAddress, readPushAddress } from '../../resources/push.ts';
import type { Sql } from '../database/database.ts';
import { rowContext } from '../sealed/sealed-columns.ts';
import type { Secrets } from '../sealed/secrets.ts';
import type { Loss } from './lost-contacts.ts';

type PushDevice = {
  readonly organizationId: string;
  readonly id: string;
  readonly name: string;
  readonly subscription: PushAddress;
};
type Parts = {
  readonly sql: Sql;
  readonly secrets: Pick<Secrets, 'open'>;
  readonly log: Log;
  readonly lost: (
    contact: { readonly organizationId: string; readonly id: string },
    loss: Loss,
  ) => Promise<void>;
};
type Row = { readonly id: string; readonly address: string; readonly sealed: string };

const channel = deviceChannel;

export const sealedSubscriptionAt = (organizationId: string, contactId: string) =>
  rowContext('contacts.subscription_encrypted', organizationId, contactId);

export function createPushDevices({ sql, secrets, log, lost }: Parts) {
  const deviceOf = (organizationId: string, { id, address, sealed }: Row): PushDevice[] => {
    try {
      const text = secrets.open(sealed, sealedSubscriptionAt(organizationId, id));
      const subscription = readPushAddress(text);
      if (typeof subscription === 'string') throw new Error(`a subscription ${subscription}`);
      return [{ organizationId, id, name: address, subscription }];
    } catch (err) {
      log.error({ err, contact: id }, 'the subscription of a device cannot be read');
      return [];
    }
  };
  return {
    /** All that are verified of the person, or the one contact, with this id. */
    async of(organizationId: string, id: string): Promise<readonly PushDevice[]> {
      const rows = await sql<Row[]>`
        select id, address, subscription_encrypted as sealed from contacts
        where organization_id = ${organizationId} and channel = ${channel}
          and subscription_encrypted is not null
          and (id = ${id} or (user_id = ${id} and verified_at is not null))
        order by id`;
      return rows.flatMap((row) => deviceOf(organizationId, row));
    },
    /** The contact with this id, while it is verified and its person active. */
    async inUse(organizationId: string, id: string): Promise<readonly PushDevice[]> {
      const rows = await sql<Row[]>`
        select c.id, c.address, c.subscription_encrypted as sealed from contacts c
        join users u on u.organization_id = c.organization_id and u.id = c.user_id and u.active
        where c.organization_id = ${organizationId} and c.id = ${id} and c.channel = ${channel}
          and c.subscription_encrypted is not null and c.verified_at is not null`;
      return rows.flatMap((row) => deviceOf(organizationId, row));
    },
    /** It counts as verified no more; its owner sees why. */
    gone: ({ organizationId, id }: PushDevice, reason: string): Promise<void> =>
      lost({ organizationId, id }, { state: 'gone', reason }),
  };
}
