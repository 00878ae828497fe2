// How sure it is that a page reaches somebody by a contact.
import { accessLimits } from '../limits/access.ts';

export const reachabilities = ['proved', 'likely', 'unproved', 'broken'] as const;
export type Reachability = (typeof reachabilities)[number];

export type ReachedContact = {
  readonly verified: boolean;
  /** Why it is verified no more. */
  readonly state?: string;
  readonly state_reason?: string;
  /** When the person last answered through it. */
  readonly proved_at?: string;
};

/** `reason`: why it is not used, or why it is not sure, as a sentence. */
export type ContactReachability = {
  readonly reachability: Reachability;
  readonly reason?: string;
};

/** `problem`: why nothing can be sent there, as a sentence; null: it can. */
export function contactReachability(
  { verified, state, state_reason, proved_at }: ReachedContact,
  problem: string | null,
  now: Temporal.Instant,
): ContactReachability {
  if (state !== undefined)
    return {
      reachability: 'broken',
      reason: state_reason ?? 'Nothing can be sent there anymore.',
    };
  if (!verified) return { reachability: 'unproved', reason: 'The contact is not verified.' };
  if (problem !== null) return { reachability: 'broken', reason: problem };
  if (proved_at !== undefined && !isStale(proved_at, now)) return { reachability: 'proved' };
  const reason =
    proved_at === undefined
      ? 'Not confirmed yet.'
      : `Not confirmed since ${proved_at.slice(0, 10)}.`;
  return { reachability: 'likely', reason };
}

const isStale = (provedAt: string, now: Temporal.Instant): boolean =>
  Temporal.Instant.compare(
    Temporal.Instant.from(provedAt).add({ hours: 24 * accessLimits.proofDays }),
    now,
  ) < 0;

/** Whether a page leaves by it. */
export const isReached = (reachability: Reachability): boolean =>
  reachability === 'proved' || reachability === 'likely';

/** What was verified is more telling than what never was. */
const inOrder: readonly Reachability[] = ['proved', 'likely', 'broken', 'unproved'];

/** Of the contacts on one channel, the surest. Null: there are none. */
export const surest = (contacts: readonly ContactReachability[]): ContactReachability | null =>
  inOrder
    .map((each) => contacts.find(({ reachability }) => reachability === each))
    .find((contact) => contact !== undefined) ?? null;
