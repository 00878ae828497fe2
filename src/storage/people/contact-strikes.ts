// Remembers which contacts were reported as invalid. A delivery there makes it forgotten.
import { strikeOf } from '../../incidents/lost-contact.ts';
import type { Transaction } from '../database/database.ts';

type Struck = {
  readonly organizationId: string;
  readonly id: string;
  readonly channel: string;
  readonly provedAt: Temporal.Instant | null;
  readonly now: Temporal.Instant;
};

/** Notes that the contact, which is locked, was reported as invalid. True: it was before. */
export async function isSecondStrike(
  tx: Transaction,
  { organizationId, id, channel, provedAt, now }: Struck,
): Promise<boolean> {
  const [before] = await tx<{ struck_at: Temporal.Instant }[]>`
    select struck_at from contact_strikes
    where organization_id = ${organizationId} and contact_id = ${id}`;
  const strike = strikeOf({ before: before?.struck_at ?? null, provedAt, channel }, now);
  if (strike === 'first')
    await tx`
      insert into contact_strikes (organization_id, contact_id, struck_at)
      values (${organizationId}, ${id}, ${now})
      on conflict (organization_id, contact_id) do update set struck_at = excluded.struck_at`;
  if (strike === 'second')
    await tx`
      delete from contact_strikes where organization_id = ${organizationId} and contact_id = ${id}`;
  return strike === 'second';
}
