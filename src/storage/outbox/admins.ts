// Admins of a team are notified, by e-mail and push, of what only they can repair.
import {
  adminsOf,
  allAdminsOf,
  type Configuration,
  configurationIn,
} from '../../incidents/configuration.ts';
import { destinationOf, reachPerson } from '../../incidents/target-lookup.ts';
import type { UndecidedThing } from '../../notices/notice.ts';
import { asUnavailable, attempt, DatabaseUnavailable } from '../database.ts';
import type { LedgerContext } from '../ledger/context.ts';
import { namedRows } from '../records/rows.ts';
import { versioned } from '../stored-document.ts';
import { recipientKeyOf } from './recipient-key.ts';
import type { StoredNotice } from './stored-notice.ts';

const adminChannels = ['email', 'push-notification'] as const;
/** Of which a notice that is no page may make use. */
const otherChannels = ['telegram', 'sms'] as const;

type AdminNotice = {
  readonly organization_id: string;
  /** Null, or of an unknown team: all owners are notified. `all`: all owners and admins. */
  readonly team_id: string | null | 'all';
  readonly kind: string;
  /** The prefix of its keys: two notices with the same prefix are one. */
  readonly about: string;
  readonly rank: number;
  /** What the notice says, beside to whom and why. */
  readonly content: Pick<StoredNotice, 'failing' | 'connection' | 'failing_channel' | 'undecided'>;
  /** Channels that fail: admins are notified by others. */
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
  const { admins, why } = adminsFor(configuration, team_id);
  const rows = admins
    .flatMap((admin) => waysTo(admin, configuration, failing))
    .flatMap((one) => {
      const address = destinationOf(one)?.address;
      if (address === undefined) return [];
      const { channel, personId, name: recipient } = one;
      return {
        organization_id,
        key: `${about}/${channel}/${personId}`,
        kind,
        channel,
        notice: versioned({ address, recipient, mention: null, why, ...content }),
        recipient_key: recipientKeyOf(context, { organization_id, channel, address }),
        user_id: personId,
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

/** While a usual way fails, whoever has no other of them is notified by one that is not usual. */
function waysTo(
  admin: string,
  configuration: Configuration,
  failing: ReadonlySet<string> = new Set(),
) {
  const reachBy = (channels: readonly string[]) =>
    channels
      .filter((via) => !failing.has(via))
      .map((via) => reachPerson(admin, via, configuration));
  const usual = reachBy(adminChannels);
  if (failing.size === 0 || usual.some((one) => one.reached)) return usual;
  const other = reachBy(otherChannels).find((one) => one.reached);
  return other === undefined ? usual : [...usual, other];
}

function adminsFor(configuration: Configuration, teamId: AdminNotice['team_id']) {
  if (teamId === 'all')
    return { admins: allAdminsOf(configuration), why: 'you are an admin of the organization' };
  const team = teamId !== null && configuration.teams.has(teamId) ? teamId : null;
  const why =
    team === null ? 'you are an owner of the organization' : 'you are an admin of its team';
  return { admins: adminsOf(configuration, team), why };
}

/** Like the first page of an incident: perhaps it stands for one. */
const undecidedRank = 0;

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
      const notice = { organization_id, team_id, kind: 'undecided', about, rank: undecidedRank };
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
