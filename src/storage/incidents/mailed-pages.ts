// Pages that were sent by e-mail, as their replies and bounces name them.
import type { AttemptKey } from '../../engine/ports/sending.ts';
import { addressOf, type TriedContact } from '../../engine/sending/retry-routes.ts';
import { pageKinds } from '../../incidents/incident.ts';
import { mailChannel } from '../../resources/channels.ts';
import type { Queries } from '../database/database.ts';

export type MailedPage = {
  readonly attempt: AttemptKey;
  readonly incidentId: string;
  readonly kind: string;
  readonly userId: string;
  /** Where this attempt was sent. */
  readonly address: string;
  readonly cycle: number;
  readonly step: number;
  /** It was reported that this attempt did not arrive. */
  readonly isReported: boolean;
  /** Its result is not recorded yet, and will be. */
  readonly isUnderWay: boolean;
};

type Row = Omit<MailedPage, 'attempt' | 'address'> &
  Omit<AttemptKey, 'attempt'> & {
    readonly number: number;
    readonly last: string;
    readonly tried: readonly TriedContact[] | null;
  };

/** Null: it was removed. `mark`: see src/replies/mail-handles.ts. */
export async function mailedPage(
  sql: Queries,
  { incidentId, mark }: { readonly incidentId: string; readonly mark: string },
): Promise<MailedPage | null> {
  const [row] = await sql<Row[]>`
    select o.organization_id, o.key, a.number, o.incident_id as "incidentId", o.kind,
      o.user_id as "userId", o.cycle, o.step, o.notice->>'address' as last,
      o.notice->'tried' as tried, a.receipt is not null as "isReported",
      a.finished_at is null and o.attempts = a.number and o.state = 'pending' as "isUnderWay"
    from organizations g
    join outbox o on o.organization_id = g.id and o.incident_id = ${incidentId}
    join attempts a on a.organization_id = o.organization_id and a.key = o.key
    where o.channel = ${mailChannel} and o.kind = any(${[...pageKinds]}) and o.user_id is not null
      and encode(substring(sha256(convert_to(o.key || ' ' || a.number, 'UTF8')) for 6), 'hex')
        = ${mark}
    limit 1`;
  if (row === undefined) return null;
  const { organization_id, key, number, last, tried, ...page } = row;
  return {
    ...page,
    attempt: { organization_id, key, attempt: number },
    address: addressOf(number, tried ?? [], last),
  };
}
