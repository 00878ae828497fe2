// A carrier reports a number as invalid by mistake, too: a contact is lost only when it is reported twice, some
// minutes apart, with nothing delivered there in between.
import { sendingLimits } from '../../limits/sending.ts';
import type { Transaction } from '../database.ts';

type Struck = {
  readonly organizationId: string;
  readonly id: string;
  readonly provedAt: Temporal.Instant | null;
  readonly now: Temporal.Instant;
};

/** Notes that the contact, which is locked, was reported as invalid. True: it was before. */
export async function isSecondStrike(
  tx: Transaction,
  { organizationId, id, provedAt, now }: Struck,
): Promise<boolean> {
  const [before] = await tx<{ struck_at: Temporal.Instant }[]>`
    select struck_at from contact_strikes
    where organization_id = ${organizationId} and contact_id = ${id}`;
  // What was reported before the contact was proved says nothing of it any more.
  const isCounted =
    before !== undefined &&
    (provedAt === null || Temporal.Instant.compare(before.struck_at, provedAt) >= 0);
  if (!isCounted) {
    await tx`
      insert into contact_strikes (organization_id, contact_id, struck_at)
      values (${organizationId}, ${id}, ${now})
      on conflict (organization_id, contact_id) do update set struck_at = excluded.struck_at`;
    return false;
  }
  const second = before.struck_at.add({ seconds: sendingLimits.strikesApart });
  if (Temporal.Instant.compare(now, second) < 0) return false;
  await tx`
    delete from contact_strikes where organization_id = ${organizationId} and contact_id = ${id}`;
  return true;
}
