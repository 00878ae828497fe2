// Alerts that Prometheus sends itself, without an Alertmanager: each says until when it holds, by the
// clock of its sender. Whether it goes on is told by that instant and the last one, not by our clock.
import type { AlertEvent } from '../alerts/alert.ts';
import { incidentsLimits } from '../limits/incidents.ts';
import type { Incident, Sender } from './incident.ts';
import type { KeyEnd } from './lateness.ts';

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
