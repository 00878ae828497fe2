// Alerts that Prometheus sends itself, without an Alertmanager: each says until when it holds, by the
// clock of its sender. That instant and the sender's last one decide whether it goes on, not our clock.
// The servers of a pair send the same alerts, and each of them ends an alert for itself alone.
import type { AlertEvent } from '../alerts/alert.ts';
import { incidentsLimits } from '../limits/incidents.ts';
import { counted } from '../resources/plural.ts';
import type { AlertInput, KeyState } from './alert-context.ts';
import type { Finding } from './findings.ts';
import { type Incident, isSooner, type Sender, withEscalation } from './incident.ts';
import type { KeyEnd } from './key-end.ts';

type Direct = NonNullable<AlertEvent['direct']>;
type Known = Pick<KeyState, 'open' | 'end'>;

/** Prometheus lets an alert hold for four of its intervals, of a minute or more. */
const SHORTEST_MS = 4 * 60_000;

/** The alert as its sender means it; `copy`: it has come already. */
export function asSent(
  alert: AlertEvent,
  known: Known,
  now: Temporal.Instant,
): AlertEvent | 'copy' {
  const { direct } = alert;
  if (direct === undefined || alert.action === 'acknowledge') return alert;
  const last = lastOf(direct, known);
  // By our clock, which the next one corrects.
  if (last === null) return alert;
  const order = Temporal.Instant.compare(direct.endsAt, last.endsAt);
  if (order === 0) return 'copy';
  const clock = now.add({ milliseconds: Math.max(0, last.aheadMs) });
  const isOver = order < 0 && Temporal.Instant.compare(direct.endsAt, clock) <= 0;
  const { expires_at: _, ...rest } = alert;
  if (isOver) return { ...rest, action: 'resolve' };
  const soonest = now.add({ milliseconds: SHORTEST_MS });
  return {
    ...rest,
    action: 'trigger',
    expires_at: isSooner(direct.endsAt, soonest) ? soonest : direct.endsAt,
  };
}

/** The last that its sender sent: a firing of what is open, or an end. */
function lastOf({ sender }: Direct, { open, end }: Known): Sender | null {
  const firing = open.flatMap(({ escalation }) => escalation.senders ?? []);
  return [...firing, ...(end?.senders ?? [])]
    .filter((one) => one.sender === sender)
    .reduce<Sender | null>(
      (last, one) => (last === null || isSooner(last.endsAt, one.endsAt) ? one : last),
      null,
    );
}

/** What is known of the senders of an incident after one more firing. */
export function sendersWith(
  senders: readonly Sender[] | undefined,
  direct: Direct | undefined,
  now: Temporal.Instant,
): { readonly senders?: readonly Sender[] } {
  if (direct === undefined) return senders === undefined ? {} : { senders };
  const { sender, endsAt } = direct;
  const aheadMs = endsAt.epochMilliseconds - now.epochMilliseconds - SHORTEST_MS;
  return { senders: withSender(senders, { sender, endsAt, aheadMs }) };
}

const withSender = (senders: readonly Sender[] = [], last: Sender): readonly Sender[] =>
  [...without(senders, last), last].slice(-incidentsLimits.senders);

const without = (senders: readonly Sender[], { sender }: Pick<Sender, 'sender'>) =>
  senders.filter((one) => one.sender !== sender);

/** Why the end of one sender does not end the incident; null: it does. */
export function heldBy(
  { created_at, escalation }: Incident,
  direct: Direct,
  now: Temporal.Instant,
): string | null {
  const { senders = [], heardAt = now } = escalation;
  const others = without(senders, direct);
  const isOfOthers = others.length > 0 && others.length === senders.length;
  if (isOfOthers && isSooner(direct.endsAt, created_at))
    return 'it ended before the incident was opened';
  // When the alert was last heard, and not now: since then nobody may have listened.
  const other = others.find((one) => isHolding(one, heardAt));
  return other === undefined ? null : `${other.sender || 'another server'} still reports it`;
}

/** As long as an incident stays open that only this sender reports. */
const isHolding = ({ endsAt, aheadMs }: Sender, at: Temporal.Instant): boolean =>
  isSooner(at.add({ milliseconds: Math.min(0, aheadMs) }), endsAt);

/** Others still report it. */
export function withoutSender(incident: Incident, direct: Direct): Incident {
  const { senders = [] } = incident.escalation;
  const others = without(senders, direct);
  return others.length === senders.length
    ? incident
    : withEscalation(incident, { senders: others });
}

/** The end is remembered, so that a later firing is known as one whatever our clock is. */
export function directEnd(direct: Direct, known: Known, now: Temporal.Instant): KeyEnd {
  const { sender, endsAt } = direct;
  const { end } = known;
  const aheadMs = lastOf(direct, known)?.aheadMs ?? 0;
  const senders = withSender(end?.senders, { sender, endsAt, aheadMs });
  if (end && end.by !== 'direct') return { ...end, senders };
  return { by: 'direct', endedAt: endsAt, takenAt: now, putOff: null, senders };
}

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
  const text = `The clock of the server ${subject || 'that sends alerts'} is about ${minutes} ${aheadMs > 0 ? 'ahead' : 'behind'}. Synchronize it with NTP.`;
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
