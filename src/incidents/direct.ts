// Alerts that Prometheus sends itself, without an Alertmanager: each says until when it holds, by the
// clock of its sender. Whether it goes on is told by that instant and the last one, not by our clock.
import type { AlertEvent } from '../alerts/alert.ts';
import { incidentsLimits } from '../limits/incidents.ts';
import { counted } from '../resources/plural.ts';
import type { AlertInput } from './alert-context.ts';
import type { Finding } from './findings.ts';
import type { Incident, Sender } from './incident.ts';
import type { KeyEnd } from './key-end.ts';

type Direct = NonNullable<AlertEvent['direct']>;

/** Prometheus lets an alert hold for four of its intervals, of a minute or more. */
const SHORTEST_MS = 4 * 60_000;

const byOf = ({ sender }: Direct): `direct ${string}` => `direct ${sender}`;

/** The alert as its sender means it; `copy`: it has come already. */
export function asSent(
  alert: AlertEvent,
  { open, end }: { readonly open: readonly Incident[]; readonly end?: KeyEnd | null },
  now: Temporal.Instant,
): AlertEvent | 'copy' {
  const { direct } = alert;
  if (direct === undefined || alert.action === 'acknowledge') return alert;
  const firing = open.at(-1)?.escalation.senders?.find(({ sender }) => sender === direct.sender);
  const last = firing ?? (end?.by === byOf(direct) ? { endsAt: end.endedAt, aheadMs: 0 } : null);
  // By our clock, which the next one corrects.
  if (last === null) return alert;
  const order = Temporal.Instant.compare(direct.endsAt, last.endsAt);
  if (order === 0) return 'copy';
  const clock = now.add({ milliseconds: Math.max(0, last.aheadMs) });
  const isOver = order < 0 && Temporal.Instant.compare(direct.endsAt, clock) <= 0;
  const { expires_at: _, ...rest } = alert;
  if (isOver) return { ...rest, action: 'resolve' };
  const soonest = now.add({ milliseconds: SHORTEST_MS });
  const isSooner = Temporal.Instant.compare(direct.endsAt, soonest) < 0;
  return { ...rest, action: 'trigger', expires_at: isSooner ? soonest : direct.endsAt };
}

/** What is known of the senders of an incident after one more firing. */
export function sendersWith(
  senders: readonly Sender[] | undefined,
  direct: Direct | undefined,
  now: Temporal.Instant,
): { readonly senders?: readonly Sender[] } {
  if (direct === undefined) return senders === undefined ? {} : { senders };
  const { sender, endsAt } = direct;
  const others = (senders ?? []).filter((one) => one.sender !== sender);
  const ahead = endsAt.epochMilliseconds - now.epochMilliseconds - SHORTEST_MS;
  return {
    senders: [...others, { sender, endsAt, aheadMs: ahead }].slice(-incidentsLimits.senders),
  };
}

/** The end is remembered, so that a later firing is known as one whatever our clock is. */
export const directEnd = (
  { direct }: Pick<AlertEvent, 'direct'>,
  now: Temporal.Instant,
): KeyEnd | undefined =>
  direct && { by: byOf(direct), endedAt: direct.endsAt, takenAt: now, putOff: null };

/** A clock that is further off is shown. */
const OFF_MS = 60_000;
/** How exactly the first alert of a problem shows for how long one holds. */
const EXACT_MS = 1_000;

/** What a firing shows of the clock of its sender. */
export function clockOf(
  { action, direct }: Pick<AlertEvent, 'action' | 'direct'>,
  { keyState, context }: Pick<AlertInput, 'keyState' | 'context'>,
): readonly Finding[] {
  if (action !== 'trigger' || direct === undefined) return [];
  const aheadMs = aheadOf(direct, keyState.open.length === 0, context.now);
  if (aheadMs === null) return [];
  const subject = direct.sender;
  if (Math.abs(aheadMs) <= OFF_MS) return [{ kind: 'sender_clock', subject, text: null }];
  const minutes = counted(Math.max(1, Math.round(Math.abs(aheadMs) / 60_000)), 'minute');
  const text = `The clock of the server ${subject || 'that sends alerts'} is about ${minutes} ${aheadMs > 0 ? 'ahead' : 'behind'}. Set it by NTP.`;
  return [{ kind: 'sender_clock', subject, text }];
}

/** Null: it does not show. */
function aheadOf(
  { startsAt, endsAt }: Direct,
  isFirst: boolean,
  now: Temporal.Instant,
): number | null {
  const ended = endsAt.epochMilliseconds - now.epochMilliseconds;
  // It goes on, so it was sent by a clock by which it still holds.
  if (ended <= 0) return ended - SHORTEST_MS;
  if (startsAt === undefined) return null;
  const began = startsAt.epochMilliseconds - now.epochMilliseconds;
  if (began > OFF_MS) return began;
  // The first time that Prometheus sends an alert, it holds for four minutes from when it began.
  const isAtOnce = isFirst && Math.abs(ended - began - SHORTEST_MS) <= EXACT_MS;
  return isAtOnce ? began : null;
}
