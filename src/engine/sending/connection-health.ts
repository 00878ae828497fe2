// How well a connection works, or a channel that needs none: what its vendor answers to notices, and to
// checks of its credentials.
import { sendingLimits } from '../../limits/sending.ts';
import { afterFailure, afterSuccess, type Circuit, closedCircuit } from './circuit.ts';

/** `degraded`: the vendor failed last; `failing`: it refuses the connection, or fails on and on. */
export type HealthState = 'ok' | 'degraded' | 'failing';

export type Health = {
  readonly state: HealthState;
  /** Why it is not ok. */
  readonly reason: string | null;
  readonly failingSince: Temporal.Instant | null;
  /** When a notice failed last, unless one was accepted since. */
  readonly sendFailedAt: Temporal.Instant | null;
  readonly circuit: Circuit;
};

/** What a vendor answered to a notice. */
export type VendorAnswer =
  /** It works: it took the notice, or refused it for a reason that is not its own. */
  | { readonly kind: 'ok' }
  /** It did not answer, or failed. */
  | { readonly kind: 'outage'; readonly reason: string }
  /** It refused the notice, and Pager does not know the error: the connection or the contact may be at fault. */
  | { readonly kind: 'unexplained'; readonly reason: string }
  /** It refuses the connection: a setting has to change. */
  | { readonly kind: 'refusal'; readonly reason: string };

/** By what a channel without a connection reaches people and chats. */
export type ChannelService = {
  /** Whose notices it is known from. Null: all, such as what the mail server of the installation answers. */
  readonly organizationId: string | null;
  readonly channel: string;
  /** The host, where a channel leads to several; else empty. */
  readonly service: string;
};

/** Remembers what it answered. Never throws. */
export type NoteAnswer = (of: ChannelService, answer: VendorAnswer) => Promise<void>;

export const healthy: Health = {
  state: 'ok',
  reason: null,
  failingSince: null,
  sendFailedAt: null,
  circuit: closedCircuit,
};

export function afterSend(health: Health, answer: VendorAnswer, now: Temporal.Instant): Health {
  if (answer.kind === 'ok') {
    const circuit = afterSuccess(health.circuit, now);
    return circuit.openUntil === null ? { ...healthy, circuit } : { ...health, circuit };
  }
  // One contact may be at fault, so other notices go on as before.
  const circuit =
    answer.kind === 'unexplained' ? health.circuit : afterFailure(health.circuit, now);
  const isFailing =
    answer.kind === 'refusal' || circuit.openUntil !== null || health.state === 'failing';
  return {
    ...health,
    state: isFailing ? 'failing' : 'degraded',
    reason: answer.reason,
    circuit,
    failingSince: isFailing ? (health.failingSince ?? now) : null,
    sendFailedAt: now,
  };
}

/** Of a channel without a connection: there is no other way to prefer, so whatever it takes makes it ok. */
export const afterChannelSend = (
  health: Health,
  answer: VendorAnswer,
  now: Temporal.Instant,
): Health => (answer.kind === 'ok' ? healthy : afterSend(health, answer, now));

export type Check = {
  /** Null: the credentials are accepted. */
  readonly reason: string | null;
  /** Somebody has requested it, having changed something. */
  readonly isByHand?: boolean;
};

/** A check says nothing of notices that fail although the credentials are accepted. */
export function afterCheck(
  health: Health,
  { reason, isByHand = false }: Check,
  now: Temporal.Instant,
): Health {
  if (reason !== null)
    return { ...health, state: 'failing', reason, failingSince: health.failingSince ?? now };
  const { sendFailedAt, circuit } = health;
  const forgotten = now.subtract({ minutes: sendingLimits.connectionFailing });
  const isForgotten =
    sendFailedAt === null || Temporal.Instant.compare(sendFailedAt, forgotten) <= 0;
  return isByHand || isForgotten ? { ...healthy, circuit } : health;
}
