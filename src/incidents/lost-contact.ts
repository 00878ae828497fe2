// Who is notified of a contact at which nothing arrives any more, and where.

import { sendingLimits } from '../limits/sending.ts';
import { shiftsIn } from '../oncall/shifts.ts';
import {
  freeWarningChannels,
  needsMailServer,
  signInChannel,
  warningChannels,
} from '../resources/channels.ts';
import { adminsOf, type Configuration, personIn } from './configuration.ts';
import { isSooner } from './incident.ts';
import { destinationOf, reachPerson } from './target-recipients.ts';

export type ContactReader = {
  readonly userId: string;
  readonly name: string;
  readonly channel: string;
  readonly address: string;
  /** Whether it is their own contact, or that of somebody on call whom they look after. */
  readonly isOwn: boolean;
  readonly why: string;
};

type Lost = {
  readonly userId: string;
  readonly channel: string;
  readonly address: string;
  /** Whether its person has no other on the channel: all browsers have one address. */
  readonly isLast: boolean;
};

/** Whose turn begins so soon is as good as on call. */
const soonWithin = { hours: 24 } as const;

/** When a contact was reported as invalid before, and when it was last proved; null: never. */
type Reported = {
  readonly before: Temporal.Instant | null;
  readonly provedAt: Temporal.Instant | null;
  readonly channel: string;
};

/**
 * Carriers report a number as invalid by mistake, too, so a contact is lost only with the second report,
 * some minutes after the first. `again`: too soon to count. A report from before the contact was proved
 * does not count any more. No mail server reports that an e-mail has arrived, so a bounce is forgotten in time.
 */
export function strikeOf(
  { before, provedAt, channel }: Reported,
  now: Temporal.Instant,
): 'first' | 'again' | 'second' {
  if (before === null || (provedAt !== null && isSooner(before, provedAt))) return 'first';
  const lasts = { seconds: sendingLimits.bounceCounts };
  if (needsMailServer(channel) && isSooner(before.add(lasts), now)) return 'first';
  const countsFrom = before.add({ seconds: sendingLimits.strikesApart });
  return isSooner(now, countsFrom) ? 'again' : 'second';
}

/** As long as the configuration holds the contact; its person first. */
export function readersOfLoss(
  configuration: Configuration,
  lost: Lost,
  now: Temporal.Instant,
): readonly ContactReader[] {
  const { userId } = lost;
  if (configuration.unreadable.has(userId) || !personIn(configuration, userId).active) return [];
  const own = ownWays(configuration, lost);
  return isOnCallSoon(configuration, userId, now)
    ? [...own, ...adminWays(configuration, userId)]
    : own;
}

function ownWays(configuration: Configuration, lost: Lost): readonly ContactReader[] {
  const { userId } = lost;
  const { name, email, addresses } = personIn(configuration, userId);
  const reader = { userId, name, isOwn: true, why: 'it is one of your contacts' };
  const others = freeWarningChannels.flatMap((channel) => {
    if (channel === signInChannel) return [];
    if (!configuration.channels.has(channel) || (channel === lost.channel && lost.isLast))
      return [];
    const address = addresses[channel]?.find((one) => one !== lost.address);
    return address === undefined ? [] : [{ ...reader, channel, address }];
  });
  return [{ ...reader, channel: signInChannel, address: email }, ...others];
}

function adminWays(configuration: Configuration, userId: string): readonly ContactReader[] {
  const teams = [...configuration.teams.values()].filter(({ memberIds }) =>
    memberIds.includes(userId),
  );
  const ofTeams = new Set(teams.flatMap(({ id }) => adminsOf(configuration, id)));
  ofTeams.delete(userId);
  const owners = adminsOf(configuration, null).filter((id) => id !== userId);
  const isOfTeam = (id: string) => teams.some(({ memberIds }) => memberIds.includes(id));
  return [...(ofTeams.size > 0 ? ofTeams : owners)].flatMap((id) =>
    warningChannels.flatMap((via): ContactReader[] => {
      const one = reachPerson(id, via, configuration);
      const address = destinationOf(one)?.address;
      if (typeof address !== 'string') return [];
      const why = isOfTeam(id)
        ? 'you are an admin of their team'
        : 'you are an owner of the organization';
      return [{ userId: id, name: one.name, channel: via, address, isOwn: false, why }];
    }),
  );
}

/** At this moment, or before long. */
function isOnCallSoon(
  { schedules }: Configuration,
  userId: string,
  now: Temporal.Instant,
): boolean {
  const soon = { from: now, to: now.add(soonWithin) };
  return [...schedules.values()].some(
    ({ archived, schedule }) =>
      !archived && shiftsIn(schedule, soon).some((shift) => shift.user_id === userId),
  );
}
