// A person is notified, by other ways, that one of their contacts is used no more; while they are on
// call, or soon will be, so are the admins of their teams.
import { adminNoticeRanks } from '../../incidents/admin-notices.ts';
import { configurationIn } from '../../incidents/configuration.ts';
import { type ContactReader, readersOfLoss } from '../../incidents/lost-contact.ts';
import type { LostContact } from '../../notices/kinds/lost-contact.ts';
import { isDeviceChannel } from '../../resources/channels.ts';
import { versioned } from '../../resources/declaration/stored-document.ts';
import { maskedAddress } from '../../resources/masked-address.ts';
import { asUnavailable, attempt, DatabaseUnavailable } from '../database/database.ts';
import type { LedgerContext } from '../ledger/context.ts';
import { namedRows } from '../records/rows.ts';
import { recipientKeyOf } from './recipient-key.ts';

type Lost = {
  readonly organizationId: string;
  readonly userId: string;
  readonly contact: { readonly id: string; readonly channel: string; readonly address: string };
  /** Whether its person has no other on the channel. */
  readonly isLast: boolean;
  readonly state: LostContact['state'];
};

/**
 * Once a day for a contact. No monthly limit holds it back, as it does not count towards it. Before
 * the contact is marked. A failure is reported as a fault: the contact is lost all the same.
 */
export async function notifyOfLostContact(
  context: LedgerContext,
  lost: Lost,
  now: Temporal.Instant,
): Promise<void> {
  const { organizationId, userId, contact, isLast } = lost;
  try {
    await attempt(context.sql, async (sql) => {
      const read = await context.configurations.read(sql, [organizationId], now);
      const configuration = configurationIn(read, organizationId);
      const readers = readersOfLoss(configuration, { userId, ...contact, isLast }, now);
      const person = configuration.people.get(userId)?.name ?? '';
      const rows = readers.map((reader) => rowOf(context, { lost, reader, person, now }));
      if (rows.length === 0) return;
      await sql`
        insert into outbox ${namedRows(sql, 'outbox', rows)}
        on conflict (organization_id, key) do nothing`;
    });
  } catch (error) {
    if (asUnavailable(error) instanceof DatabaseUnavailable) throw error;
    context.faults({ of: 'notice', id: `lost_contact/${contact.id}`, error });
  }
}

type Row = {
  readonly lost: Lost;
  readonly reader: ContactReader;
  /** The name of whose contact it is. */
  readonly person: string;
  readonly now: Temporal.Instant;
};

function rowOf(context: LedgerContext, { lost, reader, person, now }: Row) {
  const { organizationId: organization_id, userId, contact, state } = lost;
  const { channel, address, name: recipient, why } = reader;
  const day = now.toZonedDateTimeISO('UTC').toPlainDate();
  const lost_contact: LostContact = {
    id: contact.id,
    channel: contact.channel,
    name: nameOf(contact),
    state,
    since: now,
    person: reader.isOwn ? null : { id: userId, name: person },
  };
  return {
    organization_id,
    kind: 'contact_lost',
    channel,
    key: `lost_contact/${contact.id}/${day}/${channel}/${reader.userId}`,
    notice: versioned({ address, recipient, mention: null, why, lost_contact }),
    recipient_key: recipientKeyOf(context, { organization_id, channel, address }),
    user_id: reader.userId,
    cycle: 0,
    step: 0,
    rank: adminNoticeRanks.other,
    state: 'pending',
    attempts: 0,
    created_at: now,
    wake_at: now,
  };
}

/** A browser has a name in the place of an address. */
const nameOf = ({ channel, address }: Lost['contact']) =>
  isDeviceChannel(channel) ? address : maskedAddress(address);
