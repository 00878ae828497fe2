// How far the paging for a triggered incident has come: what lists say of it in a word.
import { incidentsLimits } from '../limits/incidents.ts';
import { type Incident, isDue, isMuted, minutesAfter } from './incident.ts';

export const pagingStates = [
  ...(['waiting', 'sending', 'paged', 'unanswered'] as const),
  ...(['admins_only', 'nobody_reached'] as const),
] as const;
export type PagingState = (typeof pagingStates)[number];

/** The pages of the round that runs, those to the team's admins among them. */
export type RoundPages = {
  /** When one last reached somebody whom the policy names; null: none has. */
  readonly sentAt: Temporal.Instant | null;
  /** Whether one reached an admin, who is notified of what the policy could not do. */
  readonly isAdminNotified: boolean;
  /** Whether one may still reach somebody. */
  readonly isPending: boolean;
};

/** Null: nobody is to be paged for it now. */
export function pagingState(
  incident: Incident,
  { sentAt, isAdminNotified, isPending }: RoundPages,
  now: Temporal.Instant,
): PagingState | null {
  if (incident.status !== 'triggered' || isMuted(incident)) return null;
  const { nextStep, stepAt } = incident.escalation;
  if (sentAt !== null)
    return stepAt === null && !isPending && isDue(answeredBy(sentAt), now) ? 'unanswered' : 'paged';
  if (isPending) return 'sending';
  if (isAdminNotified) return 'admins_only';
  return nextStep === 0 && stepAt !== null ? 'waiting' : 'nobody_reached';
}

/** Who was paged a moment ago is not late with an answer. */
const answeredBy = (sentAt: Temporal.Instant) =>
  minutesAfter(sentAt, incidentsLimits.answerAwaited);
