// Notices to admins of what only they can repair: when they are due, who gets them, and by which
// channels. They do not count toward the monthly limit.
import { sendingLimits } from '../limits/sending.ts';
import { substituteChannels, warningChannels } from '../resources/channels.ts';
import { quotaMarks } from '../resources/quota-marks.ts';
import { adminsOf, allAdminsOf, type Configuration } from './configuration.ts';
import type { Intent } from './incident.ts';
import { destinationOf, reachPerson } from './target-recipients.ts';

/** How long something fails before its admins are notified. */
export const failingBeforeNotice = {
  webhook: { hours: 72 },
  connection: { minutes: sendingLimits.connectionFailing },
  channel: { minutes: sendingLimits.connectionFailing },
} as const;

/** Of a connection or channel that goes on failing. */
export const noticeAgainAfter = { hours: 24 } as const;

/** Places among what waits to be sent: the lowest goes first. */
export const adminNoticeRanks = {
  /** Like the first page of an incident, since one may be missing. */
  undecided: 0,
  /** After everything else. */
  other: 6,
} as const;

/** The highest mark of the monthly limit that is reached. */
export const usagePercent = (used: number, limit: number): number | undefined =>
  quotaMarks.findLast((share) => used * 100 >= limit * share);

/** Null, or an unknown team: all owners. `all`: all owners and admins. */
export type AdminsOf = string | null | 'all';

export type AdminReader = {
  readonly userId: string;
  readonly name: string;
  readonly channel: string;
  readonly address: Intent['address'];
  readonly why: string;
};

/**
 * Whoever has no usual channel left, since those fail, is notified by one of the others. Empty: no admin
 * can be reached.
 */
export function adminReaders(
  configuration: Configuration,
  of: AdminsOf,
  failing: ReadonlySet<string> = new Set(),
): readonly AdminReader[] {
  const { ids, why } = admins(configuration, of);
  return ids
    .flatMap((id) => waysTo(id, configuration, failing))
    .flatMap((one) => {
      const address = destinationOf(one)?.address;
      if (address === undefined || one.personId === null) return [];
      return [{ userId: one.personId, name: one.name, channel: one.channel, address, why }];
    });
}

function admins(configuration: Configuration, of: AdminsOf) {
  if (of === 'all')
    return { ids: allAdminsOf(configuration), why: 'you are an admin of the organization' };
  const team = of !== null && configuration.teams.has(of) ? of : null;
  const why =
    team === null ? 'you are an owner of the organization' : 'you are an admin of its team';
  return { ids: adminsOf(configuration, team), why };
}

function waysTo(id: string, configuration: Configuration, failing: ReadonlySet<string>) {
  const reachBy = (channels: readonly string[]) =>
    channels.filter((via) => !failing.has(via)).map((via) => reachPerson(id, via, configuration));
  const usual = reachBy(warningChannels);
  if (failing.size === 0 || usual.some((one) => one.reached)) return usual;
  const other = reachBy(substituteChannels).find((one) => one.reached);
  return other === undefined ? usual : [...usual, other];
}
