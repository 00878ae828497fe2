// Writes the notices to admins of what only they can repair.
import { type AdminsOf, adminNoticeRanks, adminReaders } from '../../incidents/admin-notices.ts';
import { type Configuration, configurationIn } from '../../incidents/configuration.ts';
import type { UndecidedThing } from '../../notices/kinds/undecided.ts';
import type { StoredContent } from '../../notices/queued.ts';
import { versioned } from '../../resources/declaration/stored-document.ts';
import { asUnavailable, attempt, DatabaseUnavailable } from '../database/database.ts';
import type { LedgerContext } from '../ledger/context.ts';
import { namedRows } from '../records/rows.ts';
import { recipientKeyOf } from './recipient-key.ts';

type AdminNotice = {
  readonly organization_id: string;
  readonly team_id: AdminsOf;
  readonly kind: string;
  /** The prefix of its keys: two notices with the same prefix are one. */
  readonly about: string;
  readonly rank: number;
  /** What the notice contains, besides its recipient and the reason. */
  readonly content: StoredContent;
  /** Channels that fail. */
  readonly failing?: ReadonlySet<string>;
};
type AdminNoticeContext = { readonly configuration: Configuration; readonly now: Temporal.Instant };

/** No admin can be reached by any of the channels. */
export class NobodyToNotify extends Error {
  override readonly name = 'NobodyToNotify';
}

/** Once for each `about`. It does not count towards the monthly limit. */
export async function notifyAdmins(
  context: LedgerContext,
  notice: AdminNotice,
  { configuration, now }: AdminNoticeContext,
): Promise<void> {
  const { sql } = context;
  const { organization_id, team_id, kind, about, rank, content, failing } = notice;
  const rows = adminReaders(configuration, team_id, failing).map((reader) => {
    const { userId, name: recipient, channel, address, why } = reader;
    return {
      organization_id,
      key: `${about}/${channel}/${userId}`,
      kind,
      channel,
      notice: versioned({ address, recipient, mention: null, why, ...content }),
      recipient_key: recipientKeyOf(context, { organization_id, channel, address }),
      user_id: userId,
      cycle: 0,
      step: 0,
      rank,
      state: 'pending',
      attempts: 0,
      created_at: now,
      wake_at: now,
    };
  });
  if (rows.length === 0) throw new NobodyToNotify(`nobody can be notified of ${about}`);
  await sql`
    insert into outbox ${namedRows(sql, 'outbox', rows)}
    on conflict (organization_id, key) do nothing`;
}

export type Undecided = UndecidedThing & {
  readonly organization_id: string;
  readonly team_id: string | null;
  /** What admins are notified of once while `since` stays the same; the thing when absent. */
  readonly key?: string;
  /** Stays the same until it is decided, so that admins are notified once. */
  readonly since: string;
};

/** Failures here are reported as faults: what the notice is about is postponed or ended already. */
export async function notifyOfUndecided(
  context: LedgerContext,
  { organization_id, team_id, key, since, ...undecided }: Undecided,
  now: Temporal.Instant,
): Promise<void> {
  const about = `undecided/${undecided.of}/${key ?? undecided.id}/${since}`;
  try {
    await attempt(context.sql, async (sql) => {
      const read = await context.configurations.read(sql, [organization_id], now);
      const configuration = configurationIn(read, organization_id);
      const notice = {
        organization_id,
        team_id,
        kind: 'undecided',
        about,
        rank: adminNoticeRanks.undecided,
      };
      await notifyAdmins(
        { ...context, sql },
        { ...notice, content: { undecided } },
        { configuration, now },
      );
    });
  } catch (error) {
    if (asUnavailable(error) instanceof DatabaseUnavailable) throw error;
    context.faults({ of: 'notice', id: about, error });
  }
}
