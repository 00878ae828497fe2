// Where a vendor cannot call Pager: when it is polled for SMS that people have sent, since when, and
// which of them are new.
import { sendingLimits } from '../../limits/sending.ts';

export type ListedSms = { readonly sid: string; readonly createdAt: Temporal.Instant };

/** When the next poll is due. */
export const nextPoll = (
  polledAt: Temporal.Instant | undefined,
  now: Temporal.Instant,
): Temporal.Instant => polledAt?.add({ seconds: sendingLimits.smsPoll }) ?? now;

/** Polled if a page by SMS was sent for an incident that was open since then. */
export const polledSince = (now: Temporal.Instant): Temporal.Instant =>
  now.subtract({ hours: sendingLimits.smsPollHours });

/** Since when SMS are listed; `from`: the second, since 1970, after the last one that was read. */
export function listedSince(from: number, now: Temporal.Instant): Temporal.Instant {
  const last = Temporal.Instant.fromEpochMilliseconds(from * 1_000);
  const overlapping = last.subtract({ seconds: sendingLimits.smsPollOverlap });
  const earliest = polledSince(now);
  return Temporal.Instant.compare(overlapping, earliest) > 0 ? overlapping : earliest;
}

/** Those that are new, oldest first. A list that grows while it is read has some of them twice. */
export function unread<Sms extends ListedSms>(
  listed: readonly Sms[],
  since: Temporal.Instant,
  readBefore: ReadonlySet<string>,
): readonly Sms[] {
  const bySid = new Map(listed.map((one) => [one.sid, one]));
  return [...bySid.values()]
    .filter(({ sid, createdAt }) => !readBefore.has(sid) && !isBefore(createdAt, since))
    .toReversed()
    .toSorted((one, other) => Temporal.Instant.compare(one.createdAt, other.createdAt));
}

/** It never goes back, though SMS may be listed late. */
export const numberOf = ({ createdAt }: ListedSms, from: number): number =>
  Math.max(Math.floor(createdAt.epochMilliseconds / 1_000), from - 1);

const isBefore = (one: Temporal.Instant, other: Temporal.Instant): boolean =>
  Temporal.Instant.compare(one, other) < 0;
