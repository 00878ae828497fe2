// How far the paging for a triggered incident has come: what lists say of it in a word.
import { type Incident, isMuted } from './incident.ts';

export const pagingStates = ['waiting', 'sending', 'paged', 'nobody_reached'] as const;
export type PagingState = (typeof pagingStates)[number];

/** The pages of the round that runs, those to the team's admins among them. */
export type RoundPages = {
  /** Whether one reached somebody. */
  readonly isSent: boolean;
  /** Whether one may still reach somebody. */
  readonly isPending: boolean;
};

/** Null: nobody is to be paged for it now. */
export function pagingState(
  incident: Incident,
  { isSent, isPending }: RoundPages,
): PagingState | null {
  if (incident.status !== 'triggered' || isMuted(incident)) return null;
  if (isSent) return 'paged';
  if (isPending) return 'sending';
  return incident.escalation.nextStep === 0 && incident.escalation.stepAt !== null
    ? 'waiting'
    : 'nobody_reached';
}
