// When people last answered through their contacts.
import type { Queries } from '../database/database.ts';

type ProvedContact =
  /** `at`: only with this address. */
  | { readonly organizationId: string; readonly id: string; readonly at?: string }
  | {
      readonly organizationId: string;
      readonly userId: string;
      readonly channel: string;
      readonly address: string;
    };

/** A contact that is used no more stays as it is, as that of somebody inactive. Whether there is one that is used. */
export async function recordProof(
  sql: Queries,
  contact: ProvedContact,
  now: Temporal.Instant,
): Promise<boolean> {
  const isIt =
    'id' in contact
      ? sql`c.id = ${contact.id} ${contact.at === undefined ? sql`` : sql`and address = ${contact.at}`}`
      : sql`user_id = ${contact.userId} and channel = ${contact.channel}
          and address = ${contact.address}`;
  const recorded = await sql`
    insert into contact_proofs (organization_id, contact_id, proved_at)
    select c.organization_id, c.id, ${now} from contacts c
    join users u on u.organization_id = c.organization_id and u.id = c.user_id and u.active
    where c.organization_id = ${contact.organizationId} and ${isIt} and verified_at is not null
    on conflict (organization_id, contact_id) do update
      set proved_at = greatest(contact_proofs.proved_at, excluded.proved_at)`;
  return recorded.count > 0;
}
